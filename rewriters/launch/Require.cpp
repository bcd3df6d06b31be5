// `require` of launch files in the names of a manifest.
//
// A launch file's expressions are over the variables of `sizes`; a host that launches the rewritten
// kernel knows the arguments and the sizes of the launch. A variable is replaced by the argument or
// the size that has its value:
//
//   args: [{ name: pitch, value: "p" }], global: ["w"], require: ["p >= w"]   ->   pitch >= gx
#include "rewriters/launch/Manifest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace clmali::launch {
namespace {

/// What a manifest writes for each name that `require` of \p F may use.
std::map<std::string, std::string> manifestNames(const LaunchFile &F) {
  std::map<std::string, std::string> Texts;
  for (const auto &[Name, Text] : F.Defines)
    if (int64_t Value; !StringRef(Text).trim().getAsInteger(0, Value))
      Texts[Name] = std::to_string(Value);
  auto isVariable = [&](const std::string &Name) { return F.Sizes.front().count(Name) != 0; };
  for (unsigned D = 0; D < 3; ++D) {
    std::string Axis(1, "xyz"[D]);
    if (D < F.Offset.size() && isVariable(F.Offset[D].text()))
      Texts[F.Offset[D].text()] = "o" + Axis;
    if (D < F.Local.size() && isVariable(F.Local[D].text()))
      Texts[F.Local[D].text()] = "l" + Axis;
    if (D < F.Global.size() && isVariable(F.Global[D].text()))
      Texts[F.Global[D].text()] = "g" + Axis;
  }
  // An argument is preferred: the generated host code takes it anyway. A reserved name means the
  // geometry, and cannot stand for an argument.
  for (const Argument &A : F.Args)
    if (A.K == Argument::Kind::Scalar && A.Value.size() == 1 && !isReservedName(A.Name)) {
      std::string Value = StringRef(A.Value.front()).trim().str();
      // Of several arguments with the same variable, the one with its name.
      if (isVariable(Value) && (A.Name == Value || !F.findArgument(Value)))
        Texts[Value] = A.Name;
      if (!isVariable(A.Name) && !isFloatLiteral(Value))
        Texts.emplace(A.Name, A.Name);
    }
  for (const Argument &A : F.Args)
    for (size_t D = 0; D < A.Extents.size(); ++D) {
      const std::string Extent = extentName(extentNames()[D], A.Name);
      if (isVariable(A.Extents[D].text()))
        Texts.emplace(A.Extents[D].text(), Extent);
      Texts.emplace(Extent, Extent);
    }
  return Texts;
}

/// The entries of `require` of one file. False if one of them cannot be checked.
bool translate(const LaunchFile &F, std::vector<std::string> &Checked, ManifestRequire &Into) {
  const std::map<std::string, std::string> Texts = manifestNames(F);
  bool All = true;
  for (const Expression &E : F.Require) {
    std::vector<std::string> Names = E.names();
    if (all_of(Names, [&](const std::string &Name) { return Texts.count(Name) != 0; })) {
      Checked.push_back(E.replaced(Texts).text());
      continue;
    }
    All = false;
    if (!is_contained(Into.Unchecked, E.text()))
      Into.Unchecked.push_back(E.text());
  }
  return All;
}

} // namespace

ManifestRequire requireOf(ArrayRef<LaunchFile> Files) {
  ManifestRequire Result;
  std::vector<std::string> Ways;
  bool Restricted = !Files.empty();
  for (const LaunchFile &F : Files) {
    std::vector<std::string> Checked;
    (void)translate(F, Checked, Result);
    // One launch file without conditions that can be checked allows every launch.
    Restricted &= !Checked.empty();
    if (Files.size() == 1) {
      for (const std::string &Text : Checked)
        Result.Checked.push_back(cantFail(Expression::parse(Text)));
      return Result;
    }
    std::string Way;
    for (const std::string &Text : Checked)
      Way += (Way.empty() ? "(" : " && (") + Text + ")";
    if (!is_contained(Ways, Way))
      Ways.push_back(Way);
  }
  if (!Restricted)
    return Result;
  std::string Any;
  for (const std::string &Way : Ways)
    Any += (Any.empty() ? "" : " || ") + (Ways.size() > 1 ? "(" + Way + ")" : Way);
  Result.Checked.push_back(cantFail(Expression::parse(Any)));
  return Result;
}

ManifestKernel withRequireInWhen(ManifestKernel Kernel) {
  if (Kernel.Require.empty())
    return Kernel;
  auto parsed = [](const Twine &Text) { return cantFail(Expression::parse(Text.str())); };
  std::string All;
  for (const Expression &E : Kernel.Require)
    All +=
        (All.empty() ? "" : " && ") + (Kernel.Require.size() > 1 ? "(" + E.text() + ")" : E.text());
  for (ManifestLaunch &L : Kernel.Launches)
    L.When = parsed("(" + All + ")" + (L.When.text() == "1" ? "" : " && (" + L.When.text() + ")"));
  ManifestLaunch Whole;
  Whole.Kernel = Kernel.Original;
  Whole.When = parsed("(" + All + ") == 0");
  Whole.Local.emplace();
  for (char Axis : StringRef("xyz")) {
    Whole.Global.push_back(parsed(Twine("g") + Twine(Axis)));
    Whole.Offset.push_back(parsed(Twine("o") + Twine(Axis)));
    // 0 in every dimension is NULL; a launch of fewer dimensions has 1 in the others.
    std::string Local = std::string("l") + Axis;
    Whole.Local->push_back(parsed(Axis == 'x' ? Local : "max(" + Local + ", min(lx, 1))"));
  }
  Kernel.Launches.push_back(std::move(Whole));
  Kernel.Require.clear();
  return Kernel;
}

} // namespace clmali::launch
