// The record of a judgement: how it was judged, as JSON.
#ifndef CLMALI_REWRITERS_VERIFY_RUNGS_RECORD_H
#define CLMALI_REWRITERS_VERIFY_RUNGS_RECORD_H

#include "rewriters/verify/Judge.h"
#include "rewriters/verify/cases/TestPlan.h"
#include "rewriters/verify/rungs/SymbolicRung.h"

namespace clmali::verify {

struct RecordInput {
  const JudgeRequest &Request;
  const TestPlan &Plan;
  const DeviceInfo &Device;
  const SymbolicRung &Symbolic;
  llvm::json::Object Devices, Counts; ///< by rung
  std::vector<std::string> Notes;
  uint64_t TotalRuns = 0;
  double Seconds = 0;
};

/// Fills V.Record from the rest of \p V and \p In.
void writeRecord(Verdict &V, RecordInput In);

} // namespace clmali::verify

#endif
