//===-- rewriters/pass/Refusal.cpp - Why a rewrite is refused, in words -------===//
//
// One table: the stable name of each refusal, and the two sentences that --explain-refusals
// prints: what prevents the rewrite, what the user could change.
//
//===----------------------------------------------------------------------===//

#include "rewriters/pass/Refusal.h"

namespace clmali::rewrite {

namespace {

struct Words {
  Refusal Why;
  llvm::StringLiteral Name, Advice;
};

constexpr Words Table[] = {
    {Refusal::None, "none", ""},
    {Refusal::CrossItemDependence, "cross-item-dependence",
     "A work-item may touch an element that another work-item writes, so their order matters. "
     "Write the results to a buffer of their own."},
    {Refusal::DataDependentStore, "data-dependent-store",
     "Where a work-item stores is read from memory, so two lanes may store to one element. "
     "Make the store's index a function of the work-item's ids."},
    {Refusal::DivergentBarrier, "divergent-barrier",
     "Not all work-items of a group reach this barrier, which OpenCL forbids. "
     "Move the barrier out of the branch."},
    {Refusal::DivergentLoop, "divergent-loop",
     "Neighbouring work-items run this loop a different number of times, so they cannot run as "
     "lanes. "
     "Give the loop a bound that is the same for neighbours."},
    {Refusal::StagingModified, "staging-modified",
     "The local copy is changed before it is read, so reads cannot go to the source. "
     "Keep the copy unchanged, or leave the kernel as it is."},
    {Refusal::StagingSourceWritten, "staging-source-written",
     "The global memory that was copied is written while the copy is in use. "
     "Write to another buffer."},
    {Refusal::StagingNotACopy, "staging-not-a-copy",
     "Local memory holds computed values, not a copy of global memory. "
     "There is nothing to read instead."},
    {Refusal::GroupExchange, "group-exchange",
     "The work-items of a group exchange values through local memory in several steps, so barriers "
     "order them. "
     "Let each work-item do the first steps on several elements of its own, in registers."},
    {Refusal::VolatileAccess, "volatile-access",
     "A volatile access must happen as it is written. "
     "Drop volatile where nothing outside the kernel changes the memory."},
    {Refusal::Atomic, "atomic",
     "The old value of an atomic, or atomics of two kinds on one element, order work-items, so "
     "they "
     "cannot become lanes. "
     "Sum up within the work-item first and use one atomic for the sum."},
    {Refusal::InlineAssembly, "inline-assembly",
     "Inline assembly cannot be understood or moved to another GPU. "
     "Write it in OpenCL C."},
    {Refusal::LocalIdUse, "local-id-use",
     "The kernel depends on ids or offsets in a way that a block of work-items would change. "
     "Use global ids."},
    {Refusal::GroupGeometry, "group-geometry",
     "The kernel works in groups whose size is not known to divide into blocks. "
     "Give the local size in the launch file."},
    {Refusal::IndexOverflow, "index-overflow",
     "An index type may wrap around inside a block. "
     "Use int or size_t for indices."},
    {Refusal::NarrowingOverflow, "narrowing-overflow",
     "The values do not fit a narrower type. "
     "Bound them, or keep the wide type."},
    {Refusal::OpaqueConstruct, "opaque-construct",
     "The model cannot represent this construct, so nothing is known of what it does. "
     "Move it out of the kernel or write it in plainer OpenCL C."},
    {Refusal::Aliasing, "aliasing",
     "Buffers may overlap, so reads and writes cannot change places. "
     "Qualify the pointers with restrict if they do not."},
    {Refusal::AlreadyVectorized, "already-vectorized",
     "The kernel computes on vectors, so there are no scalars to make lanes of. "
     "Nothing needs to change."},
    {Refusal::UnsupportedType, "unsupported-type",
     "Values of this type cannot become lanes. "
     "Use scalars that differ between work-items."},
    {Refusal::UnstructuredControl, "unstructured-control",
     "Neighbouring work-items leave this code at different places. "
     "Compute the result first and branch once at the end."},
    {Refusal::NothingPays, "nothing-pays",
     "The rewrite is legal but not predicted to be faster on this device. "
     "Nothing needs to change."},
    {Refusal::BlockShape, "block-shape",
     "The kernel cannot be made of blocks of the shape that --shape or --passes demands. "
     "Demand one of those that are named, or none."},
    {Refusal::RacyOriginal, "racy-original",
     "Two work-items access one element, one of them writes, and nothing orders them, so there is "
     "no result to keep. "
     "Put a barrier between the accesses, or use an atomic."},
};

constexpr bool inOrder() {
  for (size_t I = 0; I < std::size(Table); ++I)
    if (size_t(Table[I].Why) != I)
      return false;
  return std::size(Table) == size_t(Refusal::RacyOriginal) + 1;
}
static_assert(inOrder(), "a row for each refusal, in the order of the enumeration");

} // namespace

llvm::StringRef refusalName(Refusal R) { return Table[size_t(R)].Name; }

llvm::StringRef refusalAdvice(Refusal R) { return Table[size_t(R)].Advice; }

void RefusalList::add(const RefusalAt &R, bool WithValues) {
  auto Known = llvm::find_if(All, [&](const RefusalAt &X) {
    return X.Why == R.Why && X.Pass == R.Pass && X.Range.Begin == R.Range.Begin;
  });
  if (Known == All.end()) {
    All.push_back(R);
    Stands.push_back(WithValues);
  } else if (WithValues) {
    Stands[Known - All.begin()] = true;
  }
}

std::vector<RefusalAt> RefusalList::take() {
  std::vector<RefusalAt> Sorted;
  for (const bool First : {true, false})
    for (size_t I = 0; I < All.size(); ++I)
      if (Stands[I] == First)
        Sorted.push_back(std::move(All[I]));
  All.clear();
  Stands.clear();
  return Sorted;
}

} // namespace clmali::rewrite
