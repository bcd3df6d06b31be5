//===-- rewriters/memory/PackStores.cpp - Adjacent stores become one --------------===//
//
// What it does: in straight-line code, stores of one work-item to adjacent elements become one
// vector store; where their values are computed by the same operations, those become vector
// operations:
//
//   before                              after
//   p[4 * i] = v.s0 + dx;               vstore4(v + (float4)(dx, dy, dz, dx), 0, p + 4 * i);
//   p[4 * i + 1] = v.s1 + dy;
//   p[4 * i + 2] = v.s2 + dz;
//   p[4 * i + 3] = v.s3 + dx;
//
//   float a = v.s0 * s;                 float2 a_b = v.s01 * s;
//   float b = v.s1 * s;                 vstore2(a_b, 0, q + 2 * i);
//   q[2 * i] = a; q[2 * i + 1] = b;
//
// A store moves down to the last of its vector: nothing in between may read or write what it
// stores, or change what it reads. A product that is added to something stays in that sum, so that
// contraction does not change.
//
// Limits: scalars of global and local memory, up to 16 bytes for each store.
// Values that are computed differently are put together lane by lane. Runs after mergeLoads, whose
// vectors it uses whole.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "checks/model/pattern/Opaque.h"
#include "rewriters/lanes/Operations.h"
#include "rewriters/lanes/Pieces.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include <map>

namespace clmali::rewrite {

using namespace model;

namespace {

/// A store that becomes a lane.
struct Member {
  size_t At; ///< statement
  Stmt *S;
  int64_t Offset; ///< elements, from the first store of its group
};

unsigned bytesOf(const Access &A) { return sizeInBytes(A.Elem) * A.Lanes; }

class Packer : KernelEditor {
public:
  Packer(const EditedKernel &E, bool AssumeApart) : KernelEditor(E), AssumeApart(AssumeApart) {}
  unsigned run(pattern::Apart &Needs) {
    packList(K.Body);
    if (Changes)
      Needs |= Assumed;
    auto Lane = [&](const Expr *X) -> const Expr * {
      return X->K == ExprKind::VarRef ? Lanes.lookup(X->V) : nullptr;
    };
    auto Replace = [&](const Expr *E) { return substitute(M, E, Lane); };
    if (!Lanes.empty())
      walk(K.Body, [&](Stmt *S) {
        mapExprs(M, *S, Replace);
        return true;
      });
    return Changes;
  }

private:
  unsigned Changes = 0;
  llvm::DenseMap<const Var *, const Expr *> Lanes; ///< scalars that are lanes now
  const bool AssumeApart;
  mutable pattern::Apart Assumed;

  // Of the current statement list.
  StmtList *Here = nullptr;
  std::map<size_t, StmtList> After; ///< new statements, by the index of the one before them
  llvm::DenseMap<const Var *, size_t> DeclaredAt;
  llvm::DenseSet<const Stmt *> Gone;    ///< stores that are lanes now
  llvm::DenseSet<const Stmt *> Current; ///< stores that become the lanes of one
  /// Variables that become lanes if what they are computed from does: their definitions go.
  llvm::DenseSet<const Var *> Pending;
  bool NeedsPending = false; ///< what became lanes does so only together with those

  /// What a failed attempt takes back.
  struct Attempt {
    std::map<size_t, StmtList> After;
    llvm::DenseMap<const Var *, const Expr *> Lanes;
    size_t Vars;
  };
  Attempt begin() const { return {After, Lanes, K.Vars.size()}; }
  void takeBack(Attempt Old) {
    After = std::move(Old.After);
    Lanes = std::move(Old.Lanes);
    K.Vars.resize(Old.Vars);
  }

  void packList(StmtList &B);
  bool eligible(const Stmt *S) const;
  std::vector<Member> group(size_t First, const llvm::DenseSet<const Stmt *> &Done);
  bool disjoint(const Access &X, const Stmt *AtX, const Access &Y, const Stmt *AtY) const;
  bool readsApart(const Stmt *Reader, const Stmt *Writer) const;
  bool stays(size_t From, size_t To) const;
  void store(llvm::ArrayRef<Member> Chunk);
  std::optional<LaneVal> lanes(llvm::ArrayRef<const Expr *> Es, bool &Alike);
  std::optional<LaneVal> operation(llvm::ArrayRef<const Expr *> Es);
  const Expr *variables(llvm::ArrayRef<const Expr *> Es);
};

bool Packer::eligible(const Stmt *S) const {
  if (S->K != StmtKind::Store || S->Acc.Volatile || S->Acc.Lanes != 1 || S->Acc.Index.empty() ||
      !S->LaneIdx.empty() || S->Acc.Elem == ScalarKind::Bool)
    return false;
  const Var *V = S->Acc.Base;
  AddressSpace AS = V->space();
  const Type *Elem = V->Ty;
  while (Elem->K == Type::Array || Elem->K == Type::Pointer)
    Elem = Elem->Elem;
  return (AS == AddressSpace::Global || AS == AddressSpace::Local) && !Elem->isUnion();
}

/// True if X and Y access no common byte, for one work-item. Two buffers are assumed to be the same
/// (in place) or not to overlap.
bool Packer::disjoint(const Access &X, const Stmt *AtX, const Access &Y, const Stmt *AtY) const {
  if (!pattern::mayAlias(X.Base, Y.Base))
    return true;
  bool Never = pattern::neverOverlap(A.bytes(Y, AtY) - A.bytes(X, AtX), bytesOf(X), bytesOf(Y));
  Assumed.ByShift |= Never && X.Base != Y.Base;
  if (Never || !AssumeApart || !pattern::isReadByAll(A, X, Y))
    return Never;
  Assumed.ReadByAll = true;
  return true;
}

/// True if Reader reads nothing that Writer, a store, writes.
bool Packer::readsApart(const Stmt *Reader, const Stmt *Writer) const {
  return llvm::all_of(exprs(*Reader), [&](ExprAt E) {
    if (E->K == ExprKind::Load)
      return !E->Acc.Volatile && disjoint(E->Acc, Reader, Writer->Acc, Writer);
    return E->K != ExprKind::Opaque;
  });
}

/// True if what statement From computes may be computed after statement To instead.
bool Packer::stays(size_t From, size_t To) const {
  const Stmt *S = (*Here)[From];
  llvm::DenseSet<const Var *> Reads;
  for (ExprAt E : exprs(*S))
    if (E->K == ExprKind::VarRef)
      Reads.insert(E->V);
  for (size_t At = From + 1; At <= To; ++At) {
    const Stmt *T = (*Here)[At];
    if (T->K != StmtKind::Decl && T->K != StmtKind::Assign && T->K != StmtKind::Store)
      return false;
    if (T->K != StmtKind::Store && Reads.contains(T->V))
      return false;
    if (T->K == StmtKind::Store && !readsApart(S, T))
      return false;
  }
  return true;
}

/// The stores that can move down to the last of them, First included.
std::vector<Member> Packer::group(size_t First, const llvm::DenseSet<const Stmt *> &Done) {
  Stmt *S0 = (*Here)[First];
  std::vector<Member> Group = {{First, S0, 0}};
  int64_t Size = sizeInBytes(S0->Acc.Elem);
  for (size_t At = First + 1; At < Here->size(); ++At) {
    Stmt *S = (*Here)[At];
    if (S->K != StmtKind::Decl && S->K != StmtKind::Assign && S->K != StmtKind::Store)
      break;
    if (S->K == StmtKind::Store && S->Acc.Volatile)
      break;
    // Nothing reads or writes what the members store, nor changes what they read.
    bool Fits = llvm::all_of(Group, [&](const Member &W) {
      return readsApart(S, W.S) &&
             (S->K != StmtKind::Store || disjoint(S->Acc, S, W.S->Acc, W.S)) && stays(W.At, At);
    });
    if (!Fits)
      break;
    if (!eligible(S) || Done.contains(S) || S->Acc.Base != S0->Acc.Base ||
        S->Acc.Elem != S0->Acc.Elem)
      continue;
    Poly D = A.bytes(S->Acc, S) - A.bytes(S0->Acc, S0);
    if (D.isConstant() && D.constantTerm() % Size == 0)
      Group.push_back({At, S, D.constantTerm() / Size});
  }
  llvm::sort(Group, [](const Member &X, const Member &Y) { return X.Offset < Y.Offset; });
  return Group;
}

//===----------------------------------------------------------------------===//
// Values as lanes
//===----------------------------------------------------------------------===//

/// A name for the vector of Es: sum_20 to sum_23 are sum, dx and dy are dxdy.
std::string nameFor(const Module &M, llvm::ArrayRef<const Expr *> Es) {
  // v00, v01, v02 are the rows of v0.
  bool OneVariable = Es[0]->V->Range.isValid() && llvm::all_of(Es, [&](const Expr *E) {
                       const SourceRange &A = E->V->Range, &B = Es[0]->V->Range;
                       return A.File == B.File && A.Begin == B.Begin && A.End == B.End;
                     });
  if (OneVariable) {
    llvm::StringRef Name = sourceName(M, *Es[0]->V).rtrim("0123456789");
    for (llvm::StringRef All = Es[0]->V->Name; Name.size() <= All.size();
         Name = All.take_front(Name.size() + 1)) {
      if (!Name.empty() && spells(M, *Es[0]->V, Name))
        return Name.str();
      if (Name.size() == All.size())
        break;
    }
  }
  llvm::StringRef Same = Es[0]->V->Name;
  std::string Joined;
  for (const Expr *E : Es) {
    llvm::StringRef Name = E->V->Name;
    while (!Name.starts_with(Same))
      Same = Same.drop_back();
    Joined += Name;
  }
  Same = Same.rtrim("_0123456789");
  if (Same.size() >= 2)
    return Same.str();
  return Joined.size() <= 12 ? Joined : Es[0]->V->Name;
}

/// Es are variables with one definition each in this statement list: their definitions become one.
/// Null: that is not possible.
const Expr *Packer::variables(llvm::ArrayRef<const Expr *> Es) {
  llvm::SmallVector<const Expr *, MostLanes> Values;
  llvm::DenseSet<const Var *> Seen;
  size_t Last = 0, First = ~size_t(0);
  for (const Expr *E : Es) {
    const Stmt *D = E->K == ExprKind::VarRef && E->V->K == Var::Temp ? A.singleDef(E->V) : nullptr;
    auto At = DeclaredAt.find(E->V);
    if (!D || D->K != StmtKind::Decl || !D->E || At == DeclaredAt.end() ||
        (*Here)[At->second] != D || !D->E->Ty->isScalar() || D->E->Ty != E->V->Ty ||
        !Seen.insert(E->V).second)
      return nullptr;
    Values.push_back(D->E);
    Last = std::max(Last, At->second);
    First = std::min(First, At->second);
  }
  if (!isSameOperation(Values))
    return nullptr;
  for (const Expr *E : Es)
    if (!stays(DeclaredAt[E->V], Last))
      return nullptr;
  // A use before the last definition would still need the scalar, unless it becomes a lane, too.
  bool OnlyTogether = false;
  for (size_t At = First; At <= Last; ++At) {
    Stmt *S = (*Here)[At];
    if (llvm::none_of(exprs(StmtList{S}),
                      [&](ExprAt X) { return X->K == ExprKind::VarRef && Seen.contains(X->V); }))
      continue;
    if (!Current.contains(S) && !(S->K == StmtKind::Decl && Pending.contains(S->V)))
      return nullptr;
    OnlyTogether = true;
  }
  Attempt Old = begin();
  llvm::DenseSet<const Var *> Outer = Pending;
  bool Needed = std::exchange(NeedsPending, false);
  Pending.insert(Seen.begin(), Seen.end());
  bool Alike = false;
  std::optional<LaneVal> Value = lanes(Values, Alike);
  Pending = std::move(Outer);
  bool Fails = !Value || !Alike;
  if (Fails && NeedsPending)
    takeBack(std::move(Old));
  NeedsPending |= Needed | OnlyTogether;
  if (Fails)
    return nullptr;
  const LaneConverter Convert(M, Es.size());
  const Type *Scalar = Values[0]->Ty;
  Var *V = newTemp(M, K, nameFor(M, Es), Convert.vectorType(Scalar));
  V->Range = Es[0]->V->Range;
  Stmt *D = M.newStmt(StmtKind::Decl, (*Here)[First]->Range);
  D->V = V;
  D->E = Convert.toVector(*Value, Scalar);
  After[Last].push_back(D);
  for (unsigned I = 0; I < Es.size(); ++I)
    Lanes[Es[I]->V] = M.swizzle(M.ref(V), {uint8_t(I)});
  return M.ref(V);
}

/// One operand of each of Es.
static llvm::SmallVector<const Expr *, MostLanes> operands(llvm::ArrayRef<const Expr *> Es,
                                                           unsigned I) {
  llvm::SmallVector<const Expr *, MostLanes> Of;
  for (const Expr *E : Es)
    Of.push_back(E->Ops[I]);
  return Of;
}

/// Es, which are the same operation on different operands, as one operation on lanes. Nothing: no.
std::optional<LaneVal> Packer::operation(llvm::ArrayRef<const Expr *> Es) {
  const Expr *E0 = Es[0];
  if (!hasLaneForm(E0))
    return std::nullopt;
  for (unsigned I = 0; I < E0->Ops.size(); ++I)
    if (isLazyOperand(E0, I) && llvm::any_of(operands(Es, I), mayFault))
      return std::nullopt;
  bool Alike = false;
  llvm::SmallVector<LaneVal, 3> Ops;
  for (unsigned I = 0; I < E0->Ops.size(); ++I) {
    std::optional<LaneVal> V = lanes(operands(Es, I), Alike);
    // Conditions that are put together one by one are no mask yet.
    bool Scattered = E0->K == ExprKind::Select && !I && !Alike && V && V->K != LaneVal::Uniform;
    if (!V || Scattered)
      return std::nullopt;
    Ops.push_back(*V);
  }
  if (!Alike)
    return std::nullopt;
  auto NoHold = [](const Expr *, llvm::StringRef) -> const Expr * { return nullptr; };
  return LaneOperations(M, Es.size(), NoHold).combine(E0, Ops, {LaneVal::Vector});
}

/// Es as the lanes of one value. Nothing: no. Alike: set if some of it is computed in lanes.
std::optional<LaneVal> Packer::lanes(llvm::ArrayRef<const Expr *> Given, bool &Alike) {
  llvm::SmallVector<const Expr *, MostLanes> Known;
  for (const Expr *E : Given) {
    const Expr *Lane = E->K == ExprKind::VarRef ? Lanes.lookup(E->V) : nullptr;
    Known.push_back(Lane ? Lane : E);
  }
  llvm::ArrayRef<const Expr *> Es = Known;
  const Expr *E0 = Es[0];
  const Type *Ty = E0->Ty;
  if (!Ty->isScalar() || !llvm::all_of(Es, [&](const Expr *E) { return E->Ty == Ty; }))
    return std::nullopt;
  if (llvm::all_of(Es, [&](const Expr *E) { return equal(E, E0); }) && !mayFault(E0))
    return LaneVal{LaneVal::Uniform, E0};
  const bool IsBool = Ty->Scalar == ScalarKind::Bool;
  std::optional<LaneVal> V;
  const Expr *Together = IsBool ? nullptr : putTogether(M, Es);
  if (Together && Together->K != ExprKind::VectorCtor)
    V = {LaneVal::Vector, Together}; // components of one vector
  else if (const Expr *Var = IsBool ? nullptr : variables(Es))
    V = {LaneVal::Vector, Var};
  if (!V && isSameOperation(Es))
    V = operation(Es);
  if (V) {
    Alike = true;
    return V;
  }
  if (IsBool)
    return std::nullopt;
  // Two halves, each of which is computed in lanes.
  if (Es.size() >= 4 && Es.size() % 2 == 0) {
    bool Low = false, High = false;
    auto Half = Es.size() / 2;
    const LaneConverter OfHalf(M, Half);
    std::optional<LaneVal> X = lanes(Es.take_front(Half), Low),
                           Y = lanes(Es.drop_front(Half), High);
    if (X && Y && Low && High) {
      Alike = true;
      Together = putTogether(M, {OfHalf.toVector(*X, Ty), OfHalf.toVector(*Y, Ty)});
    }
  }
  return LaneVal{LaneVal::Vector, Together};
}

//===----------------------------------------------------------------------===//
// Stores
//===----------------------------------------------------------------------===//

void Packer::store(llvm::ArrayRef<Member> Chunk) {
  llvm::SmallVector<const Expr *, MostLanes> Values;
  size_t Last = 0;
  for (const Member &W : Chunk) {
    Values.push_back(W.S->E);
    Last = std::max(Last, W.At);
  }
  Attempt Old = begin();
  NeedsPending = false;
  Current.clear();
  for (const Member &W : Chunk)
    Current.insert(W.S);
  bool Alike = false;
  std::optional<LaneVal> Value = lanes(Values, Alike);
  if (!Value) {
    if (NeedsPending)
      takeBack(std::move(Old));
    return;
  }
  Gone.insert(Current.begin(), Current.end());
  Stmt *New = M.newStmt(StmtKind::Store, Chunk.front().S->Range);
  New->Acc = Chunk.front().S->Acc;
  New->Acc.Lanes = Chunk.size();
  New->Acc.F = Access::VLoad;
  New->E = LaneConverter(M, Chunk.size()).toVector(*Value, Values[0]->Ty);
  for (const Member &W : Chunk)
    New->Comments.insert(New->Comments.end(), W.S->Comments.begin(), W.S->Comments.end());
  After[Last].push_back(New);
  ++Changes;
}

void Packer::packList(StmtList &B) {
  for (Stmt *S : B)
    for (StmtList *Nested : {&S->Body, &S->Else})
      if (!S->Rare) // stays as the user wrote it
        packList(*Nested);
  Here = &B;
  After.clear();
  DeclaredAt.clear();
  for (size_t At = 0; At < B.size(); ++At)
    if (B[At]->K == StmtKind::Decl)
      DeclaredAt[B[At]->V] = At;
  llvm::DenseSet<const Stmt *> Done;
  std::vector<std::vector<Member>> Chunks;
  for (size_t At = 0; At < B.size(); ++At) {
    if (!eligible(B[At]) || Done.contains(B[At]))
      continue;
    std::vector<Member> Group = group(At, Done);
    int64_t Most = std::max<int64_t>(2, 16 / sizeInBytes(B[At]->Acc.Elem));
    for (size_t From = 0; From < Group.size();) {
      size_t Run = 1;
      while (From + Run < Group.size() &&
             Group[From + Run].Offset == Group[From].Offset + int64_t(Run))
        ++Run;
      while (Run >= 2) {
        size_t Take = accessLength(Run, Most);
        Chunks.emplace_back(Group.begin() + From, Group.begin() + From + Take);
        for (const Member &W : Chunks.back())
          Done.insert(W.S);
        From += Take;
        Run -= Take;
      }
      From += Run;
    }
  }
  if (Chunks.empty())
    return;
  for (const std::vector<Member> &C : Chunks)
    store(C);
  StmtList New;
  for (size_t At = 0; At < B.size(); ++At) {
    // A scalar that is a lane now is not read any more.
    bool IsLane = B[At]->K == StmtKind::Decl && Lanes.contains(B[At]->V);
    if (!IsLane && !Gone.contains(B[At]))
      New.push_back(B[At]);
    if (auto It = After.find(At); It != After.end())
      New.insert(New.end(), It->second.begin(), It->second.end());
  }
  B = std::move(New);
}

} // namespace

unsigned packStores(const EditedKernel &E, pattern::Apart &Assumed, bool AssumeApart) {
  return pattern::hasOpaqueParts(E.kernel()) ? 0 : Packer(E, AssumeApart).run(Assumed);
}

} // namespace clmali::rewrite
