//===- CompiledRanking.cpp - candidates in the order of a real compiler's figures -------------===//

#include "tools/rewrite/CompiledRanking.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;

/// A candidate must be so many times better than the original.
static constexpr double WorthIt = 1.15;

/// Why there is no figure.
static StringRef reasonOf(const compilers::Cost *C) {
  return !C           ? StringRef("the compiler did not report it")
         : C->known() ? StringRef("the trip count of a loop is not known")
                      : StringRef(C->Reason);
}

/// nullopt: there is no figure, or loops of unknown length are counted once.
static std::optional<CompiledForm> formOf(const compilers::Cost *C, double Items) {
  if (!C || !C->known() || (C->LoopsCountedOnce && !C->Weighted))
    return std::nullopt;
  compilers::Work PerItem = compilers::perItem(*C, Items);
  std::optional<double> Figure = PerItem.total();
  return Figure ? std::optional(CompiledForm{*C, PerItem, *Figure}) : std::nullopt;
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
  std::optional<CompiledForm> Original = formOf(Before, 1);
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
    std::optional<CompiledForm> Form = formOf(Cost, C.Items);
    if (!Form && !R.WithoutFigure++)
      R.WhyNone = reasonOf(Cost).str();
    if (!Form)
      continue;
    if (Form->Figure * WorthIt <= R.Original.Figure)
      Order.push_back({std::move(*Form), N});
  }
  stable_sort(Order, [](const auto &A, const auto &B) { return A.first.Figure < B.first.Figure; });
  std::vector<rewrite::Candidate> Sorted;
  for (auto &[Form, N] : Order) {
    R.Forms.push_back(std::move(Form));
    Sorted.push_back(std::move(Plan.Candidates[N]));
  }
  Plan.Candidates = std::move(Sorted);
  return R;
}
