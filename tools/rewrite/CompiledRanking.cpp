//===- CompiledRanking.cpp - candidates in the order of a real compiler's figures -------------===//

#include "tools/rewrite/CompiledRanking.h"
#include "checks/model/cost/Schedule.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;

/// A candidate must be so many times better than the original.
static constexpr double WorthIt = 1.15;
/// Forms that differ by less are equal: static figures do not show what latency costs.
static constexpr double AsGood = 1.05;

/// Why there is no figure.
static StringRef reasonOf(const compilers::Cost *C) {
  return !C           ? StringRef("the compiler did not report it")
         : C->known() ? StringRef("the trip count of a loop is not known")
                      : StringRef(C->Reason);
}

/// nullopt: there is no figure, or loops of unknown length are counted once. LaunchShare: of a full
/// device's work-items, those that the launch has.
static std::optional<CompiledForm> formOf(const compilers::Cost *C, double Items,
                                          double LaunchShare) {
  if (!C || !C->known() || (C->LoopsCountedOnce && !C->Weighted))
    return std::nullopt;
  compilers::Work PerItem = compilers::perItem(*C, Items);
  std::optional<double> Figure = PerItem.total();
  if (!Figure)
    return std::nullopt;
  double Resident = std::min(C->Occupancy.value_or(100) / 100.0, LaunchShare);
  return CompiledForm{*C, PerItem, *Figure, *Figure * model::slowdown(Resident)};
}

/// Of the forms that are as good as the first, puts the one with the most resident work-items in
/// front, and of several the smallest block.
static void preferLight(std::vector<std::pair<CompiledForm, size_t>> &Order,
                        ArrayRef<rewrite::Candidate> Candidates) {
  auto Key = [&](const auto &Of) {
    return std::pair(-int(Of.first.Cost.Occupancy.value_or(100)), Candidates[Of.second].Items);
  };
  auto Best = Order.begin();
  for (auto It = Order.begin(); It != Order.end(); ++It)
    if (It->first.Ranked <= Order.front().first.Ranked * AsGood && Key(*It) < Key(*Best))
      Best = It;
  if (Best != Order.end())
    std::rotate(Order.begin(), Best, Best + 1);
}

static std::vector<compilers::LoopTrips> tripsOf(ArrayRef<rewrite::LoopTrips> Trips) {
  std::vector<compilers::LoopTrips> Result;
  for (const rewrite::LoopTrips &L : Trips)
    Result.push_back({L.Count, L.ConstantDepth});
  return Result;
}

Expected<CompiledRanking> tool::rankByCompiler(rewrite::RewriteResult &Plan, StringRef Text,
                                               StringRef Name, StringRef Device,
                                               ArrayRef<std::string> ClangArgs) {
  std::vector<std::string> Options = compilers::buildOptions(ClangArgs);
  std::vector<compilers::Source> Sources{
      {"original", Text.str(), Options, {Name.str()}, tripsOf(Plan.TripsBefore)}};
  for (auto [N, C] : enumerate(Plan.Candidates))
    Sources.push_back(
        {"candidate " + std::to_string(N), C.FastPath, Options, {C.Kernel}, tripsOf(C.Trips)});
  Expected<std::vector<compilers::Cost>> Costs = compilers::runMesa(Sources, Device);
  if (!Costs)
    return Costs.takeError();
  auto CostOf = [&](StringRef File) -> const compilers::Cost * {
    auto It = find_if(*Costs, [&](const compilers::Cost &C) { return C.File == File; });
    return It == Costs->end() ? nullptr : &*It;
  };

  CompiledRanking R;
  const compilers::Cost *Before = CostOf("original");
  std::optional<CompiledForm> Original = formOf(Before, 1, Plan.ShareBefore);
  if (!Original)
    return createStringError(inconvertibleErrorCode(),
                             "no compiled figure for '" + Name + "': " + reasonOf(Before));
  R.Original = std::move(*Original);
  R.Unit = Before->work().Cycles ? "cycles" : "instruction groups";
  R.By = Before->Compiler + " " + Before->Version + " for " +
         (Before->CompiledFor.empty() ? Before->Device : Before->CompiledFor);

  std::vector<std::pair<CompiledForm, size_t>> Order;
  for (auto [N, C] : enumerate(Plan.Candidates)) {
    const compilers::Cost *Cost = CostOf("candidate " + std::to_string(N));
    std::optional<CompiledForm> Form = formOf(Cost, C.Items, C.LaunchShare);
    if (!Form && !R.WithoutFigure++)
      R.WhyNone = reasonOf(Cost).str();
    if (!Form)
      continue;
    if (Form->Ranked * WorthIt <= R.Original.Ranked)
      Order.push_back({std::move(*Form), N});
  }
  stable_sort(Order, [](const auto &A, const auto &B) { return A.first.Ranked < B.first.Ranked; });
  preferLight(Order, Plan.Candidates);
  std::vector<rewrite::Candidate> Sorted;
  for (auto &[Form, N] : Order) {
    R.Forms.push_back(std::move(Form));
    Sorted.push_back(std::move(Plan.Candidates[N]));
  }
  Plan.Candidates = std::move(Sorted);
  return R;
}
