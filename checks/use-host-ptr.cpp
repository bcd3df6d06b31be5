//===- use-host-ptr.cpp (host) ----------------------------------------------------------------===//
//
// Before: clCreateBuffer(ctx, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, n, data, &err)
// After:  clCreateBuffer(ctx, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, n, NULL, &err), and map
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
        // If the program accesses the memory through the API only, memory of the driver with an
        // initial copy is equivalent. It is not proved that no other code has the pointer.
        if (Call.PointerDone && C.text(Location) == "CL_MEM_USE_HOST_PTR")
          F.fix(Applicability::Unsafe,
                "memory of the driver with a first copy: CL_MEM_ALLOC_HOST_PTR | "
                "CL_MEM_COPY_HOST_PTR; better still, map "
                "the buffer and fill it there",
                {{Location, "CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR", /*Shared=*/true}});
        else
          F.fix(Applicability::Verify,
                "CL_MEM_ALLOC_HOST_PTR, with map and unmap in place of the copy "
                "(zero-copy)");
        if (A.FromCallers)
          F.note(Call.Range, "the memory object is made here");
      }
      break;
    }
  }
}

CLMALI_HOST_CHECK("use-host-ptr", run);
