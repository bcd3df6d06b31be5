//===-- checks/model/analysis/ValueNumbers.cpp - Equal values, equal numbers --------===//
//
// What it does: gives equal values equal numbers, across definitions and components of vectors:
//
//   int2 p = (int2)(x, y);  int q = p.y;      q, p.y and y have one number
//
// Limits: loads have equal numbers only where they read one version of the object. Only a bounded
// number of definitions of a vector or a private array is followed.
//
//===----------------------------------------------------------------------===//

#include "checks/model/analysis/AnalysisImpl.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::model {

/// Of one vector or array: earlier ones are not searched for a component.
constexpr unsigned MaxDefinitions = 64;

//===----------------------------------------------------------------------===//
// Components
//===----------------------------------------------------------------------===//

std::optional<KernelAnalysis::Impl::Component>
KernelAnalysis::Impl::component(const Expr *E, unsigned Lane, const Stmt *At) {
  auto Key = std::tuple(E, Lane, At);
  if (auto It = Components.find(Key); It != Components.end())
    return It->second;
  std::optional<Component> C = findComponent(E, Lane, At);
  return Components[Key] = C;
}

/// Component Lane of a variable, from the definition that gives it that component.
std::optional<KernelAnalysis::Impl::Component>
KernelAnalysis::Impl::definedComponent(const Expr *Ref, unsigned Lane, const Stmt *At) {
  unsigned N = versionAt(Ref->V, At);
  for (unsigned Steps = 0; Steps < MaxDefinitions; ++Steps) {
    const Version &V = Versions[N];
    if (V.K != Version::Def || V.V->isMemory() || !V.S->E ||
        (V.S->K != StmtKind::Assign && V.S->K != StmtKind::Decl))
      return std::nullopt;
    if (V.S->LaneIdx.empty())
      return V.S->E->Ty == Ref->Ty ? component(V.S->E, Lane, V.S) : std::nullopt;
    // v.yz = e: y is e's first component.
    auto It = llvm::find(V.S->LaneIdx, uint8_t(Lane));
    if (It != V.S->LaneIdx.end())
      return component(V.S->E, unsigned(It - V.S->LaneIdx.begin()), V.S);
    if (V.Prev == None)
      return std::nullopt;
    N = V.Prev;
  }
  return std::nullopt;
}

/// Component Lane of E as a scalar expression and the statement that computes it.
std::optional<KernelAnalysis::Impl::Component>
KernelAnalysis::Impl::findComponent(const Expr *E, unsigned Lane, const Stmt *At) {
  if (E->Ty->isScalar())
    return Component(E, At);
  auto LaneOf = [&](const Expr *X) -> const Expr * {
    uint8_t L = uint8_t(Lane);
    if (X->K == ExprKind::Cast && X->C == CastOp::Splat && X->Ops[0]->Ty == M.value(X->Ty->Scalar))
      return X->Ops[0];
    return X->Ty->isScalar() ? X : M.swizzle(X, L);
  };
  switch (E->K) {
  case ExprKind::VectorCtor:
    for (const Expr *Part : E->Ops) {
      if (Lane < Part->Ty->Lanes)
        return component(Part, Lane, At);
      Lane -= Part->Ty->Lanes;
    }
    return std::nullopt;
  case ExprKind::Swizzle:
    return Lane < E->LaneIdx.size() ? component(E->Ops[0], E->LaneIdx[Lane], At) : std::nullopt;
  case ExprKind::VarRef:
    return definedComponent(E, Lane, At);
  case ExprKind::Cast:
    if (E->C == CastOp::Splat)
      return Component(E->Ops[0], At);
    if (E->C == CastOp::Convert && E->Ops[0]->Ty->Lanes == E->Ty->Lanes)
      return Component(M.cast(LaneOf(E->Ops[0]), M.value(E->Ty->Scalar)), At);
    return std::nullopt;
  case ExprKind::Unary:
    if (E->O == Op::Neg)
      return Component(M.unary(E->O, LaneOf(E->Ops[0])), At);
    return std::nullopt;
  case ExprKind::Binary:
    // Comparisons have another result type in vectors.
    if (!isComparison(E->O) && E->O != Op::LogicalAnd && E->O != Op::LogicalOr)
      return Component(M.binary(E->O, LaneOf(E->Ops[0]), LaneOf(E->Ops[1])), At);
    return std::nullopt;
  case ExprKind::Call:
    if (E->Name == "min" || E->Name == "max" || E->Name == "clamp" || E->Name == "mul24" ||
        E->Name == "mad24") {
      llvm::SmallVector<const Expr *, 3> Lanes;
      for (const Expr *X : E->Ops)
        Lanes.push_back(LaneOf(X));
      return Component(M.call(E->Name, M.value(E->Ty->Scalar), Lanes), At);
    }
    return std::nullopt;
  default:
    return std::nullopt;
  }
}

/// The offset of an access from its object in bytes, if it is constant.
static std::optional<int64_t> constantOffset(const Access &A) {
  int64_t Offset = A.Disp;
  for (auto [Index, Stride] : llvm::zip_equal(A.Index, A.Stride)) {
    std::optional<int64_t> N = constantValue(Index);
    if (!N)
      return std::nullopt;
    Offset += *N * int64_t(Stride);
  }
  return Offset;
}

/// The value that was stored to an element of a private array: at[1] = i + w; .. in[at[1]].
std::optional<KernelAnalysis::Impl::Component> KernelAnalysis::Impl::storedElement(const Expr *E,
                                                                                   const Stmt *At) {
  const Access &A = E->Acc;
  std::optional<int64_t> Offset =
      A.Base->K == Var::Memory && A.Base->AS == AddressSpace::Private && A.Lanes == 1 && !A.Volatile
          ? constantOffset(A)
          : std::nullopt;
  if (!Offset)
    return std::nullopt;
  unsigned N = versionAt(A.Base, At);
  for (unsigned Steps = 0; Steps < MaxDefinitions && N != None; ++Steps, N = Versions[N].Prev) {
    const Version &V = Versions[N];
    if (V.K != Version::Def || V.S->K != StmtKind::Store || V.S->Acc.Base != A.Base ||
        V.S->Acc.Volatile)
      return std::nullopt;
    const Access &Into = V.S->Acc;
    std::optional<int64_t> Other = constantOffset(Into);
    if (!Other)
      return std::nullopt;
    if (*Other == *Offset && Into.Lanes == 1 && V.S->E->Ty == E->Ty)
      return Component(V.S->E, V.S);
    // A store that overlaps it partly leaves another value.
    if (*Other < *Offset + int64_t(sizeInBytes(A.Elem)) &&
        *Offset < *Other + int64_t(sizeInBytes(Into.Elem)) * (Into.Lanes == 3 ? 4 : Into.Lanes))
      return std::nullopt;
  }
  return std::nullopt;
}

/// The scalar that a single component of an integer vector, or an element of a private array, is.
std::optional<KernelAnalysis::Impl::Component> KernelAnalysis::Impl::componentOf(const Expr *E,
                                                                                 const Stmt *At) {
  if (E->K == ExprKind::Load && isIntScalar(E))
    return storedElement(E, At);
  if (E->K != ExprKind::Swizzle || !isIntScalar(E))
    return std::nullopt;
  return component(E->Ops[0], E->LaneIdx[0], At);
}

//===----------------------------------------------------------------------===//
// Value numbers
//===----------------------------------------------------------------------===//

unsigned KernelAnalysis::Impl::intern(std::vector<uint64_t> Key, const Expr *E, const Stmt *At) {
  auto [It, New] = ValueOf.try_emplace(std::move(Key), Values.size());
  if (New)
    Values.push_back({E, At});
  return It->second;
}

/// The number of V's value. Definitions are expanded: two variables of one value share a number.
unsigned KernelAnalysis::Impl::valueOfVersion(unsigned V) {
  // A variable with several possible values equals nothing.
  if (Versions[V].K == Version::Unknown) {
    Values.push_back({M.ref(const_cast<Var *>(Versions[V].V)), nullptr});
    return Values.size() - 1;
  }
  if (V >= VersionValue.size())
    VersionValue.resize(Versions.size(), None);
  if (VersionValue[V] != None)
    return VersionValue[V];
  const Version &Ver = Versions[V];
  unsigned N;
  if (isWholeDef(Ver) && Ver.S->E->Ty == Ver.V->Ty)
    N = valueOf(Ver.S->E, Ver.S);
  else
    N = intern({~uint64_t(0), V}, M.ref(const_cast<Var *>(Ver.V)), Ver.S);
  return VersionValue[V] = N;
}

unsigned KernelAnalysis::Impl::valueOf(const Expr *E, const Stmt *At) {
  spend();
  if (E->K == ExprKind::VarRef)
    return valueOfVersion(versionAt(E->V, At));
  if (auto C = componentOf(E, At))
    return valueOf(C->first, C->second);
  auto MemoKey = std::pair(E, At);
  if (auto It = ValueMemo.find(MemoKey); It != ValueMemo.end())
    return It->second;
  std::vector<uint64_t> Key;
  auto Put = [&Key](uint64_t X) { Key.push_back(X); };
  auto PutText = [&](llvm::StringRef T) {
    Put(TextIds.try_emplace(T, TextIds.size()).first->second);
  };
  Put(uint64_t(E->K));
  // An id is one value, whether size_t has 32 bits in this module or not.
  Put(E->K == ExprKind::WorkItem ? 0 : reinterpret_cast<uintptr_t>(E->Ty));
  switch (E->K) {
  case ExprKind::IntConst:
    Put(uint64_t(E->Int));
    break;
  case ExprKind::FloatConst:
    Put(llvm::bit_cast<uint64_t>(E->Float));
    break;
  case ExprKind::WorkItem:
    Put(uint64_t(E->Query) * 8 + E->Dim);
    break;
  case ExprKind::Unary:
  case ExprKind::Binary:
    Put(uint64_t(E->O));
    break;
  case ExprKind::Cast:
    Put(uint64_t(E->C));
    PutText(E->Text);
    break;
  case ExprKind::Swizzle:
    for (uint8_t L : E->LaneIdx)
      Put(L);
    break;
  case ExprKind::Call:
  case ExprKind::HelperCall:
    PutText(E->Name);
    break;
  case ExprKind::Load:
    if (E->Acc.Volatile)
      Put(reinterpret_cast<uintptr_t>(E));
    Put(versionAt(E->Acc.Base, At));
    Put(uint64_t(E->Acc.Elem) << 40 | uint64_t(E->Acc.Lanes) << 32 | E->Acc.Disp);
    Put(uint64_t(E->Acc.F));
    for (uint32_t S : E->Acc.Stride)
      Put(S);
    break;
  case ExprKind::ImageRead:
  case ExprKind::ImageQuery:
    PutText(E->Name);
    Put(reinterpret_cast<uintptr_t>(E->Sampler));
    Put(E->K == ExprKind::ImageRead ? versionAt(E->Image, At)
                                    : reinterpret_cast<uintptr_t>(E->Image));
    break;
  case ExprKind::Opaque:
    Put(reinterpret_cast<uintptr_t>(E));
    break;
  case ExprKind::VarRef:
  case ExprKind::Select:
  case ExprKind::VectorCtor:
    break;
  }
  forEachOperand(*E, [&](const Expr *X) { Put(valueOf(X, At)); });
  unsigned N = intern(std::move(Key), E, At);
  ValueMemo[MemoKey] = N;
  return N;
}

} // namespace clmali::model
