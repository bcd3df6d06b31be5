//===-- checks/model/pattern/LockstepItems.cpp - Items that may be lanes ------===//

#include "checks/model/pattern/LockstepItems.h"

#include "checks/model/analysis/conflict/ConflictReason.h"
#include "checks/model/ir/Traversal.h"
#include "checks/model/pattern/AtomicUpdates.h"
#include "checks/model/pattern/Texels.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include <deque>

namespace clmali::model::pattern {

namespace {

/// So many definitions are followed to find a conversion in an index.
constexpr unsigned MaxIndexDepth = 8;

class Legality {
public:
  Legality(const KernelAnalysis &A, LockstepItems &Out, uint8_t Along)
      : K(A.kernel()), A(A), Out(Out), Along(Along) {}
  void run() {
    checkGroupSize();
    if (reportOpaque() && checkStatements() && checkVariables())
      checkDependences();
  }

private:
  const Kernel &K;
  const KernelAnalysis &A;
  LockstepItems &Out;
  const uint8_t Along;
  std::deque<Access> Texels; ///< of the images that the kernel writes

  bool refuse(LockstepProblem::Kind Why, const llvm::Twine &Detail, SourceRange At) {
    Out.Problems.push_back({Why, Detail.str(), At});
    return false;
  }
  void checkGroupSize() { Out.GroupSemantics = K.ReqdWorkGroupSize.has_value(); }
  bool reportOpaque();
  bool checkStatements();
  bool checkExpr(const Expr *E);
  bool checkVariables();
  bool checkArray(const Var *V);
  bool checkDependences();
  const Expr *narrowingCast(const Expr *E, const Stmt *At, unsigned Depth) const;
  bool addTexels(std::vector<AccessSite> &Sites);
  /// An operation on ids that the analysis takes as a whole, in lockstep items.
  bool differs(const SymbolInfo &Info) const {
    return Info.K == SymbolInfo::Atom && (Info.Varies.Item & Along);
  }
  bool isFlattened(const AccessSite &W) const;
  bool isFlattenedTexel(const AccessSite &W) const;
  bool checkIndex(const AccessSite &W);
  bool checkPair(const AccessSite &W, const AccessSite &X);
};

} // namespace

//===----------------------------------------------------------------------===//
// Statements and expressions
//===----------------------------------------------------------------------===//

/// Reports whatever no block may contain: each kind once, at its first location, so that a user
/// sees all reasons in one run.
bool Legality::reportOpaque() {
  bool Ok = true;
  auto Report = [&](LockstepProblem::Kind Why, llvm::StringRef What, SourceRange At) {
    if (llvm::none_of(Out.Problems, [&](const LockstepProblem &P) { return P.Why == Why; }))
      refuse(Why, What, At);
    Ok = false;
  };
  auto Opaque = [&](llvm::StringRef What, SourceRange At) {
    Report(What.contains("assembly")               ? LockstepProblem::InlineAssembly
           : What.starts_with("volatile variable") ? LockstepProblem::VolatileAccess
                                                   : LockstepProblem::OpaqueConstruct,
           What, At);
  };
  auto Volatile = [&](const std::string &What, const Var &V, SourceRange At) {
    const AccessSite *X = V.space() == AddressSpace::Local ? unorderedAccess(A, V) : nullptr;
    Report(LockstepProblem::VolatileAccess,
           X ? "work-items may access what others write to volatile " + V.Name +
                   ", and no barrier is known to order them; to rely on work-items in lockstep is "
                   "a race in OpenCL"
             : What,
           X ? X->A->Range : At);
  };
  for (const Stmt *St : stmts(K.Body)) {
    if (St->K == StmtKind::Atomic && !atomicUpdate(*St))
      Report(LockstepProblem::Atomic, St->Name, St->Range);
    if (St->K == StmtKind::Barrier && !A.controlOf(St).uniform())
      Report(LockstepProblem::DivergentBarrier,
             "it is not known that all work-items of a group reach this barrier", St->Range);
    if (St->K == StmtKind::Store && St->Acc.Volatile)
      Volatile("store to volatile " + St->Acc.Base->Name, *St->Acc.Base, St->Range);
    for (ExprAt E : exprs(*St))
      if (E->K == ExprKind::Load && E->Acc.Volatile)
        Volatile("load of volatile " + E->Acc.Base->Name, *E->Acc.Base, E->Acc.Range);
    if (St->K == StmtKind::Opaque)
      Opaque(St->Text, St->Range);
  }
  for (const OpaqueNote &O : K.Opaques)
    Opaque(O.What, O.Range);
  return Ok;
}

/// E itself, without its operands: notes what it reads of the launch.
bool Legality::checkExpr(const Expr *E) {
  if (E->K == ExprKind::WorkItem) {
    if (E->Query == WorkItemQuery::GlobalSize || E->Query == WorkItemQuery::GlobalOffset)
      Out.ReadsGlobalSize[E->Dim] = true;
    if (E->Query == WorkItemQuery::GroupId || E->Query == WorkItemQuery::LocalId ||
        E->Query == WorkItemQuery::LocalSize || E->Query == WorkItemQuery::NumGroups)
      Out.GroupSemantics = true;
  }
  // An id is cut to 32 bits.
  if (E->K == ExprKind::Cast && E->Ty->isInteger() && sizeInBits(E->Ty->Scalar) <= 32 &&
      sizeInBits(E->Ops[0]->Ty->Scalar) == 64)
    walk(E->Ops[0], [&](const Expr *X) {
      Out.IdsBelow2G |= X->K == ExprKind::WorkItem;
      return X->K != ExprKind::Load;
    });
  return E->K != ExprKind::Opaque || refuse(LockstepProblem::OpaqueConstruct, E->Text, E->Range);
}

bool Legality::checkStatements() {
  for (const Stmt *St : stmts(K.Body)) {
    if (St->K == StmtKind::AsyncCopy || St->K == StmtKind::Call)
      return refuse(LockstepProblem::OpaqueConstruct, St->Name, St->Range);
    if (St->K == StmtKind::Return)
      return refuse(LockstepProblem::UnstructuredControl, "return inside a loop", St->Range);
    if (St->K == StmtKind::Barrier)
      Out.GroupSemantics = true;
    for (ExprAt E : exprs(*St))
      if (!checkExpr(E.E))
        return false;
  }
  return true;
}

//===----------------------------------------------------------------------===//
// Variables and groups
//===----------------------------------------------------------------------===//

/// Local memory needs whole groups; private arrays must be such that they can be widened.
bool Legality::checkVariables() {
  auto IsLocal = [](const Var *V) {
    return V->K == Var::Memory && !V->ProgramScope && V->AS == AddressSpace::Local;
  };
  Out.GroupSemantics |= llvm::any_of(K.Vars, IsLocal);
  for (const Var *V : K.Vars)
    if (V->K == Var::Memory && !V->ProgramScope && V->AS == AddressSpace::Private &&
        V->Ints.empty() && V->Floats.empty() && !checkArray(V))
      return false;
  for (const Var *P : K.Params)
    if (P->isPointerParam() && P->Ty->AS == AddressSpace::Local)
      Out.GroupSemantics = true;
  return true;
}

/// Adds V, a private array, to Arrays if it is used.
bool Legality::checkArray(const Var *V) {
  const Type *Elem = V->Ty;
  while (Elem->K == Type::Array)
    Elem = Elem->Elem;
  bool Used = false,
       Plain = V->Ty->K == Type::Array && Elem->isScalar() && Elem->Scalar != ScalarKind::Bool;
  for (const AccessSite &X : A.accesses())
    if (X.A->Base == V) {
      Used = true;
      Plain &= X.A->Lanes == 1 && X.A->Elem == Elem->Scalar && !X.A->Disp && X.A->Path.empty() &&
               !X.A->Volatile && X.A->F == Access::Subscript &&
               (!X.IsWrite || (X.S->K == StmtKind::Store && X.S->LaneIdx.empty())) &&
               llvm::all_of(X.A->Stride, [&](uint32_t S) { return S % Elem->Size == 0; });
    }
  if (!Used)
    return true;
  for (const Stmt *St : stmts(K.Body))
    Plain &= St->K != StmtKind::Decl || St->V != V || St->Text.empty();
  if (!Plain)
    return Elem->isVector()
               ? refuse(LockstepProblem::AlreadyVectorized, "private array of vectors " + V->Name,
                        V->Range)
               : refuse(LockstepProblem::UnsupportedType,
                        "private array " + V->Name +
                            " is accessed by other means than its elements, such as a pointer",
                        V->Range);
  Out.ArrayBytes += V->Ty->Size;
  Out.Arrays.push_back(V);
  return true;
}

//===----------------------------------------------------------------------===//
// Dependences between work-items
//===----------------------------------------------------------------------===//

/// The conversion to 8 or 16 bits that may cut an index made of ids, or null.
const Expr *Legality::narrowingCast(const Expr *E, const Stmt *At, unsigned Depth) const {
  const Expr *Found = nullptr;
  walk(E, [&](const Expr *X) {
    if (Found || X->K == ExprKind::Load)
      return false;
    if (X->K == ExprKind::VarRef && Depth)
      if (const Stmt *D = A.singleDef(X->V); D && D->E)
        Found = narrowingCast(D->E, D, Depth - 1);
    if (X->K == ExprKind::Cast && X->C == CastOp::Convert && X->Ty->isInteger() &&
        X->Ty->Scalar != ScalarKind::Bool && sizeInBits(X->Ty->Scalar) < 32 &&
        X->Ops[0]->Ty->isInteger()) {
      Variation V = A.varies(X->Ops[0], At);
      if (V.Item && !V.Data && !rangeOf(X->Ty->Scalar).contains(A.range(X->Ops[0], At)))
        Found = X;
    }
    return !Found;
  });
  return Found;
}

/// Adds the texels of the images that are written: the same is asked of them as of elements.
bool Legality::addTexels(std::vector<AccessSite> &Sites) {
  auto Add = [&](const Stmt *S, const Expr *Read) {
    std::optional<TexelSite> T = texelSite(A, S, Read);
    if (!T)
      return refuse(LockstepProblem::CrossItemDependence,
                    "it is not known which texels of " + (Read ? Read->Image : S->Image)->Name +
                        " a work-item accesses",
                    Read ? Read->Range : S->Range);
    Texels.push_back(T->Texel);
    T->Site.A = &Texels.back();
    Sites.push_back(T->Site);
    return true;
  };
  for (const Stmt *S : stmts(K.Body)) {
    if (S->K == StmtKind::ImageWrite && !Add(S, nullptr))
      return false;
    for (ExprAt X : exprs(*S))
      if (X->K == ExprKind::ImageRead && isWritable(*X->Image) && !Add(S, X.E))
        return false;
  }
  return true;
}

/// i % w, or i - i / w * w, in one coordinate and i / w in another give each item its own texel.
bool Legality::isFlattenedTexel(const AccessSite &W) const {
  auto ForEach = [&](auto Do) {
    for (unsigned D = 0; D < W.A->Index.size(); ++D)
      for (const auto &[Mono, Coefficient] : A.poly(W.A->Index[D], W.S).Terms)
        for (unsigned Sym : Mono)
          if (const Expr *E = A.symbol(Sym).E; E && E->K == ExprKind::Binary)
            Do(*E, D, Coefficient < 0);
  };
  auto Same = [&](const Expr *X, const Expr *Y) { return A.poly(X, W.S) == A.poly(Y, W.S); };
  bool Found = false;
  ForEach([&](const Expr &Rest, unsigned At, bool Subtracts) {
    if (Rest.O == Op::Rem || (Rest.O == Op::Div && Subtracts))
      ForEach([&](const Expr &Quotient, unsigned Other, bool) {
        Found |= Other != At && Quotient.O == Op::Div && Same(Rest.Ops[0], Quotient.Ops[0]) &&
                 Same(Rest.Ops[1], Quotient.Ops[1]);
      });
  });
  return Found;
}

/// i / w * pitch + i % w, or i - i / w * w, gives each item its own element; a pitch below w
/// would be an error of the caller. Of i % 8, i / 2, i ^ 1 it is not known which items conflict.
bool Legality::isFlattened(const AccessSite &W) const {
  if (W.A->Base->isImage())
    return isFlattenedTexel(W);
  bool HasId = false, HasRemainder = false, AddsQuotient = false, SubtractsQuotient = false;
  for (const auto &[Mono, Coefficient] : W.Bytes.Terms)
    for (unsigned Sym : Mono) {
      const SymbolInfo &Info = A.symbol(Sym);
      HasId |= Info.K == SymbolInfo::WorkItem && Mono.size() == 1;
      if (!differs(Info) || !Info.E || Info.E->K != ExprKind::Binary)
        continue;
      HasRemainder |= Info.E->O == Op::Rem && Mono.size() == 1;
      if (Info.E->O == Op::Div)
        (Coefficient < 0 ? SubtractsQuotient : AddsQuotient) |= llvm::any_of(
            Mono, [&](unsigned Other) { return A.symbol(Other).K == SymbolInfo::Param; });
    }
  return HasRemainder ? AddsQuotient || SubtractsQuotient
                      : AddsQuotient && SubtractsQuotient && HasId;
}

/// The message for R, a conflict of the accesses W and X to one buffer. Must: it is proved; May: it
/// is not known that there is none.
static std::string meetingText(const ConflictResult &R, const AccessSite &W, const AccessSite &X) {
  const std::string &Name = W.A->Base->Name;
  const bool BothWrite = X.IsWrite && !X.IsRead;
  if (R.Kind != Conflict::Must) {
    const char *Why = R.Reason == ConflictReason::DataDependentAddress ? ": data choose them" : "";
    return (BothWrite ? "it is not known that work-items write different elements of "
                      : "it is not known that no work-item reads what another writes in ") +
           Name + Why;
  }
  std::string Text = (BothWrite ? "two work-items write one element of "
                                : "a work-item reads what another writes in ") +
                     Name;
  if (R.Distance)
    Text += llvm::formatv(", such as those whose ids differ by ({0}, {1}, {2})", (*R.Distance)[0],
                          (*R.Distance)[1], (*R.Distance)[2])
                .str();
  return Text;
}

/// The address that W writes must be one whose conflicts the analysis can judge.
bool Legality::checkIndex(const AccessSite &W) {
  for (const Expr *Ix : W.A->Index)
    if (const Expr *Cut = narrowingCast(Ix, W.S, MaxIndexDepth))
      return refuse(LockstepProblem::IndexOverflow,
                    "the index of " + W.A->Base->Name + " is kept in " +
                        llvm::Twine(sizeInBits(Cut->Ty->Scalar)) + " bits, which may wrap",
                    Cut->Range.isValid() ? Cut->Range : W.A->Range);
  auto MayMeet = [&] { return A.conflict(W, W) != Conflict::No; };
  auto Meeting = [&] { return meetingText(A.conflictReason(W, W), W, W); };
  bool HasItemAtom = false;
  for (const auto &[Mono, Coefficient] : W.Bytes.Terms)
    for (unsigned Sym : Mono) {
      const SymbolInfo &Info = A.symbol(Sym);
      // Unless each item has a part of its own in which the data choose the element.
      if (Info.Varies.Data && (Info.Varies.Item & Along) && MayMeet())
        return refuse(LockstepProblem::DataDependentStore,
                      (W.A->Base->isImage() ? "write to " : "store to ") + W.A->Base->Name,
                      W.A->Range);
      HasItemAtom |= differs(Info);
    }
  if (HasItemAtom && !isFlattened(W) && MayMeet())
    return refuse(LockstepProblem::CrossItemDependence, Meeting(), W.A->Range);
  return true;
}

/// W writes, X accesses the same base between the same barriers. The items of a block need no
/// order where no item accesses what another writes. Where that is not proved, a kernel that reads
/// and writes one buffer at different elements is taken as dependent; other kernels are free of
/// races by the rules of OpenCL.
bool Legality::checkPair(const AccessSite &W, const AccessSite &X) {
  if (W.IsAtomic && X.IsAtomic) {
    // The order of two operations that do not commute counts where they meet.
    AccessSite Plain = X;
    Plain.IsAtomic = false;
    return atomicUpdate(*W.S)->commutesWith(*atomicUpdate(*X.S)) ||
           A.conflict(W, Plain) == Conflict::No ||
           refuse(LockstepProblem::Atomic, W.S->Name + " and " + X.S->Name, X.S->Range);
  }
  Conflict C = A.conflict(W, X);
  bool Dependent = C == Conflict::Must;
  bool Global = W.A->Base->space() == AddressSpace::Global;
  // All items that execute the store write one element, under a condition that says nothing.
  const bool OneForAll = C == Conflict::May && &X == &W && W.Affine && Global &&
                         llvm::all_of(W.Bytes.Terms, [&](const auto &Term) {
                           return llvm::all_of(Term.first, [&](unsigned Sym) {
                             const SymbolInfo &Info = A.symbol(Sym);
                             return Info.K != SymbolInfo::Atom && Info.Varies.uniformInLaunch();
                           });
                         });
  if (OneForAll)
    return refuse(LockstepProblem::CrossItemDependence,
                  "work-items that get here write one element of " + W.A->Base->Name, W.A->Range);
  // Not even the items' own accesses are known to be ordered.
  if (C == Conflict::May && W.IsAtomic != X.IsAtomic)
    Dependent = true;
  if (C == Conflict::May && X.IsRead && Global)
    Dependent |= !(X.Affine && W.Affine && X.Bytes == W.Bytes);
  if (!Dependent)
    return true;
  return refuse(LockstepProblem::CrossItemDependence, meetingText(A.conflictReason(W, X), W, X),
                W.A->Range);
}

bool Legality::checkDependences() {
  llvm::ArrayRef<AccessSite> Accesses = A.accesses();
  std::vector<AccessSite> Sites(Accesses.begin(), Accesses.end());
  if (!addTexels(Sites))
    return false;
  for (size_t I = 0; I < Sites.size(); ++I) {
    const AccessSite &W = Sites[I];
    if (!W.IsWrite || W.A->Base->space() == AddressSpace::Private)
      continue;
    if (!checkIndex(W))
      return false;
    for (size_t J = 0; J < Sites.size(); ++J) {
      const AccessSite &X = Sites[J];
      if (X.A->Base != W.A->Base || (X.IsWrite && J < I) || X.Interval != W.Interval)
        continue;
      if (!checkPair(W, X))
        return false;
    }
  }
  return true;
}

LockstepItems::LockstepItems(const KernelAnalysis &A, uint8_t Along) {
  Legality(A, *this, Along).run();
}

const AccessSite *unorderedAccess(const KernelAnalysis &A, const Var &V) {
  for (const AccessSite &W : A.accesses())
    if (W.IsWrite && W.A->Base == &V)
      for (const AccessSite &X : A.accesses())
        if (X.A->Base == &V && X.Interval == W.Interval && A.conflict(W, X) != Conflict::No)
          return &X;
  return nullptr;
}

static uint8_t alongMemory(const KernelAnalysis &A) {
  std::optional<unsigned> D = A.contiguousDimension();
  return D ? 1u << *D : 7u;
}

LockstepItems::LockstepItems(const KernelAnalysis &A) : LockstepItems(A, alongMemory(A)) {}

bool mayBecomeLanes(const KernelAnalysis &A, const LockstepItems &Items) {
  return Items.legal() && A.contiguousDimension().has_value();
}

} // namespace clmali::model::pattern
