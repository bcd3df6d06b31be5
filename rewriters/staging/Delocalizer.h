//===-- rewriters/staging/Delocalizer.h - Inside delocalize ----------*- C++ -*-===//
//
// By subject: what holds at a location and how to express it (PathFacts.cpp), what the copies of a
// tile store (Copies.cpp), what a read of the tile reads (Reads.cpp), whether that was copied
// (Cover.cpp), and the pass itself (delocalize.cpp).
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_REWRITERS_STAGING_DELOCALIZER_H
#define CLMALI_REWRITERS_STAGING_DELOCALIZER_H

#include "checks/model/ir/Division.h"
#include "checks/model/pattern/LocalCopy.h"
#include "rewriters/lanes/Polynomials.h"
#include "rewriters/pass/Passes.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <map>
#include <set>

namespace clmali::rewrite {

/// The position of a statement.
struct Position {
  model::Stmt *Parent = nullptr;
  model::StmtList *In = nullptr;
  size_t Index = 0;
};

using model::Guard;

/// What is known at locations of a kernel, as polynomials.
class PathFacts {
public:
  PathFacts(model::Module &M, model::Kernel &K, const model::KernelAnalysis &A);

  model::Module &M;
  model::Kernel &K;
  const model::KernelAnalysis &A;
  llvm::DenseMap<const model::Stmt *, Position> Positions;
  /// Upper bounds of local ids that the launch must respect, by dimension.
  std::array<std::optional<int64_t>, 3> LocalMax;
  /// Further bounds of symbols.
  std::map<unsigned, model::Range> Bounds;
  /// The local size, where it is known; 0 elsewhere.
  std::array<uint64_t, 3> LocalSize = {0, 0, 0};

  std::vector<model::Stmt *> ancestors(const model::Stmt *S) const; ///< innermost first
  bool isInside(const model::Stmt *S, const model::Stmt *Of) const;

  /// Splits Cond into the conditions that all hold (negations resolved).
  static void split(const model::Expr *Cond, bool Holds, const model::Stmt *At,
                    std::vector<Guard> &Into);
  /// The guards of S: the conditions of branches and loops around it, up to Stop.
  std::vector<Guard> factsAt(const model::Stmt *S, const model::Stmt *Stop = nullptr) const;
  /// True if F compares two integers and neither side wraps: what it says of their polynomials as
  /// unbounded integers is right.
  bool isComparison(const Guard &F) const;
  /// True if the value of E, an integer, is that of its polynomial.
  bool isExact(const model::Expr *E) const;
  /// Polynomials that are not negative where F holds.
  void nonNegative(const Guard &F, std::vector<model::Poly> &Into) const;
  std::optional<int64_t> least(const model::Poly &P, const model::Poly *X = nullptr,
                               const model::Poly *Y = nullptr) const;
  /// True if T >= 0 wherever all of Known are. Assume: local ids may be bounded for that.
  bool prove(const model::Poly &T, llvm::ArrayRef<model::Poly> Known, bool Assume = false);

  unsigned localId(unsigned D) const { return Lid[D]; }
  unsigned globalId(unsigned D) const { return Gid[D]; }

  /// True if the variables of E are in scope at S.
  bool isVisible(const model::Expr *E, const model::Stmt *S) const;
  bool isValid(unsigned Symbol, const model::Stmt *S) const;
  /// P, computed in Ty, at S: in terms of variables in scope where that is shorter. Null: it cannot
  /// be expressed there.
  const model::Expr *express(model::Poly P, const model::Type *Ty, const model::Stmt *S);

  /// The limit on ids that answers of isExact rest on; 0: none.
  mutable int64_t IdsBelow = 0;

private:
  bool isExactCounter(const model::Var *V, Polynomials &Polys,
                      llvm::SmallPtrSetImpl<const model::Var *> &Asked) const;
  bool isExact(const model::Expr *E, Polynomials &Polys,
               llvm::SmallPtrSetImpl<const model::Var *> &Asked) const;
  std::optional<__int128> leastOf(const model::Monomial &Mono, int64_t C) const;
  std::array<unsigned, 3> Lid, Gid;
  void place(model::StmtList &B, model::Stmt *Parent);
  std::vector<model::Var *> inScope(const model::Stmt *S) const;
  /// A variable, or a product of two of them.
  struct Known {
    const model::Expr *E; ///< null: a product, which is made when it is used
    model::Poly P;
    unsigned First = 0, Second = 0; ///< of a product: indices of Candidates
  };
  /// What can be expressed at a location in a type.
  struct Expressible {
    std::vector<Known> Candidates;                         ///< the variables in scope
    std::map<model::Monomial, std::vector<unsigned>> With; ///< those with such a term
    llvm::DenseMap<unsigned, bool> Valid;                  ///< symbols
    bool Made = false;
  };
  std::map<std::pair<const model::Stmt *, const model::Type *>, Expressible> Expressibles;
  struct Summand {
    const model::Expr *E;
    int64_t C; ///< factor
  };
  Expressible &expressibleAt(const model::Stmt *S, const model::Type *Ty);
  std::vector<Known> productsIn(const model::Poly &P, Expressible &Say);
  bool isExpressible(Expressible &Say, unsigned Sym, const model::Stmt *S);
  int64_t lengthOf(Expressible &Say, const model::Monomial &Mono, int64_t C, const model::Stmt *S);
  std::vector<Summand> takeVariables(model::Poly &P, Expressible &Say, const model::Stmt *S);
  const model::Expr *sumOf(std::vector<Summand> Parts, int64_t Constant, const model::Type *Ty);
};

/// P with every symbol replaced at once.
model::Poly substituteAll(const model::Poly &P, llvm::function_ref<model::Poly(unsigned)> By);

using namespace model;

/// The symbol of an id that nothing determines: no result may depend on it.
inline constexpr unsigned Undetermined = 0xFFFFFF00;

inline bool mentions(const Poly &P, llvm::function_ref<bool(unsigned)> Which) {
  for (const auto &[Mono, C] : P.Terms)
    for (unsigned S : Mono)
      if (Which(S))
        return true;
  return false;
}
inline bool isUndetermined(const Poly &P) {
  return mentions(P, [](unsigned S) { return S >= Undetermined; });
}

/// True if L makes exactly the iterations that its condition admits.
bool runsWhole(const Stmt *L);

/// The value of each local id and of each iteration of the copy's loops.
using Mapping = std::map<unsigned, Poly>;

/// k / 18 and k % 18, which index a copy like separate ids: k == By * Q + R.
struct Part {
  unsigned Q = 0, R = 0; ///< symbols
  int64_t By = 1;
  Poly Of;         ///< k, in ids and earlier parts
  unsigned Id = 0; ///< the id that the others determine:
  Poly IdIs;
};

struct Copy {
  Stmt *S = nullptr;
  std::vector<Poly> Index;        ///< by dimension
  std::vector<Part> Parts;        ///< that Index is made of
  Mapping Atoms;                  ///< quotients and remainders, in ids and parts
  std::vector<Guard> Guards;      ///< between the block and the copy
  std::vector<Guard> OwnerGuards; ///< of Guards: those that only select the work-items that copy
  std::vector<Guard> DataGuards;  ///< the others
  Mapping Pins;                   ///< ids that guards fix
  bool MayKeepOlder =
      false; ///< elements that its guards exclude may hold an older iteration's copy
  llvm::DenseSet<unsigned> Rounds; ///< symbols of loops between the block and the copy
};

struct Read {
  Stmt *S;
  const Expr *Load;
  std::vector<Guard> Inside; ///< conditions of its own expression
};

struct Tile {
  Var *V;
  std::vector<Copy> Copies;
  std::vector<Read> Reads;
  bool Flat = false;       ///< rows are contiguous: some accesses run over their ends
  std::optional<Poly> Row; ///< flat index of rows of this length: a constant or a parameter
  StmtList *B = nullptr;
  Stmt *Barrier = nullptr;
};

/// The index of an element of a tile.
using Element = std::vector<int64_t>;

/// Whether the elements that are read were copied.
enum class Covered : uint8_t { Proved, Assumed, Never };

class Delocalizer : KernelEditor {
public:
  Delocalizer(const EditedKernel &E, WorkSize LocalSize, std::vector<RefusalAt> &Refusals,
              StagingNeeds *Needs)
      : KernelEditor(E), P(M, K, A), Recognizer(A), Refusals(Refusals), Needs(Needs) {
    P.LocalSize = LocalSize;
    walk(K.Body, [&](Stmt *S) {
      if (S->K != StmtKind::Decl && S->Acc.Base)
        Written.insert(S->Acc.Base);
      return true;
    });
  }
  unsigned run();
  unsigned tiles() const { return Tiles; } ///< in use before
  unsigned localize(unsigned MinGroup);

private:
  PathFacts P;
  pattern::CopyRecognizer Recognizer;
  std::vector<RefusalAt> &Refusals;
  StagingNeeds *Needs;
  unsigned Tiles = 0;
  llvm::DenseSet<const Var *> Written; ///< bases that the kernel writes
  std::map<std::pair<const Stmt *, const Expr *>, const Expr *> Replace;
  llvm::DenseSet<const Stmt *> Dead;
  std::vector<std::string> Obligations, Facts;
  std::vector<std::string> When;
  Mapping ReaderPins;   ///< the reader's ids, where a condition fixes them
  bool InIndex = false; ///< what is transformed is part of the index of a load
  bool Canonical =
      false; ///< build all expressions anew, so that equal values are equal expressions
  std::vector<Poly> Always; ///< not negative for any work-item
  std::vector<Poly> Here;   ///< not negative at the current read

  // delocalize.cpp: the pass.
  const char *PassName = "delocalize"; ///< for refusals
  void refuse(Refusal Why, const Var *V, const std::string &Detail, SourceRange At);
  bool find(Tile &T);
  bool placed(Tile &T);
  bool runsOverRows(const Tile &T);
  std::vector<Poly> indexOf(const Tile &T, const Access &Acc, const Stmt *At) const;
  static std::vector<uint64_t> lengths(const Tile &T);
  bool rewrite(Tile &T);
  void joinBranches();
  void findCacheBarriers();
  void dropBarriers();
  llvm::DenseSet<const Stmt *> ForCache; ///< barriers that stay
  std::vector<Var *> tilesInOrder() const;

  /// Exchange.cpp: what T is for where it holds values that the group exchanges.
  std::optional<std::string> exchange(const Tile &T) const;

  // Copies.cpp: what the copies store.
  bool copies(Tile &T);
  bool readsTile(const Expr *E, const Tile &T, unsigned Depth = 0);
  bool isCopy(const Expr *E, const Tile &T, const Stmt *At, Refusal &Why);
  bool describe(Tile &T, Copy &C);
  bool isIteration(unsigned S, llvm::ArrayRef<const Stmt *> Outer, bool Inside) const;
  bool checkIndex(const Tile &T, const Copy &C, const Poly &I, llvm::ArrayRef<const Stmt *> Outer);
  bool pin(Copy &C, const Poly &Q);
  bool classifyGuard(const Tile &T, Copy &C, const Guard &F, llvm::ArrayRef<const Stmt *> Outer,
                     llvm::function_ref<void(const Poly &)> Note);
  bool isId(const Copy &C, unsigned S) const;
  std::optional<Poly> divideOut(Copy &C, const Poly &X,
                                llvm::function_ref<void(const Poly &)> Note);
  std::optional<std::pair<Poly, Poly>> quotient(Copy &C, const Expr *Of, const Stmt *At,
                                                const Poly &X, int64_t By);
  const Copy *twice(const Tile &T);

  // Rows.cpp: rows of flat tiles.
  bool rows(Tile &T);
  void askForRows(const Copy &C);
  std::optional<std::vector<Poly>> divide(const Poly &Flat, const Poly &Row,
                                          llvm::ArrayRef<Poly> Known);
  std::optional<std::vector<Poly>> stored(const Tile &T, const Copy &C);

  // Reads.cpp: what a read reads.
  struct Condition {
    Op O;   ///< GE or EQ
    Poly X; ///< compared with 0
  };
  /// What a copy contributes to an element that is read.
  struct Answer {
    const Copy *C = nullptr;
    bool Never = false;          ///< it does not store it
    bool Exact = true;           ///< All, with Upper, is the complete condition for its storing it
    const Expr *Value = nullptr; ///< null: it cannot be expressed
    bool Asked = false;          ///< Value tests again whether it was copied
    std::vector<Condition> All, Open; ///< when it stores it; Open: of these, not known to hold
    std::vector<Condition> Upper;     ///< that its work-items exist
  };
  std::vector<Poly> known(const Read &R);
  Mapping itself(const Copy &C) const;
  std::pair<std::optional<unsigned>, int64_t> smallestFactor(const Copy &C, const Poly &I,
                                                             const Mapping &Map) const;
  std::optional<Mapping> solve(const Tile &T, const Copy &C, llvm::ArrayRef<Poly> Index,
                               bool *Never = nullptr);
  const Expr *transform(const Expr *E, const Stmt *From, const Mapping &Map, const Stmt *To,
                        unsigned Depth = 0);
  std::optional<const Expr *> transformInteger(const Expr *E, const Stmt *From, const Mapping &Map,
                                               const Stmt *To);
  std::optional<const Expr *> transformDivision(const Expr *E, const Stmt *From, const Mapping &Map,
                                                const Stmt *To, unsigned Depth);
  const Expr *compare(Op O, const Poly &X, const Stmt *S);
  const Expr *under(const Copy &C, const Expr *Value, const Mapping &Map, const Read &R,
                    llvm::ArrayRef<Poly> Known, bool &Fine, bool *Asked = nullptr);
  Answer answer(const Tile &T, const Copy &C, const Read &R, llvm::ArrayRef<Poly> Index,
                llvm::ArrayRef<Poly> Known);
  Mapping pinnedReader(const Copy &C, llvm::ArrayRef<Poly> Index,
                       llvm::ArrayRef<Poly> Stored) const;
  void require(Answer &Says, Op O, const Poly &X, llvm::ArrayRef<Poly> Known, bool Upper = false);
  void requireGuard(Answer &Says, const Guard &F, const Mapping &Map, llvm::ArrayRef<Poly> Known);
  bool agree(const Tile &T, const Copy &Main, const Copy &C);
  bool implied(const Guard &F, llvm::ArrayRef<Poly> Known);
  bool holds(const Condition &C, llvm::ArrayRef<Poly> Known);
  bool fails(const Condition &C, llvm::ArrayRef<Poly> Known);
  bool apart(const Answer &X, const Answer &Y, llvm::ArrayRef<Poly> Known);
  const Expr *joined(const Expr *Mine, const Expr *Value, llvm::ArrayRef<Condition> Conds,
                     const Read &R, llvm::ArrayRef<Poly> Known);
  const Expr *combinedWith(const Answer &Says, const Expr *Value, const Read &R,
                           llvm::ArrayRef<Answer> Answers, llvm::ArrayRef<Poly> Known,
                           std::string &Why);
  const Expr *combined(const Tile &T, const Read &R, llvm::ArrayRef<Answer> Answers,
                       llvm::ArrayRef<Poly> Known, std::string &Why);
  const Expr *valueAt(const Tile &T, const Read &R, std::string &Why);

  // Cover.cpp: was what is read copied?
  Covered covered(const Tile &T);
  bool provedByGuards(const Tile &T, const Read &R, bool &Tested);
  std::optional<Covered> coveredByEnumeration(const Tile &T, const Read &R,
                                              const std::set<Element> &Marked,
                                              std::array<uint64_t, 3> Size);
  std::optional<std::set<Element>> marked(const Tile &T);

  // localize.cpp: filled by async copies instead.
  std::map<const Stmt *, StmtList> Async; ///< instead of a barrier
  llvm::DenseSet<const Var *> Staged;
  /// A run of elements, or rows of one length, and where they come from.
  struct Run {
    bool Rows = false;
    int64_t First = 0, Last = 0, Row0 = 0, RowN = 0;
    const Copy *Main = nullptr;
    const Access *From = nullptr;
    Poly Start; ///< of a row: what its first column less First is copied from
  };
  bool runOf(const Tile &T, Run &R, std::string &Why);
  bool stage(Tile &T, unsigned MinGroup);
  std::optional<Poly> sourceOf(const Tile &T, const Copy &C, llvm::ArrayRef<Poly> Index,
                               const Access *&From);
};

/// Lower.cpp: copies of several elements at once (async_work_group_copy, vector stores of vector
/// loads) as loops over single elements, for Delocalizer to analyse. Returns the stores that it
/// made; empty: there was nothing to do.
llvm::DenseSet<const Stmt *> lowerCopies(const EditedKernel &E);

} // namespace clmali::rewrite
#endif
