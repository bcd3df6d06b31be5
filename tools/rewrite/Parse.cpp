//===- Parse.cpp - the kernel file as the rewriter parses it ----------------------------------===//
//
// The rewriter parses strictly: what it sees is what will run. Where a file does not parse alone,
// the parts that the host adds are looked for as the linter does. What is certain is taken, and
// said:
//
//   #include "types.h"            a header of a folder above: -I
//   x = rotate_left(y)            a function of another file of the folder: joined in front
//   a + 0.5, with float4 a        -cl-single-precision-constant, as on a device without double
//   an error in another kernel    that kernel is left out
//
// Values of macros are named as a guess and left to the user.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/frontend/Functions.h"
#include "checks/model/frontend/Unparsed.h"
#include "tools/rewrite/Inputs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::tool;

static Error failure(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

static std::string withoutLeftOut(const Inputs &I, StringRef Text) {
  if (I.LeftOut.empty())
    return Text.str();
  return model::withoutFunctions(
      Text, [&](const model::FunctionText &F) { return I.LeftOut.count(F.Name.str()) != 0; });
}

std::string tool::programText(const Inputs &I, StringRef Text) {
  std::string All;
  for (const model::SiblingFile &B : I.Before)
    All += B.Text + "\n";
  return All + withoutLeftOut(I, Text);
}

static model::ParseResult parseWith(const Options &O, const Inputs &I, StringRef Text,
                                    ArrayRef<std::string> Defines = {}) {
  model::ParseOptions P;
  P.ClangArgs = I.ClangArgs;
  append_range(P.ClangArgs, Defines);
  P.Before = I.Before;
  model::ParseResult R = model::parseOpenCL(O.File, withoutLeftOut(I, Text), P);
  if (R.M && !I.LeftOut.empty()) // blanks keep positions
    R.M->Files[0].Text = Text.str();
  return R;
}

static size_t errors(const model::ParseResult &R) {
  return count_if(R.Diagnostics, [](const auto &D) { return D.IsError; });
}

/// True if the kernels that are asked for are there.
static bool isUsable(const Options &O, const model::ParseResult &R) {
  return R.M && !errors(R) && !R.M->Kernels.empty() &&
         (O.Kernel.empty() ||
          any_of(R.M->Kernels, [&](const auto &K) { return K->Name == O.Kernel; }));
}

/// A kernel that is asked for calls a function that the file only declares.
static bool lacksFunctions(const Options &O, const model::ParseResult &R) {
  return any_of(R.M->Kernels, [&](const auto &K) {
    return (O.Kernel.empty() || K->Name == O.Kernel) &&
           any_of(K->Opaques, [](const model::OpaqueNote &N) {
             return StringRef(N.What).contains(", which is not defined here");
           });
  });
}

/// Leaves out the functions with errors; the kernel that is asked for is none of them. True if the
/// rest parses.
static bool leaveOut(const Options &O, Inputs &I, ArrayRef<std::string> Defines = {}) {
  constexpr unsigned MaxParses = 8; // the parser stops after 100 errors
  for (unsigned N = 0; N < MaxParses; ++N) {
    model::ParseResult R = parseWith(O, I, I.Text, Defines);
    if (!errors(R))
      return isUsable(O, R);
    const size_t Before = I.LeftOut.size();
    model::withoutFunctions(I.Text, [&](const model::FunctionText &F) {
      if (F.Name != O.Kernel && any_of(R.Diagnostics, [&](const model::ParseDiagnostic &D) {
            return D.IsError && D.File == O.File && D.Line >= F.FirstLine && D.Line <= F.LastLine;
          }))
        I.LeftOut.insert(F.Name.str());
      return false;
    });
    if (I.LeftOut.size() == Before)
      return false;
  }
  return false;
}

void tool::addMissingParts(const Options &O, Inputs &I, raw_ostream &Say) {
  const model::ParseResult Alone = parseWith(O, I, I.Text);
  if (isUsable(O, Alone) && !lacksFunctions(O, Alone))
    return;
  model::ParseOptions P;
  P.ClangArgs = I.ClangArgs;
  P.Tolerant = true;
  model::ParseResult Seen = model::parseOpenCL(O.File, I.Text, P);
  std::string Parts;
  for (const std::string &Folder : Seen.HeaderFolders) {
    I.ClangArgs.push_back("-I" + Folder);
    I.ExtraOptions += (I.ExtraOptions.empty() ? "-I " : " -I ") + Folder;
    Parts += "; headers of " + Folder;
  }
  const std::string Headers = Parts;
  Inputs With = I;
  With.Before = std::move(Seen.Siblings);
  for (const model::SiblingFile &B : With.Before)
    Parts += "; joined with " + B.Path;
  // Where nothing in the file is a double, its literals are floats of a device without them.
  constexpr StringLiteral Single = "-cl-single-precision-constant";
  const model::ParseResult Joined = parseWith(O, With, With.Text);
  if (errors(Joined) && errors(parseWith(O, With, With.Text, Single.str())) < errors(Joined)) {
    With.ClangArgs.push_back(Single.str());
    With.BuildOptions += (With.BuildOptions.empty() ? "" : " ") + Single.str();
    Parts += "; literals without f are floats (" + Single.str() + ")";
  }
  const bool Parses = leaveOut(O, With);
  if (!Parses)
    With.LeftOut.clear();
  else if (!With.LeftOut.empty())
    Parts += "; left out, for they do not parse: " + join(With.LeftOut, ", ");
  // With macros that only the user knows, the same parts are needed.
  if (!Parses && Seen.Guesses.empty())
    Parts = Headers;
  else
    I = std::move(With);
  if (!Parts.empty())
    Say << sys::path::filename(O.File) << " does not parse alone" << Parts << "\n";
}

/// "-DN=16 -D'f(x)=(x)'", to paste behind `--`.
static std::string asArguments(ArrayRef<std::string> Defines) {
  std::string Arguments;
  for (StringRef One : Defines) {
    const bool Quoted = One.find_first_of(" ()") != StringRef::npos;
    Arguments += (Twine(Arguments.empty() ? "" : " ") + "-D" + (Quoted ? "'" : "") + One +
                  (Quoted ? "'" : ""))
                     .str();
  }
  return Arguments;
}

/// True if D is about something that an option or another file may supply.
static bool isMissing(const model::ParseDiagnostic &D) {
  const StringRef M = D.Message;
  return D.IsError && (M.contains("file not found") || M.starts_with("unknown type name") ||
                       M.starts_with("use of undeclared") || M.starts_with("call to undeclared") ||
                       M.starts_with("implicit declaration") || M.contains("incomplete type") ||
                       M.contains("was not declared"));
}

/// What can be done about the errors of R.
static std::string remedy(const Options &O, const Inputs &I, StringRef Text,
                          const model::ParseResult &R) {
  if (any_of(R.Diagnostics,
             [](const auto &D) { return D.Message == "unknown type name 'template'"; }))
    return "templates are C++: write the kernel out for each type";
  model::ParseOptions P;
  P.ClangArgs = I.ClangArgs;
  P.Tolerant = true;
  const model::ParseResult Seen = model::parseOpenCL(O.File, Text, P);
  const bool Guessed = Seen.M && !Seen.M->Kernels.empty() && !Seen.Guesses.empty();
  std::vector<std::string> Defines;
  for (const std::string &One : Seen.Guesses)
    Defines.push_back("-D" + One);
  Inputs With = I;
  if (Guessed && leaveOut(O, With, Defines))
    return "give what is missing behind --, such as -- " + asArguments(Seen.Guesses) +
           " (a guess: the host knows)";
  if (Guessed) {
    std::vector<std::string> Names;
    for (StringRef One : Seen.Guesses)
      Names.push_back(One.split('=').first.split('(').first.str());
    return "give what the host defines behind --, such as -D" + Names.front() +
           "=..: " + join(Names, ", ");
  }
  if (any_of(R.Diagnostics, isMissing)) // what follows an unknown name may be a syntax error
    return "give what is missing behind --, such as -- -DTYPE=float -I include";
  if (any_of(R.Diagnostics,
             [](const auto &D) { return StringRef(D.Message).starts_with("the parser crashes"); }))
    return "this is a defect of Clang 19: write that line in another way";
  return "no option mends this: compilers that are Clang, as those of Mali and PowerVR, refuse it "
         "too; mend the source first";
}

/// volatile on a work-item's own variable keeps the compiler from computing floats in another order
/// or more exactly, which no pass does either. Only options allow it to the compiler, and then the
/// variables must stay volatile.
static void admitVolatile(model::Module &M, const Options &O, const Inputs &I) {
  if (O.Reassociate || reordersFloats(I))
    return;
  for (const auto &K : M.Kernels)
    erase_if(K->Opaques, [](const model::OpaqueNote &N) {
      return StringRef(N.What).starts_with("volatile variable ");
    });
}

Expected<std::unique_ptr<model::Module>> tool::parse(const Options &O, const Inputs &I,
                                                     StringRef Text) {
  model::ParseResult R = parseWith(O, I, Text);
  std::string Errors;
  unsigned Count = 0;
  for (const model::ParseDiagnostic &D : R.Diagnostics) {
    if (!D.IsError)
      continue;
    if (++Count <= 8)
      Errors += (Twine(Errors.empty() ? "" : "\n") + D.File + ":" + Twine(D.Line) + ":" +
                 Twine(D.Column) + ": error: " + D.Message)
                    .str();
  }
  if (Count > 8)
    Errors += "\nand " + std::to_string(Count - 8) + " more errors";
  if (Count && model::isWrappedText(Text))
    return failure("'" + O.File +
                   "' is text for a C macro or a string, and plain OpenCL C is rewritten: put the "
                   "text inside into a .cl file of its own, and name that");
  if (std::optional<model::Placeholder> Filled =
          Count ? model::firstPlaceholder(Text) : std::nullopt)
    return failure(O.File + ":" + Twine(Filled->Line) + ":" + Twine(Filled->Column) + ": '" +
                   Filled->Spelling +
                   "' is a placeholder that a build or the host fills in: this is a template; give "
                   "the filled text");
  if (Count)
    return failure(Errors + "\n'" + O.File + "' does not parse; " + remedy(O, I, Text, R));
  if (!R.M)
    return failure("'" + O.File + "' does not parse");
  admitVolatile(*R.M, O, I);
  return std::move(R.M);
}
