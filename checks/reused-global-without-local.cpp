//===- reused-global-without-local.cpp ---------------------------------------------------------===//
//
// Before: in[i] + in[i + 1] + in[i + 2]        each element is read by three work-items
// After:  a tile in local memory, read once    (clmali-rewrite, localize)
// Limits: kernels that use no local memory.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Query.h"
#include "checks/model/Trial.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

static bool enough(double Readers, Context &C) { return Readers >= double(C.option("MinReads")); }

static void run(const Kernel &, Context &C) {
  if (!C.device().LocalOnChip)
    return;
  const KernelAnalysis &K = C.analysis();
  for (const AccessSite &A : K.accesses()) {
    if (A.A->Base->space() == AddressSpace::Local)
      return;
  }
  std::set<const Var *> Reported;
  for (const AccessSite &First : K.accesses()) {
    const Access &A = *First.A;
    if (!First.Load || A.Base->space() != AddressSpace::Global || Reported.count(A.Base))
      continue;
    bool Regular = isRegular(K, First);
    for (unsigned Dim = 0; Dim < 3 && Regular; ++Dim) {
      std::optional<int64_t> Stride = constantStride(K, A, Dim);
      if (!Stride || *Stride == 0)
        continue;
      // Neighbours meet where two loads are a whole number of strides apart, along this dimension and
      // the one above it (a few rows).
      constexpr int64_t Rows = 4;
      std::optional<Poly> Row = Dim < 2 ? K.stride(A, Dim + 1) : std::nullopt;
      if (Row && Row->isZero())
        Row = std::nullopt;
      std::set<std::pair<int64_t, int64_t>> Steps{{0, 0}};
      for (const AccessSite &Other : K.accesses()) {
        if (!Other.Load || Other.A->Base != A.Base || restsOnGuess(C.module(), K, Other))
          continue;
        Poly Apart = Other.Bytes - First.Bytes;
        for (int64_t N = 0; N <= (Row ? 2 * Rows : 0); ++N) {
          int64_t R = N % 2 ? -(N + 1) / 2 : N / 2; // 0, -1, 1, -2, ..
          Poly P = R ? Apart - *Row * R : Apart;
          if (!P.isConstant() || P.constantTerm() % *Stride || std::abs(P.constantTerm() / *Stride) > 16)
            continue;
          Steps.insert({P.constantTerm() / *Stride, R});
          break;
        }
      }
      if (int64_t(Steps.size()) < C.option("MinReads"))
        continue;
      bool OneRow = all_of(Steps, [](const auto &S) { return S.second == 0; });
      Reported.insert(A.Base);
      C.report(A.Range, "each element of " + nameOf(A) + " is read by " + utostr(Steps.size()) +
                            " neighbouring work-items" +
                            (OneRow ? " of dimension " + utostr(Dim)
                                    : " of dimensions " + utostr(Dim) + " and " + utostr(Dim + 1)))
          .cost("a tile in local memory is read from global memory once")
          .fix(Applicability::Verify, "clmali-rewrite --passes=localize");
      break;
    }
    if (Reported.count(A.Base) || First.Loops.empty())
      continue;
    // A table that all work-items walk through alike.
    if (isAlike(K, First.Bytes) && !isUniform(K, First.Bytes) && !restsOnGuess(C.module(), K, First)) {
      Reported.insert(A.Base);
      C.report(A.Range, "each element of " + nameOf(A) + " is read by all work-items, one after another in a loop")
          .cost("a tile in local memory is read from global memory once");
      continue;
    }
    // The same element for all work-items of one dimension, while another one walks along.
    bool Walks = false, Shared = false;
    unsigned SharedDim = 0;
    uint8_t Used = 0;
    for (const AccessSite &Other : K.accesses())
      for (unsigned Dim = 0; Dim < 3; ++Dim)
        if (std::optional<Poly> Moves = K.stride(*Other.A, Dim); Other.IsWrite && isRegular(K, Other) && Moves && !Moves->isZero())
          Used |= 1 << Dim;
    for (unsigned Dim = 0; Dim < 3; ++Dim) {
      if (!(Used & (1 << Dim)) || !Regular)
        continue;
      std::optional<Poly> Stride = K.stride(A, Dim);
      if (!Stride)
        continue;
      if (Stride->isZero()) {
        Shared = true;
        SharedDim = Dim;
      } else {
        Walks = true;
      }
    }
    if (!Walks || !Shared) {
      // A window that a loop walks, clamped at the borders, or by a table of offsets.
      Trial &Tried = *C.once<std::shared_ptr<Trial>>("trial", [&] { return std::make_shared<Trial>(K); });
      if (restsOnGuess(C.module(), K, First) || !enough(Tried.readers(&First), C))
        continue;
      Reported.insert(A.Base);
      C.report(A.Range, "each element of " + nameOf(A) + " is read by several neighbouring work-items, in a loop")
          .cost("a tile in local memory is read from global memory once")
          .fix(Applicability::Verify, "clmali-rewrite --passes=localize");
      continue;
    }
    Reported.insert(A.Base);
    C.report(A.Range, "each element of " + nameOf(A) + " is read by every work-item of dimension " +
                          utostr(SharedDim))
        .cost("a tile in local memory is read from global memory once")
        .fix(Applicability::Verify, "clmali-rewrite --passes=localize");
  }
  // Windows without a loop whose places are wrapped or clamped.
  for (const AccessSite &First : K.accesses()) {
    const Access &A = *First.A;
    if (!First.Load || A.Base->space() != AddressSpace::Global || !Reported.insert(A.Base).second)
      continue;
    // Those outside of loops, and all together.
    std::vector<const AccessSite *> Single, All;
    bool Guessed = false;
    for (const AccessSite &Other : K.accesses())
      if (Other.Load && Other.A->Base == A.Base) {
        (Other.Loops.empty() ? Single : All).push_back(&Other);
        Guessed |= restsOnGuess(C.module(), K, Other);
      }
    size_t InLoops = All.size();
    All.insert(All.end(), Single.begin(), Single.end());
    if (Guessed || int64_t(All.size()) < C.option("MinReads"))
      continue;
    Trial &Tried = *C.once<std::shared_ptr<Trial>>("trial", [&] { return std::make_shared<Trial>(K); });
    bool Found = int64_t(Single.size()) >= C.option("MinReads") && enough(Tried.readers(Single), C);
    if (Found || (InLoops && enough(Tried.readers(All), C)))
      C.report(A.Range, "each element of " + nameOf(A) + " is read by several neighbouring work-items")
          .cost("a tile in local memory is read from global memory once")
          .fix(Applicability::Verify, "clmali-rewrite --passes=localize");
  }
}

CLMALI_KERNEL_CHECK("reused-global-without-local", run);
