//===- CompiledRanking.cpp - candidates in the order of a real compiler's figures -------------===//

#include "tools/rewrite/CompiledRanking.h"
#include "tools/compilers/Compiled.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;

/// A candidate must be so many times better than the original.
static constexpr double WorthIt = 1.15;

/// The figure for one original work-item; nullopt: there is none, or loops of unknown length are
/// counted once.
static std::optional<double> figureOf(const compilers::Cost &C, double Items) {
  if (!C.known() || (C.LoopsCountedOnce && !C.Weighted))
    return std::nullopt;
  return compilers::perItem(C, Items).total();
}

Expected<CompiledRanking> tool::rankByCompiler(rewrite::RewriteResult &Plan, StringRef Text,
                                               StringRef Name, StringRef Device,
                                               ArrayRef<std::string> ClangArgs) {
  std::vector<std::string> Options = compilers::buildOptions(ClangArgs);
  std::vector<compilers::Source> Sources{
      {"original", Text.str(), Options, {Name.str()}, Plan.TripsBefore}};
  for (auto [N, C] : enumerate(Plan.Candidates))
    Sources.push_back({"candidate " + std::to_string(N), C.FastPath, Options, {C.Kernel}, C.Trips});
  Expected<std::vector<compilers::Cost>> Costs = compilers::runMesa(Sources, Device);
  if (!Costs)
    return Costs.takeError();
  auto CostOf = [&](StringRef File) -> const compilers::Cost * {
    auto It = find_if(*Costs, [&](const compilers::Cost &C) { return C.File == File; });
    return It == Costs->end() ? nullptr : &*It;
  };

  CompiledRanking R;
  const compilers::Cost *Before = CostOf("original");
  std::optional<double> Original = Before ? figureOf(*Before, 1) : std::nullopt;
  if (!Original)
    return createStringError(inconvertibleErrorCode(),
                             "no compiled figure for '" + Name + "': " +
                                 (!Before ? StringRef("the compiler did not report it")
                                  : Before->known()
                                      ? StringRef("the trip count of a loop is not known")
                                      : StringRef(Before->Reason)));
  R.Original = *Original;
  R.Unit = Before->work().Cycles ? "cycles" : "instruction groups";
  R.By = Before->Compiler + " " + Before->Version + " for " +
         (Before->CompiledFor.empty() ? Before->Device : Before->CompiledFor);

  std::vector<std::pair<double, size_t>> Order;
  for (auto [N, C] : enumerate(Plan.Candidates)) {
    const compilers::Cost *Cost = CostOf("candidate " + std::to_string(N));
    std::optional<double> Figure = Cost ? figureOf(*Cost, C.Items) : std::nullopt;
    if (!Figure)
      ++R.WithoutFigure;
    else if (*Figure * WorthIt <= R.Original)
      Order.push_back({*Figure, N});
  }
  stable_sort(Order);
  std::vector<rewrite::Candidate> Sorted;
  for (auto [Figure, N] : Order) {
    R.Figures.push_back(Figure);
    Sorted.push_back(std::move(Plan.Candidates[N]));
  }
  Plan.Candidates = std::move(Sorted);
  return R;
}
