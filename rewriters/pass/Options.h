//===-- rewriters/pass/Options.h - What the user asks for --------*- C++ -*-===//
#ifndef CLMALI_REWRITERS_PASS_OPTIONS_H
#define CLMALI_REWRITERS_PASS_OPTIONS_H

#include "checks/model/launch/LaunchFacts.h"
#include "rewriters/pass/Choice.h"
#include <optional>
#include <string>
#include <vector>

namespace clmali::rewrite {

/// For debugging and tests; the candidates do not depend on it.
struct PipelineOptions {
  std::string PrintAfter; ///< the id of a pass, or "all": the kernel after it, to standard error
  bool VerifyIR = false;  ///< check the kernel after each pass; the first broken one is fatal
};

/// The block that the user demands; 0: any.
struct WantedBlock {
  unsigned Columns = 0;   ///< --shape: work-items along the dimension that walks along memory
  unsigned Rows = 0;      ///< --shape: work-items along the others, their product
  unsigned Lanes = 0;     ///< --passes=vectorize:N
  unsigned Coarsened = 0; ///< --passes=coarsen:N: work-items that are not lanes, their product
  bool any() const { return Columns || Lanes || Coarsened; }
};

/// The kernel gets another form for a part of its launches. RewriteOptions::Launch then describes
/// the launches of the part.
struct PartOfLaunches {
  std::vector<std::string> When; ///< what tells them from the others, as in a manifest
  std::optional<Choice> Instead; ///< the form that runs them otherwise; none: the original
};

struct RewriteOptions {
  std::string Device = "generic";  ///< family, alias or model of devices.yaml
  unsigned VectorBits = 0;         ///< of the device at hand, where it says so; 0: the family's
  std::vector<std::string> Passes; ///< empty: all that pay
  std::string Without;             ///< a pass that must not run, where Passes is empty
  WantedBlock Block;
  bool ReassociateFloat = false;
  std::vector<std::pair<std::string, std::string>> Defines;
  std::string BuildOptions;
  bool FloatsReordered = false; ///< BuildOptions allow it to the compiler
  model::LaunchFacts Launch;    ///< what the launch files say of the kernel's launches
  unsigned MaxCandidates = 6;   ///< returned at most
  bool Diverse = false; ///< they are to be measured: every shape that pays, in its best form, first
  /// Candidates may take buffers in place of images: clmali-inject or the user's host passes them.
  bool ExchangesImages = false;
  PipelineOptions Pipeline;
  std::optional<PartOfLaunches> Part; ///< not set: a form for all launches
};

} // namespace clmali::rewrite
#endif
