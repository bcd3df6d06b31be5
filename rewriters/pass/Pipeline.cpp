//===-- rewriters/pass/Pipeline.cpp - The order of the passes ----------------===//
//
// One line for each step: the pass, when it runs, and where it must change something (else the
// candidate equals another one and is dropped). A pass runs at most where --passes allows it and
// where it suits the device (PassManager.cpp).
//
// The axes of choice: split components x unroll x staging give the forms that blocks are made of;
// each shape (lanes and rows) of each form is a block; inner unrolling, sums and overlapping loads
// are ways to finish a block.
//
//===----------------------------------------------------------------------===//

#include "rewriters/pass/Pipeline.h"

#include "llvm/Support/ErrorHandling.h"

namespace clmali::rewrite {

using enum When;

// clang-format off
static constexpr Step NormalFormSteps[] = {
    // pass                runs when   must change reason for its place
    {"drop-unused",         Always,     Never,      "first: unused ids would pass as group use"},
    {"use-launch-values",   Values,     Values,     "before all that constants may simplify"},
    {"split-components",    Components, Components, "normal form keeps the vectors of the source"},
    {"pin-for-proofs",      Always,     Never,      "before all that proves facts from the size"},
    {"drop-volatile",       Always,     Never,      "after pin-for-proofs: sizes are known"},
    {"normalize",           Always,     Never,      "all later passes expect normal form"},
    {"scalarize-arrays",    Always,     Never,      "after constants are folded into indices"},
    {"use-builtins",        Always,     Never,      "before unrolling repeats the patterns"},
    {"use-address-mode",    Always,     Never,      "after use-builtins: clamps by hand are calls"},
    {"exchange-images",     Exchange,   Exchange,   "coordinates are scalars by then"},
    {"share-in-loops",      Always,     Never,      "before unrolling: it needs the loop"},
    {"unroll",              Unroll,     Unroll,     "before staging: copies get constant indices"},
    {"scalarize-arrays",    Unroll,     Never,      "counters have become constant indices"},
    {"share-values",        Unroll,     Never,      "copies of a body compute coordinates again"},
    {"localize",            Localize,   Localize,   "before blocks: needs the items' local ids"},
    {"delocalize",          Delocalize, Delocalize, "before blocks, likewise"},
    {"pin-work-group-size", Localize,   Never,      "localize demands it: tiles are for one size"},
    {"normalize",           Staged,     Never,      "new index arithmetic"},
    {"merge-arms",          Staged,     Never,      "branches that filled the halo now load alike"},
    {"normalize",           Changed,    Never,      "joined conditions simplify"},
};

static constexpr Step BlockSteps[] = {
    {"vectorize",           Lanes,      Lanes,      "makes the whole block, rows included"},
    {"coarsen",             Rows,       Rows,       "after vectorize, which makes rows with lanes"},
};

static constexpr Step FinishSteps[] = {
    {"unroll-inner",        Inner,      Inner,      "loads of iterations become neighbours"},
    {"select-for-stores",   Always,     Never,      "pack-stores needs values without branches"},
    {"sum-in-lanes",        Sums,       Sums,       "after blocks: rows share what is loaded"},
    {"merge-loads",         Always,     Inner,      "after all that makes loads neighbours"},
    {"merge-overlapping",   Overlap,    Overlap,    "unites the vectors that merge-loads has made"},
    {"share-columns",       Overlap,    Never,      "after merge-overlapping: its vectors"},
    {"pack-stores",         Always,     Never,      "after merge-loads has made the vectors"},
    {"compose-shuffles",    Always,     Never,      "after all that makes vectors of lanes"},
    {"narrow",              Always,     Never,      "after all that makes vectors"},
    {"strength-reduce",     Always,     Never,      "after narrow: multipliers depend on width"},
    {"select",              Always,     Never,      "after strength-reduce: divisions forbid it"},
    {"hoist-arithmetic",    Always,     Never,      "after select: branches do not move"},
    {"spread-banks",        Always,     Never,      "after all that changes local accesses"},
    {"pin-work-group-size", Always,     Never,      "after spread-banks, which may demand it"},
    {"cleanup",             Always,     Never,      "after all that leaves copies behind"},
    {"share-values",        Always,     Never,      "after cleanup: variables have one value"},
    {"swap-dimensions",     Always,     Never,      "last: others use the original's dimensions"},
};
// clang-format on

llvm::ArrayRef<Step> normalFormSteps() { return NormalFormSteps; }
llvm::ArrayRef<Step> blockSteps() { return BlockSteps; }
llvm::ArrayRef<Step> finishSteps() { return FinishSteps; }

bool holds(When W, const Choice &How) {
  switch (W) {
  case Always:
    return true;
  case Never:
  case Changed:
    return false;
  case Values:
    return How.LaunchValues;
  case Components:
    return How.SplitComponents;
  case When::Exchange:
    return How.Exchange;
  case When::Unroll:
    return How.Unroll;
  case When::Localize:
    return How.Stage == Staging::Localize;
  case When::Delocalize:
    return How.Stage == Staging::Delocalize;
  case Staged:
    return How.Stage != Staging::Keep;
  case Lanes:
    return How.Shape.Lanes > 1;
  case Rows:
    return How.Shape.rows() > 1;
  case Inner:
    return How.Inner > 1;
  case Sums:
    return How.Sums > 1;
  case Overlap:
    return How.Overlap;
  }
  llvm_unreachable("a condition of no kind");
}

llvm::StringRef name(When W) {
  static constexpr llvm::StringLiteral Names[] = {
      "always", "never",      "the step before changed something",
      "values", "components", "exchange",
      "unroll", "localize",   "delocalize",
      "staged", "lanes",      "rows",
      "inner",  "sums",       "overlap"};
  static_assert(std::size(Names) == size_t(Overlap) + 1);
  return Names[size_t(W)];
}

} // namespace clmali::rewrite
