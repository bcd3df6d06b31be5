//===- use-host-ptr.cpp (host) ----------------------------------------------------------------===//
//
// Before: clCreateBuffer(ctx, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, n, data, &err)
// After:  clCreateBuffer(ctx, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, n, NULL, &err), and map
//
// A buffer that a loop makes, fills and releases in each iteration is made before the loop, and
// mapped while the host fills it (LoopBuffers.h).
//
// Limits: flags that reach the call through macros, constants and variables of the same file. A
//         function of another file counts as one that creates a memory object if its name says so.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Check.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static bool createsMemory(StringRef Call) {
  return Call.starts_with("clCreateBuffer") || Call.starts_with("clCreateImage") ||
         Call == "cl::Buffer" || Call.starts_with("cl::Image") ||
         // Of functions in other files only the flag argument is known.
         !(Call.starts_with("cl::") || Call.starts_with("cl"));
}

/// The whitespace between the begin of the line and At; empty if there is more.
static StringRef indentAt(Context &C, uint32_t File, uint32_t At) {
  StringRef Line = C.text({File, 0, At}).rsplit('\n').second;
  return Line.trim().empty() ? Line : StringRef();
}

/// Inserts a statement before the one at At, with the same indentation.
static Edit before(Context &C, SourceRange At, const Twine &Statement) {
  StringRef Indent = indentAt(C, At.File, At.Begin);
  return {{At.File, At.Begin, At.Begin},
          (Statement + (Indent.empty() ? " " : "\n") + Indent).str()};
}

/// The buffer is made before the loop, and mapped while the host fills it. UseHostPtr: the flag.
static std::vector<Edit> mapped(const HostLoopBuffer &B, SourceRange UseHostPtr, Context &C) {
  uint32_t File = B.Loop.File;
  std::string Size = C.text(B.Size).str();
  std::string Status = B.Status.isValid() ? C.text(B.Status).str() : "NULL";
  std::string Flags = (C.text({File, B.Flags.Begin, UseHostPtr.Begin}) + "CL_MEM_ALLOC_HOST_PTR" +
                       C.text({File, UseHostPtr.End, B.Flags.End}))
                          .str();
  std::string Handles = B.Queue + ", " + B.Buffer + ", ";
  std::string Unmap = "clEnqueueUnmapMemObject(" + Handles + B.Pointer + ", 0, NULL, NULL)";
  if (StringRef(Status).starts_with("&"))
    Unmap = StringRef(Status).drop_front().ltrim().str() + " = " + Unmap;
  std::vector<Edit> Result;
  Result.push_back(before(C, B.Loop,
                          Twine(B.Declares ? "cl_mem " : "") + B.Buffer + " = clCreateBuffer(" +
                              C.text(B.Context) + ", " + Flags + ", " + Size + ", NULL, " + Status +
                              ");"));
  Result.push_back(before(C, B.FirstUse,
                          B.TypedPointer + " = (" + B.Type + ")clEnqueueMapBuffer(" + Handles +
                              "CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, " + Size +
                              ", 0, NULL, NULL, " + Status + ");"));
  Result.push_back({B.Creation, Unmap + (B.Declares ? ";" : "")});
  // The whole line, if there is nothing else.
  SourceRange Gone = B.Release;
  StringRef Behind = C.text({File, Gone.End, B.Loop.End});
  StringRef Rest = Behind.split('\n').first;
  StringRef Indent = indentAt(C, File, Gone.Begin);
  if (Rest.trim() == ";" && !Indent.empty())
    Gone = {File, Gone.Begin - uint32_t(Indent.size()), Gone.End + uint32_t(Rest.size()) + 1};
  Result.push_back({Gone, ""});
  Result.push_back({{File, B.Loop.End, B.Loop.End},
                    ("\n" + indentAt(C, File, B.Loop.Begin) + C.text(B.Release) + ";").str()});
  return Result;
}

/// The finding's fix. Location: the flag.
static void fix(Finding &F, const HostCall &Call, SourceRange Location, Context &C) {
  bool IsFlag = C.text(Location) == "CL_MEM_USE_HOST_PTR";
  // If the program accesses the memory through the API only, memory of the driver with an initial
  // copy is equivalent. It is not proved that no other code has the pointer.
  if (Call.PointerDone && IsFlag)
    F.fix(Applicability::Unsafe,
          "memory of the driver with a first copy: CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR; "
          "better still, map the buffer and fill it there",
          {{Location, "CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR", /*Shared=*/true}});
  else if (const auto &B = Call.LoopBuffer;
           B && IsFlag && Location.Begin >= B->Flags.Begin && Location.End <= B->Flags.End)
    F.fix(Applicability::Unsafe,
          "make the buffer once, before the loop, with CL_MEM_ALLOC_HOST_PTR, and map it while the "
          "host fills it; functions of other files may not keep '" +
              B->Pointer + "' nor use another queue",
          mapped(*B, Location, C));
  else
    F.fix(Applicability::Verify,
          "CL_MEM_ALLOC_HOST_PTR, with map and unmap in place of the copy (zero-copy)");
}

static void run(const HostModule &H, Context &C) {
  for (const HostCall &Call : H.Calls) {
    if (!createsMemory(Call.Name))
      continue;
    for (const HostArgument &A : Call.Args) {
      if (!is_contained(A.Macros, "CL_MEM_USE_HOST_PTR"))
        continue;
      std::vector<SourceRange> Locations{A.Range};
      if (A.FromCallers) {
        // Report each caller that passes the flag.
        Locations.clear();
        for (const auto &[Macro, Range] : A.MacroPlaces)
          if (Macro == "CL_MEM_USE_HOST_PTR")
            Locations.push_back(Range);
        if (Locations.empty())
          Locations.push_back(A.Range);
      }
      for (SourceRange Location : Locations) {
        for (const auto &[Macro, Range] : A.MacroPlaces)
          if (!A.FromCallers && Macro == "CL_MEM_USE_HOST_PTR" && Range.File == A.Range.File &&
              Range.Begin >= A.Range.Begin && Range.End <= A.Range.End)
            Location = Range;
        Finding &F =
            C.report(Location, "the memory object lies over memory of the host, which the GPU "
                               "cannot map");
        F.cost("the driver allocates a second buffer, and copies each time that the data changes "
               "hands");
        if (Location.Begin == A.Range.Begin && Location.End == A.Range.End)
          for (const auto &[Macro, Range] : A.MacroPlaces)
            if (Macro == "CL_MEM_USE_HOST_PTR" &&
                (Range.Begin < A.Range.Begin || Range.End > A.Range.End))
              F.note(Range, "the flag comes from here");
        fix(F, Call, Location, C);
        if (A.FromCallers)
          F.note(Call.Range, "the memory object is made here");
      }
      break;
    }
  }
}

CLMALI_HOST_CHECK("use-host-ptr", run);
