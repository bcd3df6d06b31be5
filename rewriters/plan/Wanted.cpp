//===-- rewriters/plan/Wanted.cpp - The block that the user demands ----------===//
//
// --shape=COLUMNSxROWS: Columns work-items along the dimension that walks along memory (dimension 0
// where none does) and Rows along the others become one. Columns are lanes (vectorize) or repeated
// (coarsen), rows are repeated; all other passes are as free as without a demand. With
// --passes=vectorize:N,coarsen:N the number of lanes and of repetitions is demanded.
//
//===----------------------------------------------------------------------===//

#include "rewriters/pass/LaunchUse.h"
#include "rewriters/plan/Planner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

namespace clmali::rewrite {

using namespace model;

/// The dimension of the columns.
static unsigned alongMemory(const Base &B) { return B.State.Contiguous.value_or(0); }

/// Work-items along all dimensions but Along.
static unsigned across(const BlockShape &S, unsigned Along) {
  unsigned Items = 1;
  for (unsigned D = 0; D < 3; ++D)
    Items *= D == Along ? 1 : S.factor(D);
  return Items;
}

/// The dimensions that work-items differ along, without Dim.
std::vector<unsigned> Planner::dimensionsBut(unsigned Dim) const {
  std::vector<unsigned> Dims;
  for (unsigned D = 0; D < Context.Dims; ++D)
    if (D != Dim && itemsDifferAlong(K, D))
      Dims.push_back(D);
  return Dims;
}

bool Planner::isWanted(const Base &B, const BlockShape &S) const {
  const WantedBlock &W = Options.Block;
  unsigned Along = alongMemory(B);
  return (!W.Lanes || S.Lanes == W.Lanes) && (!W.Coarsened || S.rows() == W.Coarsened) &&
         (!W.Columns || (S.factor(Along) == W.Columns && across(S, Along) == W.Rows));
}

static bool tooLarge(const WantedBlock &W) {
  return uint64_t(W.Columns) * W.Rows > MostItems || W.Coarsened > MostItems;
}

/// S with Product rows, in each way to distribute them over Dims.
static void distribute(BlockShape S, llvm::ArrayRef<unsigned> Dims, unsigned Product,
                       std::vector<BlockShape> &Shapes) {
  if (Dims.empty()) {
    if (Product == 1)
      Shapes.push_back(S);
    return;
  }
  for (unsigned Rows = 1; Rows <= Product; ++Rows)
    if (Product % Rows == 0) {
      S.Rows[Dims.front()] = Rows;
      distribute(S, Dims.drop_front(), Product / Rows, Shapes);
    }
}

/// The lanes of S with the rows that are demanded, or without and with rows where none are.
std::vector<BlockShape> Planner::rowsWanted(BlockShape S, unsigned AlongMemory) const {
  const WantedBlock &W = Options.Block;
  std::vector<BlockShape> Shapes;
  if (W.Columns) {
    if (S.Lanes == 1)
      S.Rows[AlongMemory] = W.Columns;
    bool Differ = W.Columns == 1 || itemsDifferAlong(K, AlongMemory);
    if (Differ)
      distribute(S, dimensionsBut(AlongMemory), W.Rows, Shapes);
    return Shapes;
  }
  std::vector<unsigned> Dims = dimensionsBut(S.LaneDim);
  if (W.Coarsened) {
    distribute(S, Dims, W.Coarsened, Shapes);
    return Shapes;
  }
  Shapes.push_back(S);
  for (unsigned D : Dims)
    for (unsigned Rows : {2u, 4u, 8u}) {
      Shapes.push_back(S);
      Shapes.back().Rows[D] = Rows;
    }
  return Shapes;
}

std::vector<BlockShape> Planner::shapesWanted(const Base &B) const {
  std::vector<BlockShape> Shapes;
  if (tooLarge(Options.Block))
    return Shapes;
  std::optional<unsigned> Contiguous = B.State.Contiguous;
  for (unsigned Lanes : {16u, 8u, 4u, 2u, 1u}) {
    if (Lanes > 1 ? !Contiguous || !Context.allows("vectorize") : B.onlyLanes())
      continue;
    BlockShape S;
    S.LaneDim = Lanes > 1 ? *Contiguous : 3;
    S.Lanes = Lanes;
    llvm::append_range(Shapes, rowsWanted(S, alongMemory(B)));
  }
  llvm::erase_if(Shapes, [&](const BlockShape &S) {
    return !isWanted(B, S) || S.Lanes * S.rows() > MostItems ||
           (S.rows() > 1 && !Context.allows("coarsen"));
  });
  return Shapes;
}

/// "the launch has 4 work-items along memory"; empty where it is large enough or not known.
std::string Planner::largerThanLaunch() const {
  const WorkSize &Global = Context.launch().LargestGlobal;
  const WantedBlock &W = Options.Block;
  if (Bases.empty() || !Global[0])
    return "";
  unsigned Along = alongMemory(Bases.front());
  uint64_t Rows = 1;
  for (unsigned D = 0; D < 3; ++D)
    Rows *= D == Along ? 1 : std::max<uint64_t>(1, Global[D]);
  if (std::max(W.Columns, W.Lanes) <= Global[Along] && W.Rows <= Rows)
    return "";
  return "the launch has only " + std::to_string(Global[Along]) + "x" + std::to_string(Rows) +
         " work-items";
}

/// "1x2, 2x1, ...": blocks that are legal, of those that the planner tries without a demand.
std::string Planner::possibleShapes() {
  std::set<std::pair<unsigned, unsigned>> Found;
  auto Try = [&](const Base &B, const BlockShape &S) {
    std::pair<unsigned, unsigned> Name = {S.factor(alongMemory(B)), across(S, alongMemory(B))};
    Choice How = B.State.How;
    How.Shape = S;
    if (S.Lanes * S.rows() > 1 && !Found.count(Name) && blocked(B, How))
      Found.insert(Name);
  };
  for (const Base &B : Bases)
    for (unsigned Lanes : {1u, 2u, 4u, 8u, 16u}) {
      if (Lanes > 1 ? !B.State.Contiguous || !Context.allows("vectorize") : B.onlyLanes())
        continue;
      BlockShape S;
      S.LaneDim = Lanes > 1 ? *B.State.Contiguous : 3;
      S.Lanes = Lanes;
      Try(B, S);
      if (Context.allows("coarsen"))
        for (unsigned D : dimensionsBut(S.LaneDim))
          for (unsigned Rows : {2u, 3u, 4u, 5u, 6u, 8u}) {
            BlockShape More = S;
            More.Rows[D] = Rows;
            if (Lanes * Rows <= MostItems)
              Try(B, More);
          }
    }
  std::vector<std::string> Texts;
  for (auto [Columns, Rows] : Found)
    Texts.push_back(std::to_string(Columns) + "x" + std::to_string(Rows));
  return llvm::join(Texts, ", ");
}

/// Says why there is no candidate of the block that is demanded, and what blocks are possible.
void Planner::refuseBlock() {
  const WantedBlock &W = Options.Block;
  std::string Wanted = W.Columns ? std::to_string(W.Columns) + "x" + std::to_string(W.Rows) : "";
  if (W.Columns == 1 && W.Rows == 1) {
    Context.Refusals.add({Refusal::NothingPays, "plan",
                          "no pass changes the kernel with one work-item for each of the original",
                          K.NameRange});
    return;
  }
  if (W.Lanes)
    Wanted += (Wanted.empty() ? "" : " with ") + ("vectorize:" + std::to_string(W.Lanes));
  if (W.Coarsened)
    Wanted += (Wanted.empty() ? ""
               : W.Lanes      ? ","
                              : " with ") +
              ("coarsen:" + std::to_string(W.Coarsened));
  std::string Why = largerThanLaunch();
  // What is tried here is not what the user demands: its refusals are not reported.
  RefusalList Before = Context.Refusals;
  std::string Possible = possibleShapes();
  Context.Refusals = std::move(Before);
  if (Why.empty() && tooLarge(W))
    Why = "a block has at most " + std::to_string(MostItems) + " work-items";
  Context.Refusals.add({Refusal::BlockShape, "plan",
                        "no block of " + Wanted + " can be made" +
                            (Why.empty() ? "" : " (" + Why + ")") +
                            "; possible: " + (Possible.empty() ? "none" : Possible),
                        K.NameRange});
}

} // namespace clmali::rewrite
