//===- register-pressure.cpp
//-------------------------------------------------------------------===//
//
// Before: many large variables, all alive at one statement
// After:  smaller types, shorter lives, or a kernel in two parts
// Limits: an estimate from the source: the variables alive between statements, backwards through
// the
//         structured control flow; a compiler may do better, so a margin is left. Arrays count
//         whole, while they are alive.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MathExtras.h"
#include <map>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

namespace {

using Live = std::set<const Var *>;

/// What is alive after one statement or another: values, and arrays and structures of the
/// work-item, which live from where they are declared to where they are accessed for the last time.
class Liveness {
public:
  Liveness(const KernelAnalysis &K, const rules::DeviceFacts &D, std::set<const Var *> Objects)
      : K(K), RegisterBits(D.RegisterBits), Pads(D.PadsSubword), Objects(std::move(Objects)) {}

  unsigned Values = 0, InObjects = 0, All = 0; ///< registers, each where it takes the most
  const Stmt *Where = nullptr;                 ///< of Values
  const Var *Largest = nullptr;                ///< of the objects where there are most

  void block(const StmtList &B, Live &L) {
    for (size_t I = B.size(); I-- > 0;)
      statement(*B[I], L);
  }

private:
  const KernelAnalysis &K;
  unsigned RegisterBits;
  bool Pads;
  std::set<const Var *> Objects;

  void object(const Access &A, Live &L) {
    if (Objects.count(A.Base))
      L.insert(A.Base);
  }

  void uses(const Expr *Root, Live &L) {
    walk(Root, [&](const Expr *E) {
      if (E->K == ExprKind::VarRef && E->V->K == Var::Temp)
        L.insert(E->V);
      else if (E->K == ExprKind::Load)
        object(E->Acc, L);
      return true;
    });
  }

  std::map<const Var *, uint64_t> BitsOf; ///< asked at each statement

  uint64_t bits(const Var *V) {
    auto [Known, New] = BitsOf.try_emplace(V, 0);
    if (New)
      Known->second = countBits(V);
    return Known->second;
  }

  uint64_t countBits(const Var *V) const {
    const Type *Of = V->Ty;
    uint64_t Elements = 1;
    for (; Of->K == Type::Array; Of = Of->Elem)
      Elements *= Of->Count;
    if (!Of->isValue())
      return alignTo(V->Ty->Size * 8, 32);
    // float4 weight = x * y: one number, whatever it is multiplied with.
    auto IsScalar = [](const Stmt *Def) {
      return !Def->E ||
             (Def->LaneIdx.empty() && Def->E->K == ExprKind::Cast && Def->E->C == CastOp::Splat);
    };
    bool IsSplat =
        V->K == Var::Temp && Of->isVector() && !K.defs(V).empty() && all_of(K.defs(V), IsScalar);
    unsigned Each = sizeInBits(Of->Scalar);
    return alignTo(Elements * (IsSplat ? 1 : Of->Lanes) * (Pads ? std::max(Each, 32u) : Each), 32);
  }

  void statement(Stmt &S, Live &L) {
    switch (S.K) {
    case StmtKind::If: {
      Live Else = L;
      block(S.Body, L);
      block(S.Else, Else);
      L.insert(Else.begin(), Else.end());
      break;
    }
    case StmtKind::Loop: {
      // Twice: what the next iteration needs is alive at the end of this one.
      for (unsigned Round = 0; Round < 2; ++Round) {
        Live Body = L;
        if (S.E)
          uses(S.E, Body);
        block(S.Step, Body);
        block(S.Body, Body);
        L.insert(Body.begin(), Body.end());
      }
      block(S.Init, L);
      break;
    }
    case StmtKind::Decl:
    case StmtKind::Assign:
      if (S.V && S.LaneIdx.empty())
        L.erase(S.V);
      break;
    case StmtKind::Store:
    case StmtKind::Atomic:
    case StmtKind::AsyncCopy:
      object(S.Acc, L);
      break;
    default:
      break;
    }
    forEachExpr(S, [&](const Expr *E) { uses(E, L); });
    // Wide registers hold several scalars: bits are added up before they are divided.
    uint64_t OfValues = 0, OfObjects = 0;
    const Var *Most = nullptr;
    for (const Var *V : L) {
      (V->K == Var::Temp ? OfValues : OfObjects) += bits(V);
      if (V->K != Var::Temp &&
          (!Most || V->Ty->Size > Most->Ty->Size ||
           (V->Ty->Size == Most->Ty->Size && V->Range.Begin < Most->Range.Begin)))
        Most = V;
    }
    auto Registers = [&](uint64_t Bits) {
      return unsigned(divideCeil(Bits, uint64_t(RegisterBits)));
    };
    if (Registers(OfValues) > Values && S.Range.isValid()) {
      Values = Registers(OfValues);
      Where = &S;
    }
    All = std::max(All, Registers(OfValues) + Registers(OfObjects));
    if (Registers(OfObjects) > InObjects) {
      InObjects = Registers(OfObjects);
      Largest = Most;
    }
  }
};

} // namespace

/// Is there an array in a structure? How large that is may be a guess, which its variables'
/// declarations do not show.
static bool hasArrays(const Type *Ty) {
  while (Ty->K == Type::Array)
    Ty = Ty->Elem;
  return any_of(Ty->Fields,
                [](const model::Field &F) { return F.Ty->K == Type::Array || hasArrays(F.Ty); });
}

/// Arrays and structures of the work-item, but for tables of constants, and those of which a guess
/// says how large they are.
static std::set<const Var *> objectsOf(const KernelAnalysis &K, const Context &C) {
  bool Guessed = hasGuessedNumbers(C.module());
  std::set<const Var *> Written;
  for (const AccessSite &A : K.accesses())
    if (const Var *V = A.A->Base;
        A.IsWrite && V->K == Var::Memory && V->space() == AddressSpace::Private &&
        !Written.count(V) && !mentionsGuess(C.module(), C.text(V->Range)) &&
        !mentionsGuessedType(C.module(), C.text(V->Range)) && (!Guessed || !hasArrays(V->Ty)))
      Written.insert(V);
  return Written;
}

static void run(const Kernel &K, Context &C) {
  const rules::DeviceFacts &D = C.device();
  const rules::Fact *Limit = D.fact("registers-reported"), *Noted = D.fact("registers-noted");
  if (!Limit)
    return;
  // Who takes whole vectors on Mali keeps a block of them on purpose.
  if (!D.LocalOnChip && takesWholeVectors(C.analysis()))
    Noted = nullptr;
  Liveness L(C.analysis(), D, objectsOf(C.analysis(), C));
  Live AtEnd;
  L.block(K.Body, AtEnd);
  // What was taken for float may be half, and two of them take one register.
  auto Exceeds = [&](uint64_t Registers, const rules::Fact *Of) {
    if (hasGuessedFloats(C.module()) && !D.PadsSubword)
      Registers /= 2;
    return int64_t(Registers) * 100 > Of->Value * C.option("Percent");
  };
  const Var *Array = L.Largest;
  bool Many = L.Where && Exceeds(L.Values, Limit);
  bool ManyInArrays = Array && Exceeds(L.InObjects, Limit);
  // What is alive beside an array takes registers, too.
  constexpr unsigned Part = 5, Margin = 6; // a compiler keeps fewer alive than the source names
  bool Together = Array && Noted && Exceeds(L.All * Part / Margin, Noted);
  if (!Many && !ManyInArrays && !Together && !(L.Where && Noted && Exceeds(L.Values, Noted)))
    return;
  ManyInArrays |= Together && !Many;
  unsigned Most = ManyInArrays ? L.All : L.Values;
  std::string Cost = "the family has " + utostr(D.RegistersFull) + " at full occupancy";
  if (Most > D.RegistersQuarter)
    Cost += ", and above " + utostr(D.RegistersQuarter) + " they go to memory";
  // In a function that the kernel calls nobody looks for what the kernel takes.
  bool IsOwn = ManyInArrays && Array->Range.isValid() && Array->Range.File == K.Range.File &&
               Array->Range.Begin >= K.Range.Begin && Array->Range.End <= K.Range.End;
  Finding &F = C.report(
      IsOwn && !Many ? Array->Range : K.NameRange,
      (ManyInArrays ? "its variables and arrays take about " : "its variables take about ") +
          utostr(Most) + " registers of " + utostr(D.RegisterBits) + " bits at once");
  F.cost(Cost);
  if (L.Where && !ManyInArrays)
    F.note(L.Where->Range, "the most are alive here");
  else if (ManyInArrays && (Many || !IsOwn) && Array->Range.isValid())
    F.note(Array->Range, "the largest array");
  if (!Many)
    F.atMost(rules::Severity::Info);
}

CLMALI_KERNEL_CHECK("register-pressure", run);
