//===- LaunchList.h - the launches of a program in numbers ------------------------------------===//
//
// launches.json, one line for each shape; clmali-lint reads it in place of host code
// (checks/model/host/RecordedLaunches.h).
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_RECORD_LAUNCHLIST_H
#define CLMALI_TOOLS_RECORD_LAUNCHLIST_H

#include "tools/record/Recording.h"

namespace clmali::record {

std::string launchList(const RecordedProgram &P);

} // namespace clmali::record

#endif
