//===- Pretend.cpp ----------------------------------------------------------------------------===//

#include "tools/record/Pretend.h"
#include "rules/Drivers.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <CL/cl.h>

using namespace llvm;

namespace clmali::record {

static json::Object numbers(const rules::Driver &D) {
  json::Object All{{"type", CL_DEVICE_TYPE_GPU}, {"sub-devices", 1}};
  for (StringRef Name : {"compute-units", "clock", "max-work-group", "work-group-multiple",
                         "max-local-memory", "unified-memory", "cache-line-bytes"})
    if (const rules::Fact *F = D.fact(Name))
      All[Name] = F->Value;
  if (const rules::Fact *F = D.fact("local-on-chip"))
    All["local-type"] = F->Value ? CL_LOCAL : CL_GLOBAL;
  // A device that has doubles leaves the rounding modes to the one at hand.
  if (const rules::Fact *F = D.fact("fp64"); F && F->Value == 0)
    All["double-config"] = 0;
  constexpr StringLiteral Types[] = {"char", "short", "int", "long", "half", "float", "double"};
  for (const auto &[Of, Widths] : {std::pair("preferred-", &D.Preferred), {"native-", &D.Native}})
    for (auto [Type, Width] : zip(Types, *Widths))
      All[(Twine(Of) + Type).str()] = Width;
  return All;
}

Expected<std::pair<std::string, std::string>> pretendVariable(StringRef Device) {
  Expected<const rules::Driver *> Found = rules::driverOf(Device);
  if (!Found)
    return Found.takeError();
  const rules::Driver &D = **Found;
  json::Object All{{"device", D.Device},     {"family", D.Family->Name},
                   {"platform", D.Platform}, {"vendor", D.Vendor},
                   {"name", D.Name},         {"version", D.Version},
                   {"numbers", numbers(D)},  {"extensions", json::Array(D.Extensions)}};
  return std::pair("CLMALI_PRETEND", formatv("{0}", json::Value(std::move(All))).str());
}

} // namespace clmali::record
