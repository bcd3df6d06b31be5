//===-- checks/model/host/RecordedLaunches.cpp ------------------*- C++ -*-===//

#include "checks/model/host/RecordedLaunches.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clmali::model {

const StringLiteral RecordedLaunchesName = "launches.json";

bool isRecordedLaunches(StringRef FileName) {
  return sys::path::filename(FileName) == RecordedLaunchesName;
}

bool isRecorded(const HostLaunch &L) { return isRecordedLaunches(L.File); }

namespace {

/// The bytes of a value in a line: `[64, 4]` of `"local": [64, 4]`; the line if it has no such key.
SourceRange rangeOf(StringRef Key, StringRef Line, SourceRange Whole) {
  std::string Name = ("\"" + Key + "\": ").str();
  size_t At = Line.find(Name);
  if (At == StringRef::npos)
    return Whole;
  size_t Begin = At + Name.size(), End = Line.find(']', Begin);
  if (End == StringRef::npos)
    return Whole;
  return {Whole.File, Whole.Begin + uint32_t(Begin), Whole.Begin + uint32_t(End + 1)};
}

/// False: no list of one to three positive numbers.
bool readSize(const json::Object &O, StringRef Key, unsigned &Count,
              std::array<std::optional<uint64_t>, 3> &Into) {
  const json::Array *All = O.getArray(Key);
  if (!All || All->empty() || All->size() > 3)
    return false;
  Count = All->size();
  for (unsigned D = 0; D < Count; ++D) {
    std::optional<uint64_t> Value = (*All)[D].getAsUINT64();
    if (!Value || *Value == 0)
      return false;
    Into[D] = Value;
  }
  return true;
}

/// Arguments in local memory with their bytes, and the buffers, equal ones with one number.
void readArguments(const json::Object &O, HostLaunch &L) {
  auto each = [&](StringRef Key, HostKernelArg::Kind Kind, auto Set) {
    const json::Object *All = O.getObject(Key);
    if (!All)
      return;
    for (const auto &[Index, Value] : *All) {
      HostKernelArg A;
      std::optional<uint64_t> Number = Value.getAsUINT64();
      if (StringRef(Index).getAsInteger(10, A.Index) || !Number)
        continue;
      A.K = Kind;
      A.Range = L.Range;
      A.File = L.File;
      Set(A, *Number);
      L.Args.push_back(std::move(A));
    }
  };
  each("localBytes", HostKernelArg::Local, [](HostKernelArg &A, uint64_t N) { A.Size = N; });
  each("buffers", HostKernelArg::Memory, [](HostKernelArg &A, uint64_t N) {
    A.Holds = HostKernelArg::Buffer;
    A.MadeBy = N + 1;
  });
}

bool readLaunch(const json::Object &O, StringRef Line, HostLaunch &L) {
  std::optional<StringRef> Kernel = O.getString("kernel");
  unsigned LocalDims = 0;
  L.LocalIsNull = !O.get("local");
  if (!Kernel || !readSize(O, "global", L.Dims, L.Global) ||
      (!L.LocalIsNull && (!readSize(O, "local", LocalDims, L.Local) || LocalDims != L.Dims)))
    return false;
  L.Kernel = Kernel->str();
  L.GlobalRange.fill(rangeOf("global", Line, L.Range));
  L.LocalRange.fill(rangeOf("local", Line, L.Range));
  readArguments(O, L);
  return true;
}

/// The call that builds the program, with its options.
HostCall buildCall(std::string Options) {
  HostCall Build;
  Build.Name = "clBuildProgram";
  HostArgument A;
  A.Text = A.String.emplace(Options);
  A.Options = std::move(Options);
  Build.Args.push_back(std::move(A));
  return Build;
}

} // namespace

HostParse parseRecordedLaunches(StringRef FileName, StringRef Text) {
  HostParse Result;
  auto fail = [&](unsigned Line, const Twine &Message) {
    ParseDiagnostic D;
    D.IsError = true;
    D.File = FileName.str();
    D.Line = Line;
    D.Column = 1;
    D.Message = Message.str();
    Result.Diagnostics.push_back(std::move(D));
    Result.M.reset();
    return std::move(Result);
  };
  Expected<json::Value> Whole = json::parse(Text);
  const json::Object *Root = Whole ? Whole->getAsObject() : nullptr;
  if (!Whole)
    consumeError(Whole.takeError());
  if (!Root || !Root->getArray("launches"))
    return fail(1, "this is no list of launches as clmali-record writes it");
  Result.M = std::make_unique<HostModule>();
  HostModule &M = *Result.M;
  M.Files.push_back({FileName.str(), Text.str()});
  M.HasOpenCL = M.HasHeaders = true;
  M.KernelFiles.push_back("program.cl");
  M.BuildOptions.push_back(Root->getString("options").value_or("").str());
  M.Calls.push_back(buildCall(M.BuildOptions.front()));
  // One launch in each line, so that findings have a place.
  unsigned Number = 0;
  uint32_t At = 0;
  for (StringRef Rest = Text; !Rest.empty();) {
    auto [Line, Next] = Rest.split('\n');
    const uint32_t Begin = At;
    At += Rest.size() - Next.size();
    Rest = Next;
    ++Number;
    StringRef Object = Line.rtrim().rtrim(',');
    if (!Object.starts_with("{\"kernel\""))
      continue;
    HostLaunch L;
    L.Range = {0, Begin, Begin + uint32_t(Object.size())};
    L.File = FileName.str();
    L.Line = Number;
    Expected<json::Value> V = json::parse(Object);
    if (!V)
      consumeError(V.takeError());
    if (!V || !V->getAsObject() || !readLaunch(*V->getAsObject(), Object, L))
      return fail(Number, "this line is no launch as clmali-record writes it");
    M.Launches.push_back(std::move(L));
  }
  return Result;
}

std::optional<std::array<uint32_t, 3>> recordedLocalSize(ArrayRef<HostLaunch> Launches) {
  std::optional<std::array<uint32_t, 3>> Common;
  for (const HostLaunch &L : Launches) {
    std::array<uint32_t, 3> Size{1, 1, 1};
    if (!isRecorded(L) || L.LocalIsNull)
      return std::nullopt;
    for (unsigned D = 0; D < L.Dims; ++D)
      Size[D] = *L.Local[D];
    if (Common && *Common != Size)
      return std::nullopt;
    Common = Size;
  }
  return Common;
}

} // namespace clmali::model
