//===- uniform-image-read.cpp -----------------------------------------------------------------===//
//
// Before: for (k..) sum += read_imagef(weights, s, (int2)(k, 0)) * read_imagef(in, s, (int2)(x,
// k)); After:  sum += weights[k] * ..            __constant float4 *weights Limits: reads in loops
// whose coordinates are the same for a group; those that do not depend on
//         the loop either belong to loop-invariant-read.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/query/Query.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static void run(const Kernel &, Context &C) {
  const KernelAnalysis &K = C.analysis();
  if (!usesIds(K))
    return;
  std::set<StringRef> Written;
  MapVector<StringRef, std::vector<const ImageAccess *>> Uniform;
  std::vector<ImageAccess> All = imageAccesses(C);
  size_t Reads = 0;
  for (const ImageAccess &A : All) {
    if (A.IsWrite) {
      Written.insert(A.Image);
      continue;
    }
    std::vector<const Stmt *> Loops = K.loopsOf(A.S);
    if (Loops.empty())
      continue;
    ++Reads;
    if (K.varies(A.At, A.S).uniform() && !K.varies(A.At, A.S).Data &&
        !K.isLoopInvariant(A.At, A.S, Loops.back()))
      Uniform[A.Image].push_back(&A);
  }
  for (const auto &[Image, Same] : Uniform) {
    if (Written.count(Image))
      continue;
    Finding &F = C.report(Same.front()->Range, "the texels of '" + Image +
                                                   "' are the same for all work-items of a "
                                                   "group: " +
                                                   utostr(Same.size()) + " of " + utostr(Reads) +
                                                   " reads in loops");
    F.restsOn(Same.front()->Range)
        .cost("each work-item reads them through the texture unit; from a __constant or __global "
              "const buffer the load/store unit takes them, once for all")
        .atMost(rules::Severity::Info);
    for (const ImageAccess *A : drop_begin(Same))
      F.note(A->Range, "another one");
  }
}

CLMALI_KERNEL_CHECK("uniform-image-read", run);
