//===-- checks/model/host/parse/LostCalls.cpp - Calls that a parse did not find ------===//

#include "checks/model/host/parse/LostCalls.h"
#include "checks/model/host/Api.h"
#include "checks/model/host/values/Programs.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include <set>

using namespace clang;
using namespace llvm;

namespace clmali::model {

/// Name is one of the API's functions that rules need.
static bool isApiCall(StringRef Name) {
  if (glName(Name) == Name && !Name.empty())
    return true;
  if (Name.consume_front("cl"))
    return Name.starts_with("Enqueue") || Name.starts_with("CreateBuffer") ||
           Name.starts_with("CreateImage") || Name.starts_with("CreateKernel") ||
           Name.starts_with("CreateProgramWith") ||
           StringSwitch<bool>(Name)
               .Cases("BuildProgram", "Finish", "WaitForEvents", true)
               .Default(false);
  return Name == "enqueueNDRangeKernel" || Name == "enqueueReadBuffer" ||
         Name == "enqueueWriteBuffer" || Name == "enqueueMapBuffer";
}

/// The same of the bindings: `cl::Program(`, `program.build(`.
static bool isBindingsCall(const Token &Before, StringRef Scope, StringRef Name) {
  if (Before.is(tok::coloncolon))
    return Scope == "cl" &&
           StringSwitch<bool>(Name).Cases("Program", "Kernel", "Buffer", true).Default(false);
  return Before.isOneOf(tok::period, tok::arrow) && (Name == "build" || Name == "finish");
}

namespace {

/// Reads the tokens of a file, one after the other.
class LostCallScan {
public:
  LostCallScan(StringRef Text, const HostRun &Run)
      : Run(Run), IsCpp(Text.contains("cl::") || Text.contains("enqueue")),
        Elsewhere(!Text.contains("clCreateProgramWith") && !Text.contains("cl::Program")) {
    Before.startToken();
    for (const HostCall &C : Run.M->Calls) {
      if (C.Range.File == 0)
        Lifted.insert(C.NameRange.Begin);
      for (const HostArgument &A : C.Args)
        if (A.Range.File == 0 && is_contained(A.Macros, "CL_MEM_USE_HOST_PTR"))
          Flags.push_back(A.Range);
    }
  }
  LostCalls Result;

  void read(const Token &T, uint32_t At) {
    if (T.is(tok::raw_identifier) && T.getRawIdentifier() == "CL_MEM_USE_HOST_PTR" &&
        !Run.isLeftOut(At) &&
        none_of(Flags, [&](const SourceRange &R) { return R.Begin <= At && At < R.End; }))
      ++Result.Lost;
    if (IsClass && T.is(tok::raw_identifier)) { // cl::Buffer b(context, ..), b{context, ..}
      NameAt = At;
      IsClass = false;
      Before = T;
      return;
    }
    if (IsCall && (T.is(tok::l_paren) || (T.is(tok::l_brace) && IsCpp)))
      readCall();
    // `cl_int clFinish(` declares it.
    bool Declares = Before.is(tok::raw_identifier) && !StringSwitch<bool>(Before.getRawIdentifier())
                                                           .Cases("return", "else", "do", true)
                                                           .Default(false);
    IsClass =
        T.is(tok::raw_identifier) && IsCpp && isBindingsCall(Before, Scope, T.getRawIdentifier());
    if (T.is(tok::l_paren) && Before.is(tok::raw_identifier) && !WasScoped)
      readForeign(Before.getRawIdentifier());
    WasDeclared = Declares;
    WasScoped = Before.is(tok::coloncolon);
    IsCall =
        IsClass || (T.is(tok::raw_identifier) && !Declares &&
                    !Before.isOneOf(tok::star, tok::coloncolon) && isApiCall(T.getRawIdentifier()));
    if (T.is(tok::coloncolon))
      Scope = Before.is(tok::raw_identifier) ? Before.getRawIdentifier() : StringRef();
    NameAt = At;
    Before = T;
  }

  void finish() {
    Result.Lost += count_if(Wanted, [&](StringRef One) { return !Declared.count(One); });
  }

private:
  const HostRun &Run;
  std::set<uint32_t> Lifted;      ///< offsets of the names of lifted calls
  std::vector<SourceRange> Flags; ///< lifted arguments with CL_MEM_USE_HOST_PTR
  bool IsCpp;
  /// Functions of other files may make this one's programs: it makes none itself.
  bool Elsewhere;
  std::set<StringRef> Declared, Wanted; ///< such functions

  // The tokens before the current one.
  Token Before;
  StringRef Scope;      ///< the name before the last `::`
  uint32_t NameAt = 0;  ///< the offset of the last name
  bool IsCall = false;  ///< it is one of the API's
  bool IsClass = false; ///< it is a class of the bindings
  bool WasDeclared = false, WasScoped = false;

  /// The parenthesis of a call at NameAt.
  void readCall() {
    bool LeftOut = Run.isLeftOut(NameAt);
    // A method is recorded at its name, a class at its scope.
    auto Near = Lifted.lower_bound(
        Before.is(tok::raw_identifier) && IsClass ? NameAt - std::min(NameAt, 4u) : NameAt);
    if (Near != Lifted.end() && *Near <= NameAt + 2)
      return;
    // A part with OpenGL alone is not worth a guess of macros.
    if (LeftOut && Before.is(tok::raw_identifier) && !glName(Before.getRawIdentifier()).empty())
      return;
    if (LeftOut && !Result.Hidden++)
      Result.FirstHidden = NameAt;
    if (LeftOut && !Result.LaunchHidden && Before.is(tok::raw_identifier) &&
        Before.getRawIdentifier().ends_with("NDRangeKernel"))
      Result.LaunchHidden = NameAt;
    Result.Lost += !LeftOut;
  }

  /// The parenthesis of a call of another file's function that makes programs or waits.
  void readForeign(StringRef Name) {
    if (!(Elsewhere && isNamedLikeProgramMaker(Name)) && !isNamedLikeWait(Name))
      return;
    if (WasDeclared)
      Declared.insert(Name);
    else if (!Lifted.count(NameAt) && !Run.isLeftOut(NameAt))
      Wanted.insert(Name);
  }
};

} // namespace

LostCalls lostCalls(StringRef Text, const HostRun &Run) {
  if (!Run.M)
    return {};
  LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.LineComment = true;
  std::string Buffer = Text.str(); // the lexer needs a terminating zero
  Lexer Lex(SourceLocation(), Options, Buffer.data(), Buffer.data(), Buffer.data() + Buffer.size());
  LostCallScan Scan(Text, Run);
  Token T;
  bool Directive = false;
  for (bool End = false; !End;) {
    End = Lex.LexFromRawLexer(T);
    if (T.isAtStartOfLine())
      Directive = T.is(tok::hash);
    if (!Directive)
      Scan.read(T, Lex.getBufferLocation() - Buffer.data() - T.getLength());
  }
  Scan.finish();
  return Scan.Result;
}

std::vector<uint32_t> kernelOffsets(StringRef Text) {
  constexpr size_t MaxKernels = 16;
  std::vector<uint32_t> Result;
  for (size_t At = Text.find("kernel"); At != StringRef::npos && Result.size() < MaxKernels;
       At = Text.find("kernel", At + 1)) {
    StringRef Behind = Text.drop_front(At + strlen("kernel"));
    bool Word = Text.take_front(At).ends_with("__") || !At ||
                !(isAlnum(Text[At - 1]) || Text[At - 1] == '_');
    if (Word && (Behind.ltrim().starts_with("void") || Behind.ltrim().starts_with("__attribute__")))
      Result.push_back(At);
  }
  return Result;
}

std::vector<std::string> stringMacros(StringRef Text) {
  std::vector<std::string> Result;
  for (uint32_t Kernel : kernelOffsets(Text)) {
    // The parenthesis around the kernel.
    int Depth = 0;
    size_t Open = Kernel;
    while (Open-- > 0 && Depth >= 0)
      Depth += Text[Open] == ')' ? 1 : Text[Open] == '(' ? -1 : 0;
    if (Depth >= 0)
      continue;
    StringRef Before = Text.take_front(Open + 1).rtrim();
    StringRef Name =
        Before.substr(Before.find_last_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") + 1);
    bool Whole =
        Name.size() > 3 && !isDigit(Name.front()) &&
        (Name.size() == Before.size() || !isAlnum(Before[Before.size() - Name.size() - 1]));
    std::string Option = ("-D" + Name + "(...)=#__VA_ARGS__").str();
    if (Whole && !Text.contains(("define " + Name).str()) && !is_contained(Result, Option))
      Result.push_back(std::move(Option));
  }
  return Result;
}

} // namespace clmali::model
