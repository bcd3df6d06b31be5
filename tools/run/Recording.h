//===- Recording.h - replays what clmali-record recorded --------------------------------------===//

#ifndef CLMALI_TOOLS_RUN_RECORDING_H
#define CLMALI_TOOLS_RUN_RECORDING_H

#include "rewriters/verify/Judge.h"
#include "llvm/Support/raw_ostream.h"

namespace clmali::run {

/// Runs each recorded launch whose contents are there, and compares the buffers with what the
/// program got. 0: all are equal; 3: one differs.
llvm::Expected<int> replayRecording(const std::string &Folder, const verify::JudgeOptions &Options,
                                    llvm::raw_ostream &Out);

} // namespace clmali::run

#endif
