// The request for one size, from a launch file and a manifest.

#include "rewriters/verify/symbolic/Symbolic.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace clmali::verify {

using namespace llvm;

/// The values of a scalar, if all of them are integer expressions; a float literal leaves it free.
static void setScalar(SymbolicArgument &New, const launch::Argument &A,
                      const launch::Bindings &Names) {
  std::vector<int64_t> Values;
  for (const std::string &Text : A.Value) {
    Expected<launch::Expression> E = launch::Expression::parse(Text);
    Expected<int64_t> V = E ? E->evaluate(Names) : Expected<int64_t>(E.takeError());
    if (!V) {
      consumeError(V.takeError());
      return;
    }
    Values.push_back(*V);
  }
  if (Values.empty())
    return;
  New.Values = std::move(Values);
  New.Pinned = all_of(A.Value, [](const std::string &Text) {
    return none_of(Text, [](char C) { return isAlpha(C); });
  });
}

/// What a buffer or an image holds.
static Error setData(SymbolicArgument &New, const launch::Argument &A,
                     const launch::LaunchFile &Launch, const launch::Bindings &Names) {
  if (A.Data.K == launch::DataSpec::Kind::SameAs) {
    auto Same =
        find_if(Launch.Args, [&](const launch::Argument &B) { return B.Name == A.Data.SameAs; });
    New.SameAs = unsigned(Same - Launch.Args.begin());
  }
  if (A.Data.K != launch::DataSpec::Kind::Range)
    return Error::success();
  Expected<int64_t> Low = A.Data.RangeLow.evaluate(Names);
  if (!Low)
    return Low.takeError();
  Expected<int64_t> High = A.Data.RangeHigh.evaluate(Names);
  if (!High)
    return High.takeError();
  New.Range = {*Low, *High};
  return Error::success();
}

static Error setBuffer(SymbolicArgument &New, const launch::Argument &A,
                       const launch::LaunchFile &Launch, const launch::Bindings &Names) {
  Expected<int64_t> Count = A.Count.evaluate(Names);
  if (!Count)
    return Count.takeError();
  if (*Count < 0)
    return createStringError("the count of " + A.Name + " is negative");
  New.Count = uint64_t(*Count);
  return setData(New, A, Launch, Names);
}

static Error setImage(SymbolicArgument &New, const launch::Argument &A,
                      const launch::LaunchFile &Launch, const launch::Bindings &Names) {
  Expected<std::array<uint64_t, 3>> Extents = launch::extentsOf(A, Names);
  if (!Extents)
    return Extents.takeError();
  New.Format = A.Format;
  New.Extents = *Extents;
  New.Count = New.Extents[0] * New.Extents[1] * New.Extents[2];
  return setData(New, A, Launch, Names);
}

static Error setLocal(SymbolicArgument &New, const launch::Argument &A,
                      const launch::Bindings &Names) {
  Expected<int64_t> Bytes = A.LocalBytes.evaluate(Names);
  if (!Bytes)
    return Bytes.takeError();
  if (*Bytes < 0)
    return createStringError("the bytes of " + A.Name + " are negative");
  New.LocalBytes = uint64_t(*Bytes);
  return Error::success();
}

static Expected<SymbolicArgument> argumentOf(const launch::Argument &A,
                                             const launch::LaunchFile &Launch,
                                             const launch::Bindings &Names) {
  SymbolicArgument New;
  New.Name = A.Name;
  Error E = Error::success();
  switch (A.K) {
  case launch::Argument::Kind::Scalar:
    New.K = SymbolicArgument::Kind::Scalar;
    setScalar(New, A, Names);
    break;
  case launch::Argument::Kind::Buffer:
    New.K = SymbolicArgument::Kind::Buffer;
    E = setBuffer(New, A, Launch, Names);
    break;
  case launch::Argument::Kind::Local:
    New.K = SymbolicArgument::Kind::Local;
    E = setLocal(New, A, Names);
    break;
  case launch::Argument::Kind::Image:
    New.K = SymbolicArgument::Kind::Image;
    E = setImage(New, A, Launch, Names);
    break;
  case launch::Argument::Kind::Sampler:
    New.K = SymbolicArgument::Kind::Sampler;
    New.Sampler = A.Sampler;
    break;
  }
  if (E)
    return std::move(E);
  return New;
}

Expected<SymbolicRequest> makeSymbolicRequest(const SymbolicProgram &Original,
                                              const SymbolicProgram &Rewritten,
                                              const launch::LaunchFile &Launch,
                                              const launch::Size &At,
                                              const launch::ManifestKernel &Manifest) {
  SymbolicRequest R;
  R.Original = Original;
  R.Rewritten = Rewritten;
  launch::Bindings Names = launch::bindingsAt(Launch, At);
  for (const launch::Argument &A : Launch.Args) {
    Expected<SymbolicArgument> New = argumentOf(A, Launch, Names);
    if (!New)
      return New.takeError();
    R.Args.push_back(std::move(*New));
  }
  Expected<launch::Geometry> Shape = launch::geometryAt(Launch, At);
  if (!Shape)
    return Shape.takeError();
  R.OriginalLaunch.Kernel = Launch.Kernel;
  R.OriginalLaunch.Shape = *Shape;
  Expected<launch::Bindings> Integers = launch::integerArgumentsAt(Launch, At);
  if (!Integers)
    return Integers.takeError();
  Expected<std::vector<launch::ResolvedLaunch>> Launches =
      launch::resolveLaunches(Manifest, *Shape, *Integers);
  if (!Launches)
    return Launches.takeError();
  for (const launch::ResolvedLaunch &L : *Launches)
    R.RewrittenLaunches.push_back({L.Kernel, L.Shape, L.LocalBytes});
  return R;
}

} // namespace clmali::verify
