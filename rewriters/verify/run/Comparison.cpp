#include "rewriters/verify/run/Comparison.h"

using namespace llvm;

namespace clmali::verify {

std::optional<BufferDifference> compareBuffers(const TestPlan &P, const TestInput &In,
                                               const RunResult &A, const RunResult &B,
                                               bool Exactly) {
  const launch::LaunchFile &F = P.Request->Launches[In.Launch];
  for (unsigned I = 0; I < A.Buffers.size(); ++I) {
    if (A.Buffers[I].empty())
      continue;
    launch::Tolerance T = F.Args[I].Compare.value_or(F.Compare);
    if (Exactly)
      T = {};
    if (std::optional<Difference> D = firstDifference(P.Launches[In.Launch].Shape.Params[I].Type, T,
                                                      A.Buffers[I], B.Buffers[I]))
      return BufferDifference{I, *D};
  }
  return std::nullopt;
}

bool roughlyEqual(const TestPlan &P, const TestInput &In, const std::vector<Bytes> &A,
                  const std::vector<Bytes> &B) {
  for (unsigned I = 0; I < A.size(); ++I)
    if (!A[I].empty() &&
        !roughlyAgree(P.Launches[In.Launch].Shape.Params[I].Type, A[I], B[I], P.UsesFloats))
      return false;
  return true;
}

std::string describeOffset(const std::string &Argument, int64_t Offset, uint64_t Size) {
  if (Offset < 0)
    return "before '" + Argument + "' (" + std::to_string(-Offset) + " bytes)";
  return "past the end of '" + Argument + "' (byte " + std::to_string(Offset) + " of " +
         std::to_string(Size) + ")";
}

std::string elementText(const TestPlan &P, const TestInput &In, unsigned Argument,
                        uint64_t Element) {
  const launch::LaunchFile &L = P.Request->Launches[In.Launch];
  const launch::Argument &A = L.Args[Argument];
  Expected<std::array<uint64_t, 3>> Extents = launch::extentsOf(A, launch::bindingsAt(L, In.At));
  if (!Extents || A.K != launch::Argument::Kind::Image) {
    consumeError(Extents.takeError());
    return "element " + std::to_string(Element);
  }
  std::string Text;
  for (size_t D = 0; D < A.Extents.size(); Element /= (*Extents)[D++])
    Text += (D ? ", " : "texel (") + std::to_string(Element % (*Extents)[D]);
  return Text + ")";
}

json::Object describeDifference(const TestPlan &P, const TestInput &In, const BufferDifference &F,
                                StringRef Kind, const Twine &Prefix) {
  const ElementType &T = P.Launches[In.Launch].Shape.Params[F.Argument].Type;
  std::string Name = P.Request->Launches[In.Launch].Args[F.Argument].Name;
  const bool IsImage =
      P.Launches[In.Launch].Shape.Params[F.Argument].Where == Parameter::Space::Image;
  std::string Text = Prefix.str() + "'" + Name + "' " + elementText(P, In, F.Argument, F.D.Element);
  if (T.Lanes > 1)
    Text += (IsImage ? " channel " : " lane ") + std::to_string(F.D.Lane);
  Text += ": expected " + F.D.Expected + ", got " + F.D.Got + " (" + std::to_string(F.D.Count) +
          " of " + std::to_string(F.D.Total) + " differ)";
  return json::Object{{"kind", Kind},
                      {"argument", static_cast<int64_t>(F.Argument)},
                      {"element", static_cast<int64_t>(F.D.Element)},
                      {"expected", F.D.Expected},
                      {"got", F.D.Got},
                      {"what", Text}};
}

json::Object describeStray(const TestPlan &P, const TestInput &In, const Stray &S, uint64_t Size) {
  const std::string &Name = P.Request->Launches[In.Launch].Args[S.Argument].Name;
  return json::Object{
      {"kind", "stray-write"},
      {"argument", static_cast<int64_t>(S.Argument)},
      {"what", "the rewritten kernel writes " + describeOffset(Name, S.Offset, Size)}};
}

json::Object describeLaunchFailure(const std::string &Why) {
  // A limit of the device says nothing about the kernel.
  bool Device = StringRef(Why).contains("CL_OUT_OF") ||
                StringRef(Why).contains("ALLOCATION_FAILURE") ||
                StringRef(Why).contains("CL_INVALID_BUFFER_SIZE") ||
                StringRef(Why).contains("CL_INVALID_IMAGE_SIZE") ||
                StringRef(Why).contains("has no images of format") ||
                StringRef(Why).contains("does not build");
  return json::Object{{"kind", Device ? "device" : "launch"},
                      {"what", "the rewritten launch fails: " + json::fixUTF8(Why)}};
}

} // namespace clmali::verify
