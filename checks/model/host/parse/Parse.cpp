//===-- checks/model/host/parse/Parse.cpp - Parse a host file until calls are found -===//
//
// Parses a C or C++ file with its compile command, keeps the diagnostics instead of printing them,
// and lifts what could be parsed.
//
// Host files often come without what they need: `#include "oclUtils.h"`, and no -I. A header that
// is not found is reported and left out. What it would have brought is replaced, one kind after the
// other, and the file parsed again: headers in folders above, jni.h, the OpenCL headers, the
// standard headers, macros of #if, and at last declarations that are inferred from the errors
// (repair/). Errors that follow from a missing header are not reported.
//
//===----------------------------------------------------------------------===//

#include "checks/model/frontend/Files.h"
#include "checks/model/host/parse/BuiltInHeaders.h"
#include "checks/model/host/parse/LostCalls.h"
#include "checks/model/host/parse/MissingParts.h"
#include "checks/model/host/parse/UnparsedKernels.h"
#include "checks/model/host/repair/Conditions.h"
#include "checks/model/host/repair/MissingClasses.h"
#include "checks/model/host/repair/MissingDeclarations.h"
#include "checks/model/host/values/HostAst.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace clmali::model {

std::string resourceDir() {
  // Those that were installed with this program: the machine's may be of another version.
  static int Anchor;
  SmallString<256> Path(sys::path::parent_path(
      sys::path::parent_path(sys::fs::getMainExecutable("clmali-lint", &Anchor))));
  sys::path::append(Path, CLMALI_INSTALLED_RESOURCES);
  for (StringRef Folder : {StringRef(Path), StringRef(CLMALI_RESOURCE_DIR)})
    if (sys::fs::exists(Folder + "/include"))
      return Folder.str();
  return "";
}

namespace {

/// Names functions as other files do: without their classes, members were read as functions.
void nameMembers(CallSummary &O, StringRef Text) {
  for (CallSummary::Function &F : O.Functions) {
    StringRef Before = Text.take_front(F.NameAt == ~0u ? 0 : F.NameAt);
    std::string Class;
    while (Before.consume_back("::")) {
      StringRef Word = Before.take_back(
          Before.size() - (Before.find_last_not_of(
                               "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") +
                           1));
      Before = Before.drop_back(Word.size());
      Class = (Word + "::" + Class).str();
    }
    if (Class.empty() || StringRef(F.Is.Name).contains("::"))
      continue;
    F.Aliases.push_back(F.Is.Name);
    F.Is.Name = Class + F.Is.Name;
  }
}

/// The retry loop. Each step parses again if it has something to add.
class HostParser {
public:
  HostParser(StringRef FileName, StringRef Text, const std::vector<std::string> &Args)
      : FileName(FileName), Text(Text), Args(Args), Extension(sys::path::extension(FileName)),
        Code(Text.str()) {}

  HostParse run() {
    parse();
    findHeadersAbove();
    if (lacksJni(Run, Text))
      parseWith({"-include", JniPrefixName.str()});
    useNewStandard();
    readAsCpp();
    if (std::vector<std::string> Macros =
            Run.Missing.empty() ? std::vector<std::string>() : stringMacros(Text);
        !Macros.empty())
      parseWith(Macros);
    avoidClashes();
    Reported = Run.Errors;
    showHiddenCalls();
    addOpenCL();
    if (lacksGl(Run, Run.Errors))
      parseWith({"-include", GlPrefixName.str()});
    addStandard();
    declareMissing();
    return result();
  }

private:
  StringRef FileName, Text;
  const std::vector<std::string> &Args;
  StringRef Extension;
  std::string Code;                      ///< Text after the repairs, which keep its length
  std::string Names;                     ///< inferred declarations
  std::vector<std::string> Extra;        ///< options that the steps added
  HostRun Run;                           ///< the last parse
  std::vector<ParseDiagnostic> Reported; ///< the errors that the user sees

  bool isC() const { return Extension == ".c"; }
  bool hasStandard() const {
    return any_of(Args, [](const std::string &A) { return StringRef(A).starts_with("-std="); });
  }
  bool textHas(std::initializer_list<StringRef> Parts) const {
    return any_of(Parts, [&](StringRef Part) { return Text.contains(Part); });
  }

  void parse() {
    std::vector<std::string> All;
    // The language follows from the name, as in the driver. A .h may be C or C++, and C++ reads
    // more of them; headers of templates have names that the driver does not know.
    if (StringSwitch<bool>(Extension)
            .Cases(".h", ".inl", ".ipp", ".tpp", ".txx", true)
            .Default(false))
      All.insert(All.end(), {"-x", "c++"});
    All.insert(All.end(), Args.begin(), Args.end());
    // Other compilers only warn of some errors. The correction of a misspelled name drops the code
    // after it.
    All.insert(All.end(), {"-fsyntax-only", "-Wno-everything", "-fno-spell-checking",
                           "-ferror-limit=0", "-DCL_TARGET_OPENCL_VERSION=300"});
    All.insert(All.end(), Extra.begin(), Extra.end());
    std::string Resources = resourceDir();
    if (!Resources.empty())
      All.push_back("-resource-dir=" + Resources);
    Run = runHostParse(FileName, Code, Names, All);
  }
  void parseWith(const std::vector<std::string> &Options) {
    Extra.insert(Extra.end(), Options.begin(), Options.end());
    parse();
  }

  void findHeadersAbove();
  void useNewStandard();
  void readAsCpp();
  void avoidClashes();
  void showHiddenCalls();
  bool addMacrosForHidden(const LostCalls &Calls, bool Launches);
  void addOpenCL();
  void addStandard();
  void declareMissing();
  HostParse result();
};

/// Headers that the project's -I would find, in a folder above the file.
void HostParser::findHeadersAbove() {
  constexpr unsigned MaxParses = 8;
  for (unsigned I = 0; I < MaxParses; ++I) {
    std::vector<std::string> Folders;
    for (const ParseDiagnostic &D : Run.Missing) {
      std::string Folder = folderOfHeader(FileName, missingHeader(D));
      if (!Folder.empty() && !is_contained(Extra, "-I" + Folder) &&
          !is_contained(Folders, "-I" + Folder))
        Folders.push_back("-I" + Folder);
    }
    if (Folders.empty())
      break;
    parseWith(Folders);
  }
}

/// Uses of what only C++20 and later have, where no -std is given.
void HostParser::useNewStandard() {
  if (!isC() && !hasStandard() &&
      any_of(Run.Errors,
             [](const ParseDiagnostic &D) {
               return StringRef(D.Message).contains("in namespace 'std'");
             }) &&
      textHas(
          {"std::ranges", "std::views", "std::span", "std::format", "std::print", "std::numbers"}))
    parseWith({"-std=c++23"});
}

/// C++ in a file that is named like C.
void HostParser::readAsCpp() {
  bool Failed = !Run.Missing.empty() || !Run.Errors.empty();
  if (!Failed || !isC() || is_contained(Args, "-x") ||
      !textHas({"#include <iostream>", "using namespace ", "std::"}))
    return;
  Extra.insert(Extra.begin(), {"-x", "c++"});
  parse();
}

/// Names that C++17 added to std clash with those of a file that opens it: `using namespace std;
/// int data[N];`. C++14 has none of them.
void HostParser::avoidClashes() {
  bool Clashes = any_of(Run.Errors, [](const ParseDiagnostic &D) {
    StringRef M = D.Message;
    return M.consume_front("reference to '") && M.contains("' is ambiguous") &&
           StringSwitch<bool>(M.take_until([](char C) { return C == '\''; }))
               .Cases("data", "size", "byte", "empty", "clamp", "gcd", "lcm", true)
               .Default(false);
  });
  if (!isC() && !hasStandard() && !is_contained(Extra, "-std=c++23") && Clashes)
    parseWith({"-std=gnu++14"});
}

/// Adds macros under which #if shows the hidden calls, or the kernels of a file that has nothing
/// else. False: there are none. Launches: a launch was lifted, or none is hidden.
bool HostParser::addMacrosForHidden(const LostCalls &Calls, bool Launches) {
  size_t Before = Extra.size();
  if (Calls.Hidden > Calls.Lost)
    for (const std::string &D :
         definitionsFor(Text, Launches ? Calls.FirstHidden : *Calls.LaunchHidden))
      if (std::string Option = "-D" + D; !is_contained(Extra, Option))
        Extra.push_back(Option);
  if (std::vector<uint32_t> Kernels = kernelOffsets(Text);
      !Calls.Hidden && !Calls.Lost && Run.M->Kernels.empty() && !Kernels.empty() &&
      all_of(Kernels, [&](uint32_t At) { return Run.isLeftOut(At); }))
    for (const std::string &D : definitionsFor(Text, Kernels.front()))
      Extra.push_back("-D" + D);
  return Extra.size() != Before;
}

/// The OpenCL part of a program may be built only with some macro.
void HostParser::showHiddenCalls() {
  constexpr unsigned MaxParses = 3;
  for (unsigned I = 0; I < MaxParses && Run.M; ++I) {
    unsigned Lifted = count_if(Run.M->Calls, [](const HostCall &C) { return C.Range.File == 0; });
    LostCalls Calls = lostCalls(Text, Run);
    bool Launches = !Calls.LaunchHidden || !Run.M->Launches.empty();
    if (Lifted && Calls.Hidden <= Calls.Lost + Lifted && Launches)
      break;
    if (!addMacrosForHidden(Calls, Launches))
      break;
    parse();
    findHeadersAbove(); // those that only that part includes
    Reported = Run.Errors;
  }
}

/// The OpenCL headers, where missing headers would have included them.
void HostParser::addOpenCL() {
  bool Open = !isC() && wantsOpenBindings(Text, Run.Errors);
  if (!Open && !lacksOpenCL(Run, Text, Run.Errors))
    return;
  auto Set = [](StringRef Macro, bool On) { return ("-D" + Macro + (On ? "=1" : "=0")).str(); };
  parseWith(
      {"-include", OpenCLPrefixName.str(), Set("CLMALI_BINDINGS", Open || wantsBindings(Run, Text)),
       Set("CLMALI_PAIRS", Text.contains("c_str()") || Text.contains("pair")),
       Set("CLMALI_BOUND", Text.contains("KernelFunctor") && !Text.contains("KernelFunctor<")),
       Set("CLMALI_OPENCL", Open && !Text.contains("using namespace cl;"))});
  // A header that is found and includes OpenCL under a condition: one error, not one for each name.
  if (Run.Missing.empty()) {
    Reported = Run.Errors;
    Reported.push_back({FileName.str(), 0, 0, true,
                        "no header that it includes declares OpenCL; today's headers were taken "
                        "(which are meant? -- -I FOLDER, -- -D NAME)"});
  }
}

/// The standard headers, where missing headers would have included them.
void HostParser::addStandard() {
  if (!lacksStandard(Run.Errors))
    return;
  // A missing header may also contain `using namespace std;`.
  if (any_of(Run.Errors, [](const ParseDiagnostic &D) {
        StringRef M = D.Message;
        return M == "unknown type name 'string'" || M == "use of undeclared identifier 'cout'" ||
               M == "use of undeclared identifier 'endl'";
      }))
    Extra.push_back("-DCLMALI_OPEN=1");
  Extra.insert(Extra.begin(), {"-include", StandardPrefixName.str()});
  parse();
  if (addStandardHeaders(Run.Errors, Extra))
    parse();
  // Errors in the bindings were due to the missing standard headers.
  if (any_of(Reported, [](const ParseDiagnostic &D) {
        return StringRef(D.Message).contains("namespace 'cl::std'");
      }))
    Reported = Run.Errors;
}

/// Infers declarations from the errors until no call of the API is lost. Members of missing classes
/// (`int Bench::run(..) {`) become functions.
void HostParser::declareMissing() {
  constexpr unsigned MaxParses = 8, MaxInVain = 3;
  bool IsCpp = !isC() || is_contained(Extra, "c++");
  MissingDeclarations Inferred(FileName, IsCpp);
  unsigned Lost = ~0u, InVain = 0;
  size_t Errors = ~size_t(0);
  for (unsigned I = 0; I < MaxParses && InVain < MaxInVain && !Run.Errors.empty(); ++I) {
    bool Classes = !Run.Missing.empty() && withoutClasses(FileName, Run.Errors, Code);
    Classes |= withoutThis(FileName, Run.Errors, Code);
    Classes |= withoutSpecializations(FileName, Run.Errors, Code);
    bool Learnt = Inferred.learn(Code, Run.Errors);
    Learnt |= IsCpp && addStandardHeaders(Run.Errors, Extra);
    unsigned Now = lostCalls(Text, Run).Lost;
    // Though no call of the API is lost, calls of the functions around them may be.
    if (!Classes && (!Learnt || (I && !Now && !losesFunctions(FileName, Run.Errors) &&
                                 !losesCallers(Run, Run.Errors))))
      break;
    InVain = Now < Lost || Run.Errors.size() < Errors ? 0 : InVain + 1;
    Lost = Now;
    Errors = Run.Errors.size();
    if (Learnt && Names.empty() && !is_contained(Extra, MissingNamesFile.str()))
      Extra.insert(Extra.begin(), {"-include", MissingNamesFile.str()});
    Names = Inferred.text();
    parse();
  }
}

/// The last parse, with the text and the errors that the user knows.
HostParse HostParser::result() {
  HostParse Result;
  // What follows from a missing header says nothing about the file.
  Result.Diagnostics = std::move(Run.Missing.empty() ? Reported : Run.Missing);
  for (ParseDiagnostic &D : Result.Diagnostics)
    if (D.File.empty())
      D.File = FileName.str();
  if (!Run.M) {
    if (Result.Diagnostics.empty())
      Result.Diagnostics.push_back(
          {FileName.str(), 0, 0, true, "clang could not make sense of its arguments"});
    return Result;
  }
  Result.M = std::move(Run.M);
  if (!Result.M->Files.empty()) {
    Result.M->Files.front().Name = FileName.str();
    Result.M->Files.front().Text = Text.str();
    if (!Result.M->Summary.Files.empty())
      Result.M->Summary.Files.front() = FileName.str();
    nameMembers(Result.M->Summary, Text);
  }
  if (!Result.Diagnostics.empty())
    addUnparsedKernels(*Result.M, Text, Run.LeftOut);
  return Result;
}

} // namespace

HostParse parseHost(StringRef FileName, StringRef Text, const std::vector<std::string> &Args) {
  return HostParser(FileName, Text, Args).run();
}

} // namespace clmali::model
