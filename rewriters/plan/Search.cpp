//===-- rewriters/plan/Search.cpp - Which candidates are evaluated -----------===//
//
// Shapes first: lanes along memory, then more and more rows as long as they help. Then row counts
// between the powers of two, next to the best shape. Then the best shapes once more, finished in
// other ways: overlapping loads united, innermost loops unrolled, reductions in lanes.
//
//===----------------------------------------------------------------------===//

#include "checks/model/ir/Traversal.h"
#include "rewriters/pass/LaunchUse.h"
#include "rewriters/pass/Passes.h"
#include "rewriters/plan/Planner.h"
#include "llvm/ADT/STLExtras.h"

namespace clmali::rewrite {

using namespace model;

/// More rows are tried only if the last step saved this share of the cost.
static constexpr double StillFewer = 0.99;
/// A row count that is no power of two leaves more remainders: it must save more.
static constexpr double BetweenFewer = 0.97;

/// The most rows along a dimension.
static constexpr unsigned MostRows = 8;

/// A shape without lanes: rows may be along any dimension.
static Choice singleItems() {
  Choice How;
  How.Shape.LaneDim = 3;
  return How;
}

static bool hasLoop(const Kernel &K) {
  return llvm::any_of(stmts(K.Body), [](const Stmt *S) { return S->K == StmtKind::Loop; });
}

static bool readsImages(const Kernel &K) {
  return llvm::any_of(exprs(K.Body), [](ExprAt X) { return X->K == ExprKind::ImageRead; });
}

//===----------------------------------------------------------------------===//
// Shapes
//===----------------------------------------------------------------------===//

void Planner::search() {
  const bool Named = Context.named() && Context.allows("exchange-images");
  search(Named);
  if (Options.ExchangesImages && !Named &&
      llvm::none_of(Evaluated, [&](const auto &T) { return pays(T, Before); }))
    searchExchanged();
  if (Options.Block.any() && Evaluated.empty())
    refuseBlock();
}

/// Only where nothing else pays: where the objects cannot be exchanged, the original runs.
void Planner::searchExchanged() {
  std::deque<Base> Plain = std::move(Bases);
  std::vector<EvaluatedCandidate> OfPlain = std::move(Evaluated);
  Bases.clear();
  Evaluated.clear();
  Last.From = nullptr; // it points to one of those
  search(/*Exchange=*/true);
  if (!Evaluated.empty())
    return;
  Bases = std::move(Plain);
  Evaluated = std::move(OfPlain);
}

void Planner::search(bool Exchange) {
  makeBases(Exchange);
  searchShapes();
  rank(Evaluated, D);
  searchBetween();
  rank(Evaluated, D);
  searchFinishes();
}

/// What removes local memory that is ordinary memory ranks first: the other bases are searched
/// only where none of those pays.
void Planner::searchShapes() {
  OnlyStaged = !D.LocalOnChip && !Context.chosen() && !Options.Diverse;
  for (const Base &B : Bases)
    if (searched(B))
      searchShapes(B);
  if (!OnlyStaged || llvm::any_of(Evaluated, [&](const auto &T) { return pays(T, Before); }))
    return;
  OnlyStaged = false;
  for (const Base &B : Bases)
    if (!B.staged())
      searchShapes(B);
}

void Planner::searchShapes(const Base &B) {
  if (Options.Block.any()) {
    for (const BlockShape &S : shapesWanted(B)) {
      Choice How;
      How.Shape = S;
      evaluate(B, How);
    }
    return;
  }
  std::optional<unsigned> Dim = B.State.Contiguous;
  if (Context.allows("vectorize") && Dim)
    for (unsigned Lanes : {16u, 8u, 4u, 2u}) {
      Choice How;
      How.Shape.LaneDim = *Dim;
      How.Shape.Lanes = Lanes;
      searchRows(B, How);
    }
  if (!B.onlyLanes())
    searchRows(B, singleItems());
  searchPhases(B);
}

/// Blocks of work-items of all remainders, where the kernel computes remainders of ids.
void Planner::searchPhases(const Base &B) {
  if (!Context.allows("vectorize") || !Context.allows("coarsen") || !B.State.Contiguous)
    return;
  for (unsigned Lanes : {16u, 8u, 4u}) {
    Choice How;
    How.Shape.LaneDim = *B.State.Contiguous;
    How.Shape.Lanes = Lanes;
    How.Shape.Phases = B.Phases;
    if (How.Shape.phases() > 1 && Lanes * How.Shape.phases() <= MostItems)
      evaluate(B, How);
  }
}

/// How without rows, then with more and more of them along each dimension.
void Planner::searchRows(const Base &B, Choice How) {
  std::optional<double> One = evaluate(B, How);
  if (!Context.allows("coarsen"))
    return;
  const BlockShape Plain = How.Shape;
  for (unsigned R = 0; R < Context.Dims; ++R) {
    if ((R == Plain.LaneDim && Plain.Lanes > 1) || !itemsDifferAlong(K, R))
      continue;
    std::optional<double> Fewer = One;
    for (unsigned Count : {2u, 4u, 8u}) {
      How.Shape = Plain;
      How.Shape.Rows[R] = Count;
      if (Count * Plain.Lanes > MostItems)
        break;
      std::optional<double> PerItem = evaluate(B, How);
      // Where candidates are measured, the model does not end the search.
      if (PerItem && Fewer && *PerItem > *Fewer * StillFewer && !Options.Diverse)
        break;
      Fewer = PerItem;
    }
  }
  // Windows of an image overlap along both dimensions.
  if (Plain.Lanes > 1 || !readsImages(K) || !itemsDifferAlong(K, 0) || !itemsDifferAlong(K, 1))
    return;
  for (auto [Columns, Rows] : {std::pair(2u, 2u), std::pair(4u, 2u)}) {
    How.Shape = Plain;
    How.Shape.Rows = {Columns, Rows, 1};
    evaluate(B, How);
  }
}

/// Evaluates Count rows along Dim. False, and nothing added, unless it is better than the best.
bool Planner::tryBetween(const Base &B, BlockShape S, unsigned Dim, unsigned Count) {
  Choice How;
  How.Shape = S;
  How.Shape.Rows[Dim] = Count;
  std::optional<double> PerItem = evaluate(B, How);
  if (!PerItem || *PerItem <= Evaluated.front().perItem() * BetweenFewer || Options.Diverse)
    return PerItem.has_value();
  Evaluated.pop_back();
  return false;
}

/// Row counts between the powers of two, next to the best shape: where four rows fit the registers
/// and eight do not, five or six may. Not along memory, where they would leave accesses unaligned.
void Planner::searchBetween() {
  if (!Context.allows("coarsen") || Evaluated.empty() || Options.Block.any())
    return;
  const Base &B = *Evaluated.front().From;
  const BlockShape Best = Evaluated.front().shape();
  for (unsigned R = 0; R < Context.Dims; ++R) {
    if (R == B.State.Contiguous.value_or(0) || (R == Best.LaneDim && Best.Lanes > 1) ||
        !itemsDifferAlong(K, R))
      continue;
    auto Better = [&](unsigned Count) { return tryBetween(B, Best, R, Count); };
    unsigned Rows = Best.Rows[R];
    // As many as there are leave no remainder.
    if (uint64_t All = Context.launch().LargestGlobal[R]; All > 1 && All < MostRows)
      Better(All);
    else if (Rows > 1 && !(Rows < 8 && Better(Rows + Rows / 2)) && !(Rows == 4 && Better(5)) &&
             Rows > 2)
      Better(Rows - Rows / 4);
  }
}

//===----------------------------------------------------------------------===//
// Ways to finish a block
//===----------------------------------------------------------------------===//

/// The best shapes again, finished in other ways.
void Planner::searchFinishes() {
  constexpr size_t BestShapes = 10, BestToMeasure = 16;
  std::vector<Choice> Ways;
  if (Context.allows("merge-loads")) {
    Ways.emplace_back().Overlap = true;
    if (hasLoop(K))
      for (unsigned Inner : {4u, 2u})
        Ways.emplace_back().Inner = Inner;
  }
  size_t Most = std::min(Evaluated.size(), Options.Diverse ? BestToMeasure : BestShapes);
  std::vector<std::pair<const Base *, BlockShape>> Best;
  for (size_t I = 0; I < Most; ++I)
    Best.push_back({Evaluated[I].From, Evaluated[I].shape()});
  // Work-items as they are, where nothing but these ways changes them: they have not been
  // evaluated.
  for (const Base &B : Bases)
    if (searched(B) && !B.onlyLanes() && llvm::none_of(Evaluated, [&](const auto &T) {
          return T.From == &B && sameShape(T.shape(), singleItems().Shape);
        }))
      Best.push_back({&B, singleItems().Shape});
  for (auto &[B, S] : Best)
    for (Choice How : Ways) {
      How.Shape = S;
      evaluate(*B, How);
    }
  searchSums();
  searchWalks();
}

/// A work-item that walks along memory by itself.
void Planner::searchWalks() {
  if (!hasLoop(K) || !Context.allows("merge-loads"))
    return;
  for (const Base &B : Bases) {
    if (B.onlyLanes() || !searched(B))
      continue;
    for (unsigned Inner : {16u, 8u, 4u}) {
      Choice How = singleItems();
      How.Inner = Inner;
      evaluate(B, How);
    }
  }
}

/// Reduction loops, several iterations at once: by one work-item, or by rows of work-items that
/// share what they load.
void Planner::searchSums() {
  if (!Context.allows("vectorize"))
    return;
  for (const Base &B : Bases) {
    if (B.onlyLanes() || !searched(B))
      continue;
    Kernel *Probe = cloneKernel(Context.M, B.State.kernel(), K.Name);
    if (!sumInLanes({Context.M, *Probe}, 2, Options.ReassociateFloat))
      continue;
    for (unsigned Sums : {16u, 8u, 4u})
      searchSums(B, Sums);
  }
}

void Planner::searchSums(const Base &B, unsigned Sums) {
  constexpr unsigned MostLanes = 64; // rows times iterations
  Choice How = singleItems();
  How.Sums = Sums;
  if (Options.Block.any()) {
    for (const BlockShape &S : shapesWanted(B)) {
      How.Shape = S;
      if (S.Lanes == 1 && S.rows() * Sums <= MostLanes)
        evaluate(B, How);
    }
    return;
  }
  std::optional<double> One = evaluate(B, How);
  for (unsigned R = 0; R < Context.Dims && One && Context.allows("coarsen"); ++R) {
    std::optional<double> Fewer = itemsDifferAlong(K, R) ? One : std::nullopt;
    for (unsigned Count : {2u, 4u, 8u}) {
      Choice More = How;
      More.Shape.Rows[R] = Count;
      std::optional<double> PerItem =
          Fewer && Count * Sums <= MostLanes ? evaluate(B, More) : std::nullopt;
      if (!PerItem || (*PerItem > *Fewer * StillFewer && !Options.Diverse))
        break;
      Fewer = PerItem;
    }
  }
}

} // namespace clmali::rewrite
