// The launches of a manifest in numbers.
#include "rewriters/launch/Manifest.h"

#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace clmali::launch {
namespace {

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

Expected<int64_t> evaluate(const Expression &E, const Bindings &Values, const Twine &Where) {
  Expected<int64_t> Value = E.evaluate(Values);
  if (!Value)
    return failure(Where + ": " + llvm::toString(Value.takeError()));
  return Value;
}

Expected<ResolvedLaunch> resolve(const ManifestLaunch &L, unsigned Index, const Bindings &Values) {
  std::string Where = "launch " + std::to_string(Index) + " ('" + L.Kernel + "')";
  ResolvedLaunch R;
  R.Kernel = L.Kernel;
  R.Index = Index;
  R.Shape.Dimensions = L.Global.size();
  unsigned NullLocals = 0;
  for (unsigned D = 0; D < L.Global.size(); ++D) {
    Expected<int64_t> Global = evaluate(L.Global[D], Values, Where + ": global");
    if (!Global)
      return Global.takeError();
    if (*Global <= 0)
      return failure(Where + ": global: '" + L.Global[D].text() + "' is " + Twine(*Global) +
                     "; its 'when' must keep such a launch out");
    R.Shape.Global[D] = *Global;
    if (L.Local) {
      Expected<int64_t> Local = evaluate((*L.Local)[D], Values, Where + ": local");
      if (!Local)
        return Local.takeError();
      if (*Local < 0)
        return failure(Where + ": local: '" + (*L.Local)[D].text() + "' is " + Twine(*Local));
      if (*Local == 0)
        ++NullLocals;
      else if (*Global % *Local != 0)
        return failure(Where + ": local size " + Twine(*Local) + " does not divide global size " +
                       Twine(*Global) + " in dimension " + Twine(D));
      R.Shape.Local[D] = *Local;
    }
    if (!L.Offset.empty()) {
      Expected<int64_t> Offset = evaluate(L.Offset[D], Values, Where + ": offset");
      if (!Offset)
        return Offset.takeError();
      if (*Offset < 0)
        return failure(Where + ": offset: '" + L.Offset[D].text() + "' is " + Twine(*Offset));
      R.Shape.Offset[D] = *Offset;
    }
  }
  if (NullLocals != 0 && NullLocals != L.Global.size())
    return failure(Where + ": local is 0 in some dimensions only");
  if (L.Local && NullLocals == 0)
    for (unsigned D = L.Global.size(); D < 3; ++D)
      R.Shape.Local[D] = 1;
  for (const auto &[Name, E] : L.LocalBytes) {
    Expected<int64_t> Bytes = evaluate(E, Values, Where + ": localBytes");
    if (!Bytes)
      return Bytes.takeError();
    if (*Bytes <= 0)
      return failure(Where + ": localBytes: '" + E.text() + "' is " + Twine(*Bytes));
    R.LocalBytes[Name] = *Bytes;
  }
  return R;
}

} // namespace

Expected<std::vector<ResolvedLaunch>>
resolveLaunches(const ManifestKernel &Kernel, const Geometry &Original, const Bindings &Arguments) {
  Bindings Values = Arguments;
  for (unsigned D = 0; D < 3; ++D) {
    char Axis = "xyz"[D];
    // A reserved name always means the geometry, whatever an argument is called.
    Values[std::string("g") + Axis] = Original.Global[D];
    Values[std::string("l") + Axis] = Original.Local[D];
    Values[std::string("o") + Axis] = Original.Offset[D];
  }
  for (const Expression &E : Kernel.Require) {
    Expected<int64_t> Holds = evaluate(E, Values, "require");
    if (!Holds)
      return Holds.takeError();
    if (!*Holds)
      return std::vector<ResolvedLaunch>{
          {Kernel.Original, static_cast<unsigned>(Kernel.Launches.size()), Original, {}}};
  }
  std::vector<ResolvedLaunch> Result;
  for (unsigned I = 0; I < Kernel.Launches.size(); ++I) {
    const ManifestLaunch &L = Kernel.Launches[I];
    Expected<int64_t> When =
        evaluate(L.When, Values, "launch " + Twine(I) + " ('" + L.Kernel + "'): when");
    if (!When)
      return When.takeError();
    if (!*When)
      continue;
    Expected<ResolvedLaunch> R = resolve(L, I, Values);
    if (!R)
      return R.takeError();
    Result.push_back(std::move(*R));
  }
  if (Result.empty())
    return failure("no launch of the manifest holds: nothing would run");
  return Result;
}

} // namespace clmali::launch
