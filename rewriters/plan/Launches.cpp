//===-- rewriters/plan/Launches.cpp - How a rewritten kernel is launched -------===//

#include "rewriters/plan/Launches.h"

#include "rewriters/print/Print.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace clmali::rewrite {

using namespace model;
using launch::Expression;

namespace {

/// Text is written here and in the passes: that it does not parse is a mistake in
/// them, and a launch without its condition would be worse than none.
Expression expr(const llvm::Twine &Text) {
  llvm::Expected<Expression> E = Expression::parse(Text.str());
  if (!E)
    llvm::report_fatal_error(E.takeError());
  return std::move(*E);
}

const char *const G[] = {"gx", "gy", "gz"};
const char *const *L = LocalNames;
const char *const O[] = {"ox", "oy", "oz"};

} // namespace

/// When the new kernel may run, for blocks of shape S.
static std::vector<std::string> conditions(unsigned Dims, const BlockShape &S,
                                           const LaunchContract &Needs) {
  std::vector<std::string> All;
  for (unsigned D = 0; D < 3; ++D) {
    unsigned F = S.factor(D);
    std::string N = std::to_string(F);
    if (D >= Dims) {
      All.push_back(std::string(G[D]) + " == 1");
      continue;
    }
    if (Needs.IdsBelow)
      All.push_back(std::string(G[D]) + " + " + O[D] + " < " + std::to_string(Needs.IdsBelow));
    if (F == 1)
      continue;
    All.push_back(std::string(G[D]) + (Needs.WholeBlocks ? " % " + N + " == 0" : " >= " + N));
    All.push_back(std::string(O[D]) + " % " + N + " == 0");
    if (Needs.GroupSemantics)
      All.push_back("lx > 0 && " + std::string(L[D]) + " > 0 && " + L[D] + " % " + N + " == 0 && " +
                    G[D] + " % max(" + L[D] + ", 1) == 0");
  }
  for (unsigned D = 0; D < Dims; ++D)
    if (int64_t Most = Needs.LocalMax[D].value_or(0))
      All.push_back("lx > 0 && " + std::string(L[D]) + " <= " + std::to_string(Most));
  llvm::append_range(All, Needs.When);
  return All;
}

/// The new kernel on all whole blocks.
static launch::ManifestLaunch blockLaunch(llvm::StringRef New, llvm::StringRef When, unsigned Dims,
                                          const BlockShape &S, bool KeepsGroups,
                                          std::array<unsigned, 3> Axis) {
  launch::ManifestLaunch Main;
  Main.Kernel = New.str();
  Main.When = expr(When);
  std::vector<Expression> Local;
  for (unsigned I = 0; I < Dims; ++I) {
    unsigned D = Axis[I], F = S.factor(D);
    std::string Div = F > 1 ? " / " + std::to_string(F) : "";
    Main.Global.push_back(expr(G[D] + Div));
    Main.Offset.push_back(expr(O[D] + Div));
    Local.push_back(expr(L[D] + Div));
  }
  if (KeepsGroups)
    Main.Local = Local;
  return Main;
}

/// What the blocks leave over along dimension D, of what the strips of lower dimensions do not do.
static launch::ManifestLaunch stripLaunch(llvm::StringRef TailKernel, llvm::StringRef When,
                                          unsigned Dims, const BlockShape &S, unsigned D) {
  launch::ManifestLaunch Tail;
  Tail.Kernel = TailKernel.str();
  Tail.When = expr(When + " && " + G[D] + " % " + std::to_string(S.factor(D)) + " != 0");
  for (unsigned I = 0; I < Dims; ++I) {
    unsigned FI = S.factor(I);
    std::string Rem = std::string(G[I]) + " % " + std::to_string(FI);
    if (I == D) {
      Tail.Global.push_back(expr(Rem));
      Tail.Offset.push_back(expr(std::string(O[I]) + " + " + G[I] + " - " + Rem));
      continue;
    }
    Tail.Global.push_back(
        expr(I < D && FI > 1 ? std::string(G[I]) + " - " + Rem : std::string(G[I])));
    Tail.Offset.push_back(expr(O[I]));
  }
  return Tail;
}

launch::ManifestLaunch originalLaunch(llvm::StringRef Original, llvm::StringRef When) {
  launch::ManifestLaunch Whole;
  Whole.Kernel = Original.str();
  Whole.When = expr(When);
  std::vector<Expression> Local;
  for (unsigned D = 0; D < 3; ++D) {
    Whole.Global.push_back(expr(G[D]));
    Whole.Offset.push_back(expr(O[D]));
    Local.push_back(expr(D ? std::string("max(") + L[D] + ", min(lx, 1))" : std::string("lx")));
  }
  Whole.Local = Local;
  return Whole;
}

std::vector<launch::ManifestLaunch> launches(llvm::StringRef Original, llvm::StringRef New,
                                             llvm::StringRef TailKernel, unsigned Dims,
                                             const BlockShape &S, const LaunchContract &Needs,
                                             std::array<unsigned, 3> Axis) {
  std::vector<std::string> Conditions = conditions(Dims, S, Needs);
  std::string When = Conditions.empty() ? "1" : llvm::join(Conditions, " && ");
  std::vector<launch::ManifestLaunch> Out;
  Out.push_back(blockLaunch(New, When, Dims, S, Needs.GroupSemantics, Axis));
  if (!Needs.GroupSemantics && !Needs.WholeBlocks)
    for (unsigned D = 0; D < Dims; ++D)
      if (S.factor(D) > 1)
        Out.push_back(stripLaunch(TailKernel, When, Dims, S, D));
  if (When != "1")
    Out.push_back(originalLaunch(Original, "(" + When + ") == 0"));
  return Out;
}

launch::ManifestKernel firstThatHolds(launch::ManifestKernel First,
                                      const launch::ManifestKernel &Otherwise) {
  const std::string None = "(" + First.Launches.front().When.text() + ") == 0";
  if (First.Launches.back().When.text() == None)
    First.Launches.pop_back();
  for (launch::ManifestLaunch L : Otherwise.Launches) {
    const std::string &When = L.When.text();
    L.When = expr(When == "1" ? None : None + " && " + When);
    First.Launches.push_back(std::move(L));
  }
  for (const std::string &Pass : Otherwise.Passes)
    if (!llvm::is_contained(First.Passes, Pass))
      First.Passes.push_back(Pass);
  for (const launch::Obligation &O : Otherwise.Obligations)
    if (llvm::none_of(First.Obligations, [&](const auto &X) { return X.Text == O.Text; }))
      First.Obligations.push_back(O);
  return First;
}

std::vector<std::string> contract(llvm::StringRef Original, unsigned Dims, const BlockShape &S,
                                  const LaunchContract &Needs, std::array<unsigned, 3> Axis,
                                  llvm::ArrayRef<std::string> Obligations,
                                  const std::string &Others) {
  std::vector<std::string> Lines;
  std::string What = (RewrittenMarker + Original).str();
  Lines.push_back(What);
  std::string Block;
  for (unsigned D = 0; D < Dims; ++D)
    Block += (D ? " x " : "") + std::to_string(S.factor(D));
  std::string Global;
  for (unsigned I = 0; I < Dims; ++I) {
    unsigned D = Axis[I], F = S.factor(D);
    Global += (I ? ", " : "") + std::string(G[D]) + (F > 1 ? " / " + std::to_string(F) : "");
  }
  bool Blocked = Block.find_first_not_of("1 x") != std::string::npos;
  bool Swapped = Axis != std::array<unsigned, 3>{0, 1, 2};
  if (!Blocked && !Swapped) {
    Lines.push_back(
        Needs.GroupSemantics
            ? "Launch it as " + Original.str() + ": the global and the local size are the same."
            : "Launch it with the global size of " + Original.str() + "; any local size will do.");
  } else {
    if (Blocked)
      Lines.push_back("Each work-item does a block of " + Block + " work-items of " +
                      Original.str() + ".");
    Lines.push_back("Launch with global size (" + Global + ") for " + Original.str() + "'s (" +
                    llvm::join(llvm::ArrayRef(G, Dims), ", ") +
                    "); see the manifest for the remainder.");
    if (Needs.GroupSemantics)
      Lines.push_back(std::string("The local size is ") + (Blocked ? "divided" : "turned") +
                      " in the same way: the work-groups are the same.");
  }
  std::vector<std::string> Only;
  for (unsigned D = 0; D < Dims; ++D)
    if (int64_t Most = Needs.LocalMax[D].value_or(0))
      Only.push_back(std::string(L[D]) + " <= " + std::to_string(Most));
  for (const std::string &When : Needs.When)
    Only.push_back(llvm::StringRef(When).starts_with("lx > 0 && ") ? When.substr(10) : When);
  // Of the local size and its names where a condition has them.
  const bool OfGroup = llvm::any_of(Only, [](llvm::StringRef Text) {
    return Text.starts_with("lx") || Text.starts_with("ly") || Text.starts_with("lz");
  });
  if (!Only.empty())
    Lines.push_back(
        (OfGroup ? "Only for a local size (" + llvm::join(llvm::ArrayRef(L, Dims), ", ") + ") with "
                 : "Only for launches with ") +
        llvm::join(Only, " and ") + "; " + Others + " the others.");
  for (const std::string &Text : Obligations)
    Lines.push_back("Assumed: " + Text + ".");
  return Lines;
}

} // namespace clmali::rewrite
