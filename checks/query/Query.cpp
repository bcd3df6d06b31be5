//===- Query.cpp - queries on the model that several checks use -------------------------------===//

#include "checks/query/Query.h"
#include "checks/model/frontend/tolerant/DialectFixes.h"
#include "checks/model/frontend/tolerant/TokenScan.h"
#include "checks/query/Limits.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cmath>
#include <deque>
#include <functional>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

std::string checks::nameOf(const Access &A) { return "'" + A.Base->Name + A.Path + "'"; }

std::string checks::typeOf(const Access &A) {
  std::string Name = model::name(A.Elem).str();
  return A.Lanes > 1 ? Name + utostr(A.Lanes) : Name;
}

unsigned checks::widthInBytes(const Access &A) { return sizeInBytes(A.Elem) * A.Lanes; }

std::optional<int64_t> checks::constantStride(const KernelAnalysis &K, const Access &A,
                                              unsigned Dim) {
  std::optional<Poly> P = K.stride(A, Dim);
  if (!P || !P->isConstant())
    return std::nullopt;
  return P->constantTerm();
}

/// True for n - 1, or 63: x & mask is a remainder if n is a power of two.
static bool isMask(const Expr *E) {
  E = stripCasts(E);
  if (std::optional<int64_t> Mask = constantValue(E))
    return *Mask > 0 && isPowerOf2_64(uint64_t(*Mask) + 1);
  return E->K == ExprKind::Binary && E->O == Op::Sub && constantValue(stripCasts(E->Ops[1])) == 1;
}

/// dominantStep for an index or an address.
static std::optional<Poly> dominantStep(const KernelAnalysis &K, Poly P, unsigned Dim,
                                        unsigned Depth) {
  for (unsigned Round = 0; Round < 8; ++Round) {
    if (std::optional<Poly> Moves = K.stride(P, Dim))
      return Moves;
    std::optional<unsigned> Found;
    for (const auto &[Mono, C] : P.Terms)
      for (unsigned S : Mono)
        if (K.symbol(S).K == SymbolInfo::Atom && (K.symbol(S).Varies.Item >> Dim & 1))
          Found = S;
    const Expr *E = Found ? K.symbol(*Found).E : nullptr;
    if (!E || P.degree(*Found) != 1 || !E->Ty->isScalar() || !E->Ty->isInteger())
      return std::nullopt;
    const Stmt *At = K.placeOf(*Found);
    // A load at an index with stride 0 has stride 0: starts[i / 32] + i % 32.
    if (E->K == ExprKind::Load && Depth < 4) {
      auto Moves = [&](const Expr *Index) {
        std::optional<Poly> Step = dominantStep(K, K.poly(Index, At), Dim, Depth + 1);
        return !Step || !Step->isZero();
      };
      if (any_of(E->Acc.Index, Moves))
        return std::nullopt;
      P = P.substitute(*Found, Poly());
      continue;
    }
    if (E->K == ExprKind::Call && (E->Name == "clamp" || E->Name == "min" || E->Name == "max")) {
      // The other operands are bounds that do not change along Dim.
      const Expr *Moved = nullptr;
      for (const Expr *X : E->Ops)
        if (K.varies(X, At).Item >> Dim & 1) {
          if (Moved)
            return std::nullopt;
          Moved = X;
        }
      if (!Moved)
        return std::nullopt;
      P = P.substitute(*Found, K.poly(Moved, At));
      continue;
    }
    if (E->K != ExprKind::Binary)
      return std::nullopt;
    std::optional<int64_t> By = constantValue(stripCasts(E->Ops[1]));
    bool Masks = E->O == Op::And && isMask(E->Ops[1]),
         Shifts = E->O == Op::Shr && By && *By >= 0 && *By < 31;
    if (Masks && By)
      ++*By;
    if (Shifts)
      By = int64_t(1) << *By;
    if ((E->O != Op::Rem && E->O != Op::Div && !Masks && !Shifts) ||
        (By && *By < limits::RowElements))
      return std::nullopt;
    P = P.substitute(*Found, E->O == Op::Rem || Masks ? K.poly(E->Ops[0], At) : Poly());
  }
  return std::nullopt;
}

std::optional<int64_t> checks::dominantStride(const KernelAnalysis &K, const AccessSite &Site,
                                              unsigned Dim) {
  if (auto Exact = constantStride(K, *Site.A, Dim))
    return Exact;
  std::optional<Poly> Step = dominantStep(K, Site, Dim);
  return Step && Step->isConstant() ? std::optional(Step->constantTerm()) : std::nullopt;
}

std::optional<Poly> checks::dominantStep(const KernelAnalysis &K, const AccessSite &Site,
                                         unsigned Dim) {
  return ::dominantStep(K, Site.Bytes, Dim, 0);
}

bool checks::sameControl(const AccessSite &A, const AccessSite &B) {
  if (A.Loops != B.Loops || A.Guards.size() != B.Guards.size())
    return false;
  for (auto [X, Y] : zip(A.Guards, B.Guards))
    if (X.Cond != Y.Cond || X.Holds != Y.Holds)
      return false;
  return true;
}

bool checks::asksForIds(const KernelAnalysis &K) {
  return any_of(exprs(K.kernel().Body), [](const ExprAt &X) {
    return X->K == ExprKind::WorkItem &&
           (X->Query == WorkItemQuery::GlobalId || X->Query == WorkItemQuery::LocalId ||
            X->Query == WorkItemQuery::GroupId);
  });
}

bool checks::isAlike(const KernelAnalysis &K, const Poly &P) {
  return all_of(P.Terms, [&](const auto &Term) {
    return all_of(Term.first, [&](unsigned S) { return K.symbol(S).Varies.uniformInLaunch(); });
  });
}

bool checks::isUniform(const KernelAnalysis &K, const Poly &P) {
  return isAlike(K, P) && none_of(P.Terms, [&](const auto &Term) {
           return any_of(Term.first,
                         [&](unsigned S) { return K.symbol(S).K == SymbolInfo::LoopVar; });
         });
}

bool checks::isEarlier(const Kernel &K, SourceRange A, SourceRange B) {
  auto Outside = [&](SourceRange R) {
    return R.File != K.Range.File || R.Begin < K.Range.Begin || R.End > K.Range.End;
  };
  return std::make_tuple(Outside(A), A.File, A.Begin) <
         std::make_tuple(Outside(B), B.File, B.Begin);
}

const model::Field *checks::fieldOf(const Type *Ty, StringRef Part) {
  auto Field = find_if(
      Ty->Fields, [Name = Part.split('[').first](const model::Field &F) { return F.Name == Name; });
  return Ty->K == Type::Struct && Field != Ty->Fields.end() ? &*Field : nullptr;
}

bool checks::isUnknownValue(const Expr *E) {
  if (E->K != ExprKind::Call || E->Name != "native_exp2")
    return false;
  const Expr *Of = stripCasts(E->Ops[0]); // the front end's definition of the placeholder
  return Of->K == ExprKind::WorkItem && Of->Query == WorkItemQuery::GlobalId && Of->Dim == 0;
}

bool checks::isRegular(const KernelAnalysis &K, const Poly &P) {
  for (const auto &[M, Coefficient] : P.Terms)
    for (unsigned S : M) {
      // Data that is uniform in a work-group moves all its addresses equally.
      const Variation &V = K.symbol(S).Varies;
      if (V.Data && V.Item)
        return false;
    }
  return true;
}

bool checks::isRegular(const KernelAnalysis &K, const AccessSite &Site) {
  return isRegular(K, Site.Bytes);
}

bool checks::stepsByElement(const KernelAnalysis &K, const AccessSite &Site, int64_t Most) {
  if (Site.Loops.empty())
    return false;
  for (unsigned S = 0; S < K.numSymbols(); ++S) {
    const SymbolInfo &Info = K.symbol(S);
    bool Counts = Info.K == SymbolInfo::LoopVar || Info.K == SymbolInfo::Iteration;
    if (!Counts || Info.Loop != Site.Loops.back() || Site.Bytes.degree(S) != 1)
      continue;
    Poly Step = Site.Bytes.coefficient(S);
    if (Info.K == SymbolInfo::LoopVar)
      if (std::optional<CountedLoop> Loop = K.countedLoop(Info.Loop))
        Step = Step * Loop->Step; // 0 if the step is not a constant
    int64_t Element = sizeInBytes(Site.A->Elem);
    if (Step.isConstant() && !Step.isZero() && std::abs(Step.constantTerm()) <= Most * Element)
      return true;
  }
  return false;
}

/// True if each iteration of Loop assigns V before it uses V.
static bool beginsAnew(const Stmt *Loop, const Var *V) {
  // A variable that is declared in the loop carries no value to the next iteration.
  bool Declared = false;
  walk(Loop->Body, [&](Stmt *S) {
    Declared |= S->K == StmtKind::Decl && S->V == V;
    return !Declared;
  });
  if (Declared)
    return true;
  for (const Stmt *S : Loop->Body) {
    bool Uses = false;
    auto Look = [&](const Stmt &X) {
      Uses |= any_of(exprs(X),
                     [&](const ExprAt &At) { return At->K == ExprKind::VarRef && At->V == V; });
    };
    auto Gives = [&](const Stmt &X) {
      Look(X);
      return !Uses && X.K == StmtKind::Assign && X.V == V && X.LaneIdx.empty();
    };
    if (any_of(S->Init, [&](const Stmt *X) { return Gives(*X); }) || Gives(*S))
      return true;
    bool Assigns = false;
    forEachStmtList(*const_cast<Stmt *>(S), [&](StmtList &B) {
      walk(B, [&](Stmt *X) {
        Look(*X);
        Assigns |= X->K == StmtKind::Assign && X->V == V;
        return true;
      });
    });
    if (Uses || Assigns)
      return false;
  }
  return false;
}

/// The conditions under which a loop goes on: its own condition, or, for `do .. while (++i < 4)`
/// and `while (i--)`, those of its breaks.
static SmallVector<const Expr *, 2> testsOf(const Stmt *Loop) {
  if (Loop->E)
    return {Loop->E};
  SmallVector<const Expr *, 2> Tests;
  for (const Stmt *S : Loop->Body)
    if (S->K == StmtKind::If && S->Body.size() == 1 && S->Body[0]->K == StmtKind::Break &&
        S->Else.empty())
      Tests.push_back(S->E);
  return Tests;
}

/// True if Root is computed from constants only. (A loop that is not a counted loop then still has
/// a constant trip count.)
static bool fromConstants(const KernelAnalysis &K, const AccessSite &Site, const Expr *Root,
                          std::set<const Var *> &Seen) {
  bool Constant = true;
  walk(Root, [&](const Expr *E) {
    if (E->K == ExprKind::Load || E->K == ExprKind::Opaque || E->K == ExprKind::WorkItem ||
        (E->K == ExprKind::VarRef && E->V->K != Var::Temp))
      Constant = false;
    if (E->K != ExprKind::VarRef || E->V->K != Var::Temp || !Seen.insert(E->V).second)
      return Constant;
    for (const Stmt *Def : K.defs(E->V))
      Constant = Constant && (!Def->E || fromConstants(K, Site, Def->E, Seen));
    // If a loop changes the variable, its trip count must be constant, too.
    for (const Stmt *Loop : Site.Loops) {
      bool Changed = false;
      for (const StmtList *B : {&Loop->Body, &Loop->Step})
        walk(*B, [&](Stmt *S) {
          Changed |= S->K == StmtKind::Assign && S->V == E->V;
          return !Changed;
        });
      if (Changed && !beginsAnew(Loop, E->V))
        Constant = Constant && any_of(testsOf(Loop), [&](const Expr *Test) {
                     std::set<const Var *> SeenHere = Seen;
                     return fromConstants(K, Site, Test, SeenHere);
                   });
    }
    return Constant;
  });
  return Constant;
}

static bool comesFromMemory(const KernelAnalysis &K, const Expr *Root,
                            std::set<const Var *> &Seen) {
  bool Found = false;
  walk(Root, [&](const Expr *E) {
    Found |= E->K == ExprKind::Load || E->K == ExprKind::Opaque || E->K == ExprKind::Call;
    if (E->K == ExprKind::VarRef && Seen.insert(E->V).second)
      for (const Stmt *Def : K.defs(E->V))
        Found |= !Def->E || Def->K == StmtKind::Atomic || comesFromMemory(K, Def->E, Seen);
    return !Found;
  });
  return Found;
}

/// True if a loop has at most a few iterations, whatever its bound is: i < min(4, n), i < 4 && i <
/// n. A compiler unrolls it with an exit after each iteration.
static bool hasFewRounds(const KernelAnalysis &K, const Stmt *Loop) {
  std::optional<CountedLoop> L = K.countedLoop(Loop);
  if (!L || !L->Step || !L->V)
    return false;
  // The range of get_work_dim() is no bound that a compiler uses.
  if (const Expr *Bound = origin(K, L->Bound);
      Bound->K == ExprKind::WorkItem && Bound->Query == WorkItemQuery::WorkDim)
    return false;
  Range From = K.range(L->Lower, Loop), To = K.range(L->Bound, Loop);
  auto IsSmall = [](int64_t X) { return X > -(int64_t(1) << 31) && X < int64_t(1) << 31; };
  int64_t First = L->Step > 0 ? From.Lo : To.Lo, Last = L->Step > 0 ? To.Hi : From.Hi;
  return From.isConstant() && IsSmall(First) && IsSmall(Last) &&
         Last - First <= limits::ShortLoop * std::abs(L->Step);
}

/// The same for a variable with constant start and step, if a constant limits it in the loop's
/// condition: i < 4 && i < n.
static bool countsFew(const KernelAnalysis &K, const AccessSite &Site, const Expr *E) {
  E = E ? stripCasts(E) : nullptr;
  if (!E || E->K != ExprKind::VarRef || E->V->K != Var::Temp)
    return false;
  auto IsIt = [&](const Expr *X) {
    return stripCasts(X)->K == ExprKind::VarRef && stripCasts(X)->V == E->V;
  };
  std::optional<int64_t> First, Step;
  for (const Stmt *Def : K.defs(E->V)) {
    if (!Def->E)
      continue;
    const Expr *X = stripCasts(Def->E);
    std::optional<int64_t> *Into = &First;
    if (X->K == ExprKind::Binary && X->O == Op::Add && IsIt(X->Ops[0]))
      Into = &Step, X = X->Ops[1];
    std::optional<int64_t> Value = constantValue(X);
    if (!Value || *Into || *Value < 0)
      return false;
    *Into = Value;
  }
  if (!First || !Step || !*Step)
    return false;
  auto IsLimit = [&](const Expr *X, auto &&Self) -> bool {
    X = stripCasts(X);
    if (X->K == ExprKind::Binary && X->O == Op::LogicalAnd)
      return Self(X->Ops[0], Self) || Self(X->Ops[1], Self);
    std::optional<int64_t> Last = X->K == ExprKind::Binary && X->O == Op::LT && IsIt(X->Ops[0])
                                      ? constantValue(X->Ops[1])
                                      : std::nullopt;
    return Last && *Last - *First <= limits::ShortLoop * *Step;
  };
  return any_of(Site.Loops, [&](const Stmt *Loop) { return Loop->E && IsLimit(Loop->E, IsLimit); });
}

/// True if a loaded value decides whether V is assigned: if (in[i] > t) k++;
static bool dataDecide(const KernelAnalysis &K, const Var *V) {
  bool Found = false;
  auto Visit = [&](const StmtList &B, bool ByData, auto &&Self) -> void {
    for (Stmt *S : B) {
      Found |= ByData && S->K == StmtKind::Assign && S->V == V;
      std::set<const Var *> Seen;
      bool Decides = ByData || (S->K == StmtKind::If && comesFromMemory(K, S->E, Seen));
      forEachStmtList(*S, [&](StmtList &Nested) { Self(Nested, Decides, Self); });
    }
  };
  Visit(K.kernel().Body, false, Visit);
  return Found;
}

/// True if Loop contains a loop of unknown trip count.
static bool hasOpenLoop(const KernelAnalysis &K, const Stmt *Loop) {
  bool Found = false;
  walk(Loop->Body, [&](Stmt *S) {
    if (S->K == StmtKind::Loop)
      if (std::optional<CountedLoop> L = K.countedLoop(S); !L || !L->TripCount)
        Found = true;
    return !Found;
  });
  return Found;
}

std::string checks::whyUnknown(const KernelAnalysis &K, const AccessSite &Site) {
  for (const auto &[M, Coefficient] : Site.Bytes.Terms)
    for (unsigned S : M) {
      const SymbolInfo &Info = K.symbol(S);
      switch (Info.K) {
      case SymbolInfo::WorkItem:
        return "a work-item's id";
      case SymbolInfo::Param:
        return "an argument";
      case SymbolInfo::LoopVar: {
        std::optional<CountedLoop> L = K.countedLoop(Info.Loop);
        // A loop with an early exit can still be unrolled.
        std::set<const Var *> Seen;
        if ((!L || !L->TripCount) && !hasFewRounds(K, Info.Loop) && !countsFew(K, Site, Info.E) &&
            !(Info.E && fromConstants(K, Site, Info.E, Seen)))
          return "a loop whose length is not known";
        if (L && L->TripCount && *L->TripCount > limits::UnrolledOuter && hasOpenLoop(K, Info.Loop))
          return "a loop of " + itostr(*L->TripCount) + " rounds around another one";
        break;
      }
      default:
        if (std::set<const Var *> Seen; Info.E && Info.Varies.uniformInLaunch() &&
                                        !Info.Varies.Data && fromConstants(K, Site, Info.E, Seen))
          break;
        if (countsFew(K, Site, Info.E))
          break;
        if (Info.Varies.Data) {
          // A value that an opaque statement may have changed is unknown, but it is not data.
          std::set<const Var *> Found;
          if (!K.kernel().Opaques.empty() && Info.E && Info.E->K == ExprKind::VarRef &&
              !comesFromMemory(K, Info.E, Found) && !dataDecide(K, Info.E->V))
            break;
          return "data";
        }
        return "a value that is not known at compile time";
      }
    }
  return "";
}

bool checks::exclude(const AccessSite &A, const AccessSite &B) {
  return any_of(A.Guards, [&](const Guard &G) {
    return any_of(B.Guards, [&](const Guard &H) { return G.Cond == H.Cond && G.Holds != H.Holds; });
  });
}

static bool mentions(const std::set<StringRef> &Names, StringRef Text) {
  if (Names.empty())
    return false;
  while (!Text.empty()) {
    StringRef Word = Text.take_while([](char C) { return isAlnum(C) || C == '_'; });
    if (Names.count(Word))
      return true;
    Text = Text.drop_front(std::max<size_t>(Word.size(), 1));
  }
  return false;
}

bool checks::isOfImages(const OpaqueNote &N) {
  StringRef What = N.What;
  return What == "image access" || What.starts_with("sampler") ||
         (What.starts_with("parameter of type") &&
          (What.contains("image") || What.contains("sampler")));
}

StringRef checks::unparsedText(const Module &M, const OpaqueNote &N) {
  if (N.What != "text that did not parse" || !N.Range.isValid() || N.Range.File >= M.Files.size())
    return "";
  StringRef Text = M.Files[N.Range.File].Text;
  size_t Before = Text.take_front(N.Range.Begin).find_last_of(";{}");
  return Text.slice(Before == StringRef::npos ? 0 : Before + 1,
                    Text.find_first_of(";{}", N.Range.End));
}

static bool touchesBuffers(const OpaqueNote &N) {
  StringRef What = N.What;
  return !isOfImages(N) && What != "sub-group function" && What != "work-group function" &&
         What != "printf of what is no number" && What != "pointer as a condition" &&
         What != "vectors of float with double"; // a note on text that did not parse
}

/// True if the opaque call writes to a variable, not to a buffer: fract(x, &whole), sincos(x,
/// &cosine).
static bool writesVariable(const Module &M, const OpaqueNote &N) {
  if (!is_contained({"fract", "modf", "frexp", "sincos", "remquo", "lgamma_r"}, N.What) ||
      !N.Range.isValid() || N.Range.File >= M.Files.size())
    return false;
  StringRef Text = StringRef(M.Files[N.Range.File].Text).slice(N.Range.Begin, N.Range.End).rtrim();
  if (!Text.consume_back(")"))
    return false;
  StringRef Last =
      Text.drop_front(Text.rfind(',') == StringRef::npos ? Text.size() : Text.rfind(',') + 1)
          .trim();
  return Last.consume_front("&") && isName(Last.ltrim());
}

bool checks::opaqueTouchesBuffers(const Kernel &K) { return any_of(K.Opaques, touchesBuffers); }

unsigned checks::functionOf(const Kernel &K, SourceRange R) {
  auto Holds = [&](SourceRange F) {
    return F.File == R.File && F.Begin <= R.Begin && R.End <= F.End;
  };
  return unsigned(llvm::find_if(K.HelperRanges, Holds) - K.HelperRanges.begin());
}

bool checks::goesThroughLaunch(const KernelAnalysis &K, const Stmt *Loop) {
  bool Found = false;
  auto Look = [&](const Expr *Root, unsigned Depth, auto &&Self) -> void {
    walk(Root, [&](const Expr *E) {
      Found |= E->K == ExprKind::WorkItem &&
               (E->Query == WorkItemQuery::GlobalSize || E->Query == WorkItemQuery::NumGroups);
      if (E->K == ExprKind::VarRef && Depth < 4)
        if (const Stmt *Def = K.singleDef(E->V); Def && Def->E)
          Self(Def->E, Depth + 1, Self);
      return !Found && E->K != ExprKind::Load;
    });
  };
  for (const StmtList *B : {&Loop->Step, &Loop->Body})
    for (const Stmt *X : *B)
      if (X->K == StmtKind::Assign && K.defs(X->V).size() > 1)
        Look(X->E, 0, Look);
  return Found;
}

bool checks::isRowOfLaunch(const KernelAnalysis &K, const AccessSite &Site) {
  auto Coefficient = [&](unsigned Dim) -> int64_t {
    for (const auto &[M, Bytes] : Site.Bytes.Terms)
      if (M.size() == 1)
        if (const SymbolInfo &Info = K.symbol(M.front());
            Info.K == SymbolInfo::WorkItem && Info.E->Query == WorkItemQuery::GlobalId &&
            Info.E->Dim == Dim)
          return Bytes;
    return 0;
  };
  int64_t Element = widthInBytes(*Site.A);
  return Coefficient(0) > Element && (Coefficient(1) == Element || Coefficient(2) == Element);
}

bool checks::mayAlias(const Access &A) { return A.Base->isPointerParam() && !A.Base->Ty->Restrict; }

bool checks::mayChange(const Access &W, const Access &A) {
  auto Unsigned = [](ScalarKind K) {
    switch (K) {
    case ScalarKind::Char:
      return ScalarKind::UChar;
    case ScalarKind::Short:
      return ScalarKind::UShort;
    case ScalarKind::Int:
      return ScalarKind::UInt;
    case ScalarKind::Long:
      return ScalarKind::ULong;
    default:
      return K;
    }
  };
  ScalarKind Stored = Unsigned(W.Elem);
  return W.Base != A.Base && (Stored == Unsigned(A.Elem) || Stored == ScalarKind::UChar) &&
         mayAlias(W) && mayAlias(A);
}

bool checks::swapsPointers(const Kernel &K) {
  return any_of(K.Opaques,
                [](const OpaqueNote &N) { return N.What == "pointer that changes its buffer"; });
}

bool checks::opaqueTouches(Context &C, const Kernel &K, const Var &Buffer) {
  return any_of(K.Opaques, [&](const OpaqueNote &N) {
    StringRef Text = unparsedText(C.module(), N);
    // v[i] names its vector, usually a variable.
    if (N.What == "vector component chosen at run time")
      Text = C.text(N.Range);
    // The statements around a goto are in the model.
    return N.What != "goto" && touchesBuffers(N) && !writesVariable(C.module(), N) &&
           (Text.empty() || mentions({StringRef(Buffer.Name)}, Text));
  });
}

bool checks::takesWholeVectors(const KernelAnalysis &K) {
  return any_of(K.accesses(),
                [](const AccessSite &A) {
                  return A.A->Lanes >= 4 && A.A->Base->space() == AddressSpace::Global;
                }) ||
         any_of(K.kernel().Params,
                [](const Var *P) {
                  return P->Ty->K == Type::Other && StringRef(P->Ty->Name).contains("image");
                }) ||
         any_of(K.kernel().Opaques, [](const OpaqueNote &N) {
           return StringRef(N.What).contains("sub-group") ||
                  StringRef(N.What).contains("sub_group");
         });
}

constexpr StringLiteral GuessNote = "the host defines macros that were not given; taken as ";

/// True if Text contains one of Names. A template placeholder counts as the name that replaces it.
static bool mentionsFilled(const std::set<StringRef> &Names, StringRef Text) {
  std::string Filled;
  return mentions(Names, Text) ||
         (Text.find_first_of("%$") != StringRef::npos && model::namePlaceholders(Text, Filled) &&
          mentions(Names, Filled));
}

/// Names of macros with guessed values, and of macros that the file computes from them (#define
/// SIZE (GROUPS * 32)).
static const std::set<StringRef> &guessedNumbers(const Module &M) {
  // Called for each access: the last result is cached.
  struct Last {
    const Module *Of = nullptr;
    std::vector<std::string> Notes;
    const char *Text = nullptr;
    std::set<StringRef> Names;
    std::deque<std::string> Held;
  };
  static thread_local Last L;
  const char *Text = M.Files.empty() ? nullptr : M.Files.front().Text.data();
  if (L.Of == &M && L.Text == Text && L.Notes == M.Notes)
    return L.Names;
  L = Last{&M, M.Notes, Text, {}, {}};
  std::set<StringRef> Result;
  for (StringRef N : M.Notes) {
    if (!N.consume_front(GuessNote))
      continue;
    SmallVector<StringRef, 8> Parts;
    N.split(Parts, ", ");
    for (StringRef P : Parts)
      if (auto [Name, Value] = P.split('='); !Value.empty() && all_of(Value, isDigit))
        Result.insert(L.Held.emplace_back(Name.str()));
  }
  for (size_t Before = 0; !Result.empty() && Before != Result.size();) {
    Before = Result.size();
    for (const SourceFile &File : M.Files)
      for (StringRef Rest = File.Text; Rest.contains("#define");) {
        Rest = Rest.drop_front(Rest.find("#define") + 7);
        size_t End = Rest.find('\n');
        while (End != StringRef::npos && Rest.take_front(End).rtrim("\r").ends_with("\\"))
          End = Rest.find('\n', End + 1);
        StringRef Line = Rest.take_front(End).ltrim();
        StringRef Name = Line.take_while([](char C) { return isAlnum(C) || C == '_'; });
        StringRef Body = Line.drop_front(Name.size());
        if (!Name.empty() && !Body.starts_with("(") && !Result.count(Name) &&
            mentionsFilled(Result, Body))
          Result.insert(L.Held.emplace_back(Name.str()));
      }
  }
  L.Names = std::move(Result);
  return L.Names;
}

bool checks::hasGuessedNumbers(const Module &M) { return !guessedNumbers(M).empty(); }

bool checks::mentionsGuess(const Module &M, StringRef Text) {
  return mentionsFilled(guessedNumbers(M), Text);
}

bool checks::isGuessedNumber(const Module &M, const Expr *E) {
  const std::set<StringRef> &Names = guessedNumbers(M);
  bool Found = false;
  if (!Names.empty())
    walk(E, [&](const Expr *X) {
      Found |= X->K == ExprKind::IntConst && Names.count(X->Text);
      return !Found;
    });
  return Found;
}

bool checks::hasGuessedFloats(const Module &M) {
  return any_of(M.Notes, [](StringRef N) {
    return N.starts_with("the host defines macros that were not given") && N.contains("=float");
  });
}

bool checks::mentionsGuessedText(const Module &M, StringRef Text) {
  std::set<StringRef> Names;
  for (StringRef N : M.Notes)
    if (N.consume_front(GuessNote))
      for (StringRef Rest = N; Rest.contains("(...)=");) {
        auto [Before, After] = Rest.split("(...)=");
        if (After.empty() || After.starts_with(",") || After.starts_with("(__VA_ARGS__)"))
          Names.insert(
              Before.drop_front(Before.find_last_of(" ,") + 1)); // npos + 1: from the start
        Rest = After;
      }
  return mentions(Names, Text);
}

bool checks::mentionsGuessedType(const Module &M, StringRef Text) {
  for (StringRef N : M.Notes) {
    if (!N.consume_front(GuessNote))
      continue;
    std::set<StringRef> Names;
    SmallVector<StringRef, 8> Parts;
    N.split(Parts, ", ");
    for (StringRef P : Parts)
      if (auto [Name, Value] = P.split('='); !Value.empty() && isAlpha(Value.front()))
        Names.insert(Name);
    if (mentions(Names, Text))
      return true;
  }
  return false;
}

static bool restOnGuess(const Module &M, const KernelAnalysis &K, ArrayRef<const Expr *> Roots) {
  const std::set<StringRef> &Names = guessedNumbers(M);
  if (Names.empty())
    return false;
  std::set<const Var *> Seen;
  bool Found = false;
  std::function<void(const Expr *)> Look = [&](const Expr *E) {
    walk(E, [&](const Expr *X) {
      Found |= X->K == ExprKind::IntConst && Names.count(X->Text);
      if (X->K == ExprKind::VarRef && Seen.insert(X->V).second)
        for (const Stmt *Def : K.defs(X->V))
          if (Def->E)
            Look(Def->E);
      return !Found;
    });
  };
  for (const Expr *E : Roots)
    if (E)
      Look(E);
  return Found;
}

bool checks::restsOnGuess(const Module &M, const KernelAnalysis &K, const Expr *E) {
  return restOnGuess(M, K, E);
}

bool checks::restsOnGuess(const Module &M, const KernelAnalysis &K, const AccessSite &Site) {
  SmallVector<const Expr *, 8> Roots(Site.A->Index.begin(), Site.A->Index.end());
  for (const Guard &G : Site.Guards)
    Roots.push_back(G.Cond);
  return restOnGuess(M, K, Roots);
}

bool checks::restsOnGuess(const Module &M, const KernelAnalysis &K, const CountedLoop &L) {
  return restOnGuess(M, K, {L.Lower, L.Bound, L.StepExpr});
}

const Conditions &checks::conditions(Context &C) {
  return C.cached<Conditions>([&] {
    Conditions Result;
    std::vector<const Stmt *> Around;
    auto Visit = [&](const StmtList &B, auto &&Self) -> void {
      for (Stmt *S : B) {
        Result[S] = Around;
        bool Decides = S->K == StmtKind::If || S->K == StmtKind::Loop;
        if (Decides)
          Around.push_back(S);
        forEachStmtList(*S, [&](StmtList &Nested) { Self(Nested, Self); });
        if (Decides)
          Around.pop_back();
      }
    };
    Visit(C.analysis().kernel().Body, Visit);
    return Result;
  });
}

std::map<const Expr *, unsigned> checks::componentLoads(const Kernel &K) {
  std::map<const Expr *, unsigned> Result;
  for (ExprAt X : exprs(K.Body))
    if (X->K == ExprKind::Swizzle && X->LaneIdx.size() == 1 && X->Ops[0]->K == ExprKind::Load)
      Result[X->Ops[0]] = X->LaneIdx[0];
  return Result;
}

const Leaves &checks::leaves(Context &C) {
  return C.cached<Leaves>([&] {
    Leaves Result;
    std::vector<const Stmt *> Around; // the loop, and the branches in it
    auto Visit = [&](const StmtList &B, auto &&Self) -> void {
      for (Stmt *S : B) {
        bool Leaves =
            S->K == StmtKind::Break || S->K == StmtKind::Continue || S->K == StmtKind::Return;
        if (Leaves && !Around.empty())
          Result[Around.front()].insert(Result[Around.front()].end(), Around.begin() + 1,
                                        Around.end());
        std::vector<const Stmt *> Outer = Around;
        if (S->K == StmtKind::Loop)
          Around = {S};
        else if (S->K == StmtKind::If && !Around.empty())
          Around.push_back(S);
        forEachStmtList(*S, [&](StmtList &Nested) { Self(Nested, Self); });
        Around = std::move(Outer);
      }
    };
    Visit(C.analysis().kernel().Body, Visit);
    return Result;
  });
}

uint64_t checks::knownRounds(const Module &M, const KernelAnalysis &K, const Conditions &Around,
                             const Stmt *S) {
  uint64_t N = 1;
  if (auto Found = Around.find(S); Found != Around.end())
    for (const Stmt *Loop : Found->second)
      if (Loop->K == StmtKind::Loop)
        if (std::optional<CountedLoop> L = K.countedLoop(Loop);
            L && L->TripCount && *L->TripCount > 0 && !restsOnGuess(M, K, *L))
          N = std::min(N * std::min<uint64_t>(*L->TripCount, limits::Iterations),
                       limits::Iterations);
  return N;
}

bool checks::hasOpaque(const Expr *E) {
  bool Found = false;
  walk(E, [&](const Expr *X) {
    Found |= X->K == ExprKind::Opaque;
    return !Found;
  });
  return Found;
}

std::string checks::listOf(ArrayRef<std::string> Parts) {
  std::string Result;
  for (size_t I = 0; I < Parts.size(); ++I)
    Result += (I == 0 ? "" : I + 1 == Parts.size() ? " and " : ", ") + Parts[I];
  return Result;
}

std::string checks::percent(double Part, double Whole) {
  double P = 100 * Part / Whole;
  std::string Text = P == std::floor(P) ? formatv("{0:F0}", P).str() : formatv("{0:F2}", P).str();
  return Text + " %";
}
