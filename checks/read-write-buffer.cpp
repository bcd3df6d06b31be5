//===- read-write-buffer.cpp (host) -----------------------------------------------------------===//
//
// Before: b = clCreateBuffer(c, CL_MEM_READ_ONLY, n, NULL, &e);
//         clEnqueueReadBuffer(queue, b, CL_TRUE, 0, n, data, 0, NULL, NULL)
// After:  b = clCreateBuffer(c, CL_MEM_READ_ONLY | CL_MEM_ALLOC_HOST_PTR, n, NULL, &e);
//         readThroughMap(queue, b, 0, n, data, 0, NULL, NULL), which maps, copies, and unmaps
// Limits: silent in files that use the unified-memory query in a condition. Edits only if Mapping.h
//         finds all their parts.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/HostCalls.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

/// The function that copies through a mapping: its arguments are those of the transfer without the
/// flag.
static std::string helper(bool Writes, bool Cpp, bool CppFile, bool Invalidates) {
  StringRef Access = !Writes       ? "CL_MAP_READ"
                     : Invalidates ? "CL_MAP_WRITE_INVALIDATE_REGION"
                                   : "CL_MAP_WRITE";
  std::string Says =
      Writes
          ? "Writes to the buffer's own memory, which the GPU uses as it is "
            "(CL_MEM_ALLOC_HOST_PTR)."
          : "Reads the buffer's own memory, which the GPU uses as it is (CL_MEM_ALLOC_HOST_PTR).";
  Says = CppFile ? "// " + Says + "\n" : "/* " + Says + " */\n";
  StringRef Name = Writes ? "writeThroughMap" : "readThroughMap";
  StringRef Data = Writes ? "const void *data" : "void *data";
  std::string Indent(Name.size() + 15, ' ');
  std::string Copy = Writes ? "  memcpy(mapped, data, size);\n" : "  memcpy(data, mapped, size);\n";
  if (Cpp)
    return Says +
           ("static cl_int " + Name +
            "(const cl::CommandQueue &queue, const cl::Buffer &buffer, size_t offset, size_t "
            "size,\n")
               .str() +
           Indent + Data.str() + ", const std::vector<cl::Event> *waitList = NULL,\n" + Indent +
           "cl::Event *event = NULL) {\n" +
           "  cl_int error = CL_SUCCESS;\n"
           "  void *mapped = queue.enqueueMapBuffer(buffer, CL_TRUE, " +
           Access.str() +
           ", offset, size,\n"
           "                                        waitList, NULL, &error);\n"
           "  if (error != CL_SUCCESS)\n"
           "    return error;\n" +
           Copy +
           "  cl::Event done;\n"
           "  error = queue.enqueueUnmapMemObject(buffer, mapped, NULL, &done);\n"
           "  if (error != CL_SUCCESS)\n"
           "    return error;\n"
           "  if (event)\n"
           "    *event = done;\n"
           "  return done.wait();\n"
           "}\n\n";
  return Says +
         ("static cl_int " + Name +
          "(cl_command_queue queue, cl_mem buffer, size_t offset, size_t size, " + Data + ",\n")
             .str() +
         Indent + "cl_uint waits, const cl_event *waitList, cl_event *event) {\n" +
         "  cl_int error;\n"
         "  cl_event done;\n"
         "  void *mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, " +
         Access.str() +
         ", offset, size,\n"
         "                                    waits, waitList, NULL, &error);\n"
         "  if (error != CL_SUCCESS)\n"
         "    return error;\n" +
         Copy +
         "  error = clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, &done);\n"
         "  if (error != CL_SUCCESS)\n"
         "    return error;\n"
         "  error = clWaitForEvents(1, &done);\n"
         "  if (event)\n"
         "    *event = done;\n"
         "  else\n"
         "    clReleaseEvent(done);\n"
         "  return error;\n"
         "}\n\n";
}

static std::vector<Edit> edits(const HostModule &H, const HostCall &Call, Context &C) {
  const HostMapping &M = *Call.Mapping;
  const HostMappingRoom &Room = *H.MappingRoom;
  std::vector<Edit> Result;
  if (Room.Include)
    Result.push_back({*Room.Include, "#include <string.h>\n", /*Shared=*/true});
  bool CppFile = !StringRef(H.Files.front().Name).ends_with(".c");
  if (!(M.Writes ? Room.HasWrite : Room.HasRead))
    Result.push_back(
        {Room.Functions, helper(M.Writes, M.IsMethod, CppFile, Room.Invalidates), /*Shared=*/true});
  std::string Head = M.Writes ? "writeThroughMap(" : "readThroughMap(";
  if (M.IsMethod)
    Head += (M.QueueIsPointer ? "*" : "") + C.text(M.Queue).str() + ", ";
  Result.push_back({M.Head, Head});
  Result.push_back({M.Waits, ""});
  for (const HostMapping::Flag &F : M.Flags)
    switch (F.Does) {
    case HostMapping::Flag::Add:
      Result.push_back(
          {{F.Range.File, F.Range.End, F.Range.End}, " | CL_MEM_ALLOC_HOST_PTR", /*Shared=*/true});
      break;
    case HostMapping::Flag::Replace:
      Result.push_back({F.Range, "CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR", /*Shared=*/true});
      break;
    case HostMapping::Flag::OverHost: {
      // The same edit as use-host-ptr makes.
      size_t At = C.text(F.Range).find("CL_MEM_USE_HOST_PTR");
      if (At == StringRef::npos)
        return {};
      uint32_t Begin = F.Range.Begin + At;
      Result.push_back(
          {{F.Range.File, Begin, Begin + uint32_t(StringRef("CL_MEM_USE_HOST_PTR").size())},
           "CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR",
           /*Shared=*/true});
      break;
    }
    }
  return Result;
}

/// The size of a transfer of a buffer, where it is known.
static std::optional<int64_t> bytesOf(const HostCall &Call) {
  // Queue (C only), buffer, flag, offset, size.
  size_t Size = Call.IsCpp ? 3 : 4;
  if (StringRef(Call.Name).ends_with("Rect"))
    return std::nullopt;
  return Size < Call.Args.size() ? Call.Args[Size].Value : std::nullopt;
}

static void run(const HostModule &H, Context &C) {
  if (!C.device().UnifiedMemory || decidesByUnifiedMemory(H))
    return;
  for (const HostCall &Call : H.Calls) {
    if (isCopy(Call))
      C.report(Call.NameRange, "cl::copy copies between memories that are one, through a mapping")
          .atMost(rules::Severity::Info)
          .cost("computing in the mapped memory copies nothing");
    if (!isTransfer(Call) || Call.Forbidden) // it copies nothing, and a map fails as well
      continue;
    Finding &F =
        C.report(Call.NameRange, shortName(Call) + " copies between memories that are one");
    F.cost("every byte goes through the caches twice; mapping copies nothing");
    if (std::optional<int64_t> Bytes = bytesOf(Call); Bytes && *Bytes < C.option("MinBytes"))
      F.atMost(rules::Severity::Info);
    std::vector<Edit> Edits;
    if (Call.Mapping && H.MappingRoom && !(Call.Mapping->StartsToWait && H.MappingRoom->UserEvents))
      Edits = edits(H, Call, C);
    if (Edits.empty())
      F.fix(Applicability::Unsafe,
            "map and unmap a buffer that was made with CL_MEM_ALLOC_HOST_PTR");
    else
      F.fix(Applicability::Unsafe,
            "copy through a mapping of a buffer that was made with CL_MEM_ALLOC_HOST_PTR; better "
            "still, compute in the "
            "mapped memory, with no copy",
            std::move(Edits));
  }
}

CLMALI_HOST_CHECK("read-write-buffer", run);
