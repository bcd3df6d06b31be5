//===- Passes.cpp - prints the registry of passes ---------------------------------------------===//

#include "rewriters/pass/Pipeline.h"
#include "tools/rewrite/Tool.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;

void tool::listPasses(raw_ostream &Out) {
  constexpr unsigned Column = 22;
  auto List = [&](bool Public) {
    for (const rewrite::Pass &P : rewrite::allPasses())
      if ((P.Id == P.ShownAs) == Public)
        Out << "  " << left_justify(P.Id, Column) << P.Does
            << (Public || P.ShownAs.empty() ? "" : " Part of " + P.ShownAs.str() + ".") << "\n";
  };
  Out << "passes that --passes takes:\n";
  List(true);
  Out << "other steps of the pipeline, for --print-after:\n";
  List(false);
}

static json::Array steps(ArrayRef<rewrite::Step> Steps) {
  json::Array All;
  for (const rewrite::Step &S : Steps)
    All.push_back(json::Object{{"pass", S.Pass},
                               {"runs", rewrite::name(S.Runs)},
                               {"must", rewrite::name(S.Must)},
                               {"why", S.Why}});
  return All;
}

void tool::printPasses(raw_ostream &Out) {
  json::Array Passes;
  for (const rewrite::Pass &P : rewrite::allPasses())
    Passes.push_back(json::Object{{"id", P.Id},
                                  {"shownAs", P.ShownAs},
                                  {"does", P.Does},
                                  {"requires", P.Requires},
                                  {"establishes", P.Establishes}});
  json::Object All{{"passes", std::move(Passes)},
                   {"pipeline", json::Object{{"normalForm", steps(rewrite::normalFormSteps())},
                                             {"block", steps(rewrite::blockSteps())},
                                             {"finish", steps(rewrite::finishSteps())}}}};
  Out << formatv("{0:2}", json::Value(std::move(All))) << "\n";
}
