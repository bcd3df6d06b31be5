//===-- checks/model/frontend/tolerant/TolerantParse.cpp - Parse until it works ----===//

#include "checks/model/frontend/tolerant/TolerantParse.h"
#include "checks/model/frontend/Files.h"
#include "checks/model/frontend/tolerant/DialectFixes.h"
#include "checks/model/frontend/tolerant/MacroInference.h"
#include "checks/model/frontend/tolerant/VendorBuiltins.h"
#include "checks/model/ir/Budget.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

namespace clmali::model {
namespace {

/// Calls of functions that are declared but not defined, as the diagnostics that undeclared
/// functions give.
std::vector<ParseDiagnostic> undefinedCalls(const ClangParse &P, StringRef FileName) {
  std::vector<ParseDiagnostic> Result;
  llvm::StringSet<> Names;
  for (const auto &K :
       P.M ? llvm::ArrayRef(P.M->Kernels) : llvm::ArrayRef<std::unique_ptr<Kernel>>())
    for (const OpaqueNote &N : K->Opaques)
      if (StringRef Name = N.What;
          Name.contains(", which is not defined here") && Name.consume_front("call of "))
        if (Name = wordAt(Name); Names.insert(Name).second)
          Result.push_back(
              {FileName.str(), 1, 1, true, ("call to undeclared function '" + Name + "'").str()});
  return Result;
}

class TolerantParser {
public:
  TolerantParser(StringRef FileName, StringRef Text, const ParseOptions &O, ClangArguments Args,
                 StringRef Triple, llvm::ArrayRef<std::string> Dialects)
      : FileName(FileName), Original(Text), Text(Text.str()), O(O), Args(std::move(Args)),
        Triple(Triple), Dialects(Dialects) {}

  ParseResult run() {
    Args.SuggestNames = false; // until errors are printed
    prepareText();
    Siblings.emplace(FileName, Text, O.IgnoreIncluders);
    Given = macrosOf(Args.Pass);
    if (std::optional<ParseResult> Clean = parseAsItIs())
      return std::move(*Clean);
    findHeadersAbove();
    addSiblings();
    fixDialect();
    InferredMacros Best = inferAll();
    if (O.Partial)
      parsePartially(Best);
    ParseResult R = report(Best);
    return withoutIncluder(std::move(R), Best.Attempt.Errors);
  }

private:
  // What is to be parsed.
  StringRef FileName, Original;
  std::string Text; ///< Original after the fixes of the text, which keep its length
  const ParseOptions &O;
  ClangArguments Args;
  StringRef Triple;
  llvm::ArrayRef<std::string> Dialects;

  // What was found.
  bool TextChanged = false;           ///< by prepareText
  bool HasTemplates = false;          ///< and templates were removed
  llvm::StringSet<> Unset;            ///< of ParseOptions
  llvm::StringMap<std::string> Given; ///< macros of the command line
  std::optional<SiblingFiles> Siblings;
  ClangParse First; ///< the last parse without inferred macros; Errors as a strict parse counts
  bool FirstIsCurrent = false; ///< what it parsed has not changed: it need not be repeated
  std::string Std;             ///< its dialect
  std::vector<std::string> Notes;
  std::vector<std::string> HeaderFolders; ///< added to Args.Pass

  /// Parses without macros, and counts errors as a strict parse does.
  ClangParse parse(StringRef Dialect) {
    ClangParse P =
        parseOnce(FileName, Text, Args, {}, Dialect, Triple, /*Tolerant=*/true, /*Limit=*/true);
    P.Errors += P.Accepted;
    FirstIsCurrent = true;
    return P;
  }
  std::string textWithHeaders() const {
    std::string Result = Text;
    for (const IncludedFile &H : headersOf(FileName, Text, Args.Pass))
      Result += "\n" + H.Text;
    for (const SiblingFile &B : Args.Before)
      Result += "\n" + B.Text;
    return Result;
  }
  std::vector<std::string> includedPaths() const {
    std::vector<std::string> Included;
    for (const IncludedFile &H : headersOf(FileName, Text, Args.Pass))
      Included.push_back(H.Path);
    return Included;
  }
  std::string takenFrom(const SiblingFile &B) const {
    return "what it does not define is taken from " + siblingName(FileName, B.Path);
  }

  void prepareText();
  bool takeUndefined(StringRef Name);
  std::optional<ParseResult> parseAsItIs();
  bool waitsForMacros() const;
  void defineFromSiblings(ClangParse &P, StringRef Dialect);
  void findHeadersAbove();
  bool defineAgainstHostHeaders();
  void addSiblings();
  void fixDialect();
  std::string textForInference() const;
  InferredMacros inferAll();
  void parsePartially(InferredMacros &Best);
  void suggestNames(InferredMacros &Best);
  ParseResult report(InferredMacros &Best);
  void dropForeignErrors(std::vector<ParseDiagnostic> &Diagnostics) const;
  bool definesTwice() const;
  ParseResult withoutIncluder(ParseResult R, unsigned Errors) const;
};

/// Step 1: string wrappers, placeholders, templates; and the #defines that the caller wants left
/// out.
void TolerantParser::prepareText() {
  Args.DeclareVendorBuiltins = usesVendorBuiltins(Text);
  std::string Fixed;
  for (auto Fix : {unwrap, namePlaceholders})
    if (Fix(Text, Fixed)) {
      Text = Fixed;
      TextChanged = true;
    }
  if (flattenTemplates(Text, Fixed)) {
    Text = Fixed;
    TextChanged = HasTemplates = true;
  }
  std::vector<StringRef> Hidden;
  for (StringRef Name : {"cl_khr_fp64", "__opencl_c_fp64"})
    if (takeUndefined(Name))
      Hidden.push_back(Name);
  if (O.Unset.empty() && Hidden.empty())
    return;
  for (StringRef Name : O.Unset)
    Unset.insert(Name);
  auto Change = [&](StringRef Of) {
    std::string Result = Unset.empty() ? Of.str() : withoutDefines(Of, Unset);
    for (StringRef Name : Hidden)
      Result = withoutInConditions(Result, Name);
    return Result;
  };
  if (std::string New = Change(Text); New != Text) {
    Text = std::move(New);
    TextChanged = true;
  }
  TextChanged |= !O.Unset.empty();
  for (const IncludedFile &H : headersOf(FileName, Text, Args.Pass))
    if (std::string Rest = Change(H.Text); Rest != H.Text)
      Args.Replaced.push_back({H.Path, std::move(Rest)});
}

/// True if the last word of the arguments on Name is -U: then it is removed. Clang declares its own
/// types and functions by such macros, so only the conditions of the file may miss it.
bool TolerantParser::takeUndefined(StringRef Name) {
  auto IsUndefinition = [&](StringRef A) { return A == ("-U" + Name).str(); };
  bool Undefined = false;
  for (size_t I = 0; I < Args.Pass.size(); ++I) {
    StringRef A = Args.Pass[I];
    if (IsUndefinition(A))
      Undefined = true;
    else if (A.consume_front("-D") &&
             wordAt(A.empty() && I + 1 < Args.Pass.size() ? StringRef(Args.Pass[I + 1]) : A) ==
                 Name)
      Undefined = false;
  }
  llvm::erase_if(Args.Pass, IsUndefinition);
  return Undefined;
}

/// Kernels or parts of them are under conditions that only macros of the host fulfil.
bool TolerantParser::waitsForMacros() const {
  if (!StringRef(Text).contains("#"))
    return false;
  if (O.WantedKernel)
    return true;
  TokenScan T(Text, Given);
  return (O.ShowHidden && !T.wantedForKernels().empty()) || !T.wantedNumbers().empty();
}

/// Step 2: the result of the first dialect without errors, unless kernels wait for macros. Nothing
/// otherwise; then First and Std are the first dialect's.
std::optional<ParseResult> TolerantParser::parseAsItIs() {
  std::optional<bool> Waits;
  auto WaitsForMacros = [&] {
    if (!Waits)
      Waits = waitsForMacros();
    return *Waits;
  };
  for (const std::string &Dialect : Dialects) {
    ClangParse P = parse(Dialect);
    if (P.Errors == 0 && !WaitsForMacros()) {
      defineFromSiblings(P, Dialect);
      ParseResult R = toResult(std::move(P), Dialect);
      if (R.M && TextChanged)
        R.M->Files[0].Text = Original.str();
      if (R.M)
        for (const std::string &Option : Args.Dropped)
          R.M->Notes.push_back("option " + Option + " ignored");
      if (R.M)
        for (const SiblingFile &B : Args.Before)
          R.M->Notes.push_back(takenFrom(B));
      R.Siblings = Args.Before;
      return R;
    }
    if (Std.empty()) {
      First = std::move(P);
      Std = Dialect;
    }
    if (First.Fatal)
      break; // a missing include is missing in every dialect
    if (WaitsForMacros() || !mayDependOnDialect(First.Diagnostics, textWithHeaders(), /*Any=*/true))
      break;
  }
  return std::nullopt;
}

/// A header may declare what a sibling file defines: parses P again with such files, if that
/// defines more.
void TolerantParser::defineFromSiblings(ClangParse &P, StringRef Dialect) {
  std::vector<ParseDiagnostic> Missed = undefinedCalls(P, FileName);
  std::vector<SiblingFile> More =
      Missed.empty() ? std::vector<SiblingFile>() : Siblings->filesFor(Missed, includedPaths());
  if (More.empty())
    return;
  ClangArguments With = Args;
  With.Before = std::move(More);
  ClangParse Other = parseOnce(FileName, Text, With, {}, Dialect, Triple, /*Tolerant=*/true,
                               /*Limit=*/true);
  if (Other.Errors || Other.Accepted || !Other.M ||
      Other.M->Kernels.size() != P.M->Kernels.size() ||
      undefinedCalls(Other, FileName).size() >= Missed.size())
    return;
  P = std::move(Other);
  Args = std::move(With);
}

/// Defines macros that keep shared headers from including the host's. False: there are none.
bool TolerantParser::defineAgainstHostHeaders() {
  bool Any = false;
  for (const IncludedFile &H : headersOf(FileName, Text, Args.Pass))
    for (const WantedMacro &W : macrosAgainstHostHeaders(H.Text, Given))
      if (Given.try_emplace(W.Name, W.Value.empty() ? "1" : W.Value).second) {
        Args.Pass.push_back("-D" + W.Name + "=" + Given[W.Name]);
        Notes.push_back(W.Name + " is taken as defined: without it " +
                        llvm::sys::path::filename(H.Path).str() + " includes headers of the host");
        Any = true;
      }
  return Any;
}

/// Step 3: headers that the host's -I would find, in a folder above the file.
void TolerantParser::findHeadersAbove() {
  constexpr unsigned MaxParses = 16;
  for (unsigned I = 0; First.Errors && I < MaxParses && !outOfTime(); ++I) {
    if (defineAgainstHostHeaders())
      First = parse(Std);
    std::string Name = missingInclude(First.Diagnostics);
    std::string Folder = Name.empty() ? "" : folderOfHeader(FileName, Name);
    if (Folder.empty() || llvm::is_contained(Args.Pass, "-I" + Folder))
      break;
    Args.Pass.push_back("-I" + Folder);
    HeaderFolders.push_back(Folder);
    First = parse(Std);
  }
}

/// Steps 3 and 4: headers that are nowhere become empty files; what they, or the files that the
/// host joins with this one, would have declared may be in sibling files.
void TolerantParser::addSiblings() {
  constexpr unsigned MaxParses = 32;
  auto Parse = [&] {
    for (SiblingFile &B : Args.Before)
      B.Text = withoutDefines(B.Text, Unset);
    First = parse(Std);
  };
  for (unsigned I = 0; First.Errors && I < MaxParses && !outOfTime(); ++I) {
    // Without a missing include, there were too many errors.
    if (std::string Name = First.Fatal ? missingInclude(First.Diagnostics) : ""; !Name.empty()) {
      if (llvm::is_contained(Args.Empty, Name))
        break;
      Notes.push_back("include " + Name + " not found and left out");
      Args.Empty.push_back(Name);
      Parse();
      continue;
    }
    std::vector<SiblingFile> More = Siblings->filesFor(First.Diagnostics, includedPaths());
    if (More.empty())
      break;
    std::vector<SiblingFile> Before = std::exchange(Args.Before, std::move(More));
    bool DefinedTwice = definesTwice();
    Parse();
    if (!DefinedTwice && definesTwice()) {
      Args.Before = std::move(Before);
      Parse();
      break;
    }
  }
  if (!First.Errors)
    defineFromSiblings(First, Std);
  for (const SiblingFile &B : Args.Before)
    Notes.push_back(takenFrom(B));
}

/// Step 5: types and qualifiers that Clang refuses and other compilers accept.
void TolerantParser::fixDialect() {
  if (HasTemplates)
    Notes.push_back("templates are taken for one type each");
  std::string Fixed;
  if (fixParameterTypes(FileName, Text, First.Diagnostics, Fixed)) {
    Notes.push_back("bool and size_t are no types for kernel parameters: taken as char and ulong");
    Text = Fixed;
    FirstIsCurrent = false;
  }
  if (dropUnknownQualifiers(FileName, Text, First.Diagnostics, Fixed)) {
    Notes.push_back(
        "code that only other compilers accept is rewritten: qualifiers, attributes, conditions");
    Text = Fixed;
    FirstIsCurrent = false;
  }
}

/// The headers and sibling files, for the uses of names in them. Macros that the wanted kernel
/// needs win over the settings of sibling files.
std::string TolerantParser::textForInference() const {
  std::string Headers;
  auto AddHeaders = [&](StringRef Path, StringRef Its) {
    for (const IncludedFile &H : headersOf(Path, Its, Args.Pass))
      Headers += H.Text + "\n";
  };
  AddHeaders(FileName, Text);
  llvm::StringSet<> Wanted;
  if (O.WantedKernel)
    for (const WantedMacro &W : TokenScan(Text, Given).wantedForKernels(O.WantedKernel))
      Wanted.insert(W.Name);
  for (const SiblingFile &B : Args.Before) {
    std::string Rest = withoutDefines(B.Text, Wanted);
    Headers += Rest + "\n";
    AddHeaders(B.Path, Rest);
  }
  return Headers;
}

/// Step 6: the best parse with inferred macros. Errors about parameter lists show only once their
/// types are known: then the lists are fixed, and the macros inferred once more.
InferredMacros TolerantParser::inferAll() {
  auto Try = [&](llvm::ArrayRef<std::string> Extra, StringRef Dialect, StringRef Target,
                 bool Limit) {
    bool Again = FirstIsCurrent && !First.Fatal && Extra.empty() && Dialect == Std &&
                 Target == Triple && First.M;
    ClangParse P = Again ? std::move(First)
                         : parseOnce(FileName, Text, Args, Extra, Dialect, Target,
                                     /*Tolerant=*/true, Limit);
    if (Again) {
      P.Errors -= P.Accepted;
      FirstIsCurrent = false;
    }
    ParseAttempt A;
    A.Errors = P.Errors;
    A.Diagnostics = P.Diagnostics;
    A.Kernels = P.M ? P.M->Kernels.size() : 0;
    A.Parse = std::make_shared<ClangParse>(std::move(P));
    return A;
  };
  std::string Headers = textForInference();
  auto FixLists = [&](llvm::ArrayRef<ParseDiagnostic> Diagnostics) {
    std::string Fixed;
    std::vector<std::string> New = fixParameterLists(FileName, Text, Diagnostics, Fixed);
    Notes.insert(Notes.end(), New.begin(), New.end());
    if (!New.empty()) {
      Text = Fixed;
      FirstIsCurrent = false;
    }
    return !New.empty();
  };
  auto Infer = [&] {
    return inferMacros(FileName, Text, Headers, Given, Dialects, Triple, Args.Triple.empty(),
                       O.WantedKernel, O.ShowHidden, Try);
  };
  FixLists(First.Diagnostics);
  InferredMacros Best = Infer();
  if (Best.Attempt.Errors && FixLists(Best.Attempt.Diagnostics))
    Best = Infer();
  return Best;
}

/// Step 7, the last resort: kernels without their lines that do not parse, where that lifts more
/// kernels.
void TolerantParser::parsePartially(InferredMacros &Best) {
  ClangParse &P = *Best.Attempt.Parse;
  bool LeftOut = !P.M || P.M->Kernels.empty() || llvm::any_of(P.M->Notes, [](StringRef N) {
    return N.ends_with("left out: it did not parse");
  });
  if (!Best.Attempt.Errors || !LeftOut)
    return;
  Args.Partial = Args.SuggestNames = true; // a declaration with a name in its place is lifted
  for (const std::vector<std::string> *Extra : {&Best.Arguments, &Best.LastArguments}) {
    if (Extra == &Best.LastArguments && Best.LastArguments == Best.Arguments)
      continue;
    ClangParse Part = parseOnce(FileName, Text, Args, *Extra, Best.Dialect, Triple,
                                /*Tolerant=*/true, /*Limit=*/false);
    size_t Kernels = P.M ? P.M->Kernels.size() : 0;
    if (Part.M && Part.M->Kernels.size() > Kernels) {
      if (Extra == &Best.LastArguments)
        Best.Notes = Best.LastNotes;
      P = std::move(Part);
    }
  }
  Args.SuggestNames = false;
}

/// Errors at places that the user did not name: in sibling files and built-in headers.
void TolerantParser::dropForeignErrors(std::vector<ParseDiagnostic> &Diagnostics) const {
  llvm::erase_if(Diagnostics, [&](const ParseDiagnostic &D) {
    return D.File != FileName &&
           (StringRef(D.File).starts_with(BuiltInFolder) ||
            llvm::any_of(Args.Before, [&](const SiblingFile &B) { return D.File == B.Path; }));
  });
}

/// The last parse fails because a sibling file defines what this file defines: it belongs to
/// another program.
bool TolerantParser::definesTwice() const {
  return llvm::any_of(First.Diagnostics, [&](const ParseDiagnostic &D) {
    StringRef Message = D.Message;
    return D.IsError && D.File == FileName &&
           (Message.starts_with("redefinition of '") ||
            Message.starts_with("conflicting types for '") ||
            Message.starts_with("typedef redefinition with different types"));
  });
}

/// Parses again for the errors of unknown names, with suggestions, which are printed.
void TolerantParser::suggestNames(InferredMacros &Best) {
  ClangParse &P = *Best.Attempt.Parse;
  auto Suggests = [](const ParseDiagnostic &D) {
    return StringRef(D.Message).contains("; did you mean '");
  };
  // A name in capitals is a macro of the host.
  auto IsUnknownName = [](const ParseDiagnostic &D) {
    return D.IsError && llvm::any_of(quoted(D.Message), llvm::isLower) &&
           (StringRef(D.Message).starts_with("use of undeclared identifier") ||
            StringRef(D.Message).starts_with("unknown type name"));
  };
  if (llvm::any_of(P.Diagnostics, Suggests) || llvm::none_of(P.Diagnostics, IsUnknownName))
    return;
  Args.SuggestNames = true;
  ClangParse Again = parseOnce(FileName, Text, Args, Best.Arguments, Best.Dialect, Triple,
                               /*Tolerant=*/true, /*Limit=*/false);
  P.Diagnostics = std::move(Again.Diagnostics);
}

/// The result of the best parse, with all notes.
ParseResult TolerantParser::report(InferredMacros &Best) {
  suggestNames(Best);
  ClangParse &P = *Best.Attempt.Parse;
  ParseResult R = toResult(std::move(P), Best.Dialect);
  dropForeignErrors(R.Diagnostics);
  if (R.M && R.M->Kernels.empty() && Best.Attempt.Errors)
    R.M.reset();
  for (const SiblingFile &B : Args.Before)
    R.SiblingText += B.Text + "\n";
  R.Siblings = Args.Before;
  R.HeaderFolders = HeaderFolders;
  if (!R.M)
    return R;
  if (!Notes.empty() || TextChanged)
    R.M->Files[0].Text = Original.str();
  R.M->Notes.insert(R.M->Notes.begin(), Notes.begin(), Notes.end());
  R.M->Notes.insert(R.M->Notes.begin(), Best.Notes.begin(), Best.Notes.end());
  R.Guesses = Best.Defines;
  for (const std::string &Option : Args.Dropped)
    R.M->Notes.push_back("option " + Option + " ignored");
  return R;
}

/// A file that includes this one was added, and may have errors of its own: R, or the result
/// without that file, whichever has more kernels, then fewer errors.
ParseResult TolerantParser::withoutIncluder(ParseResult R, unsigned Errors) const {
  if (!Siblings->isIncluded() || !Errors)
    return R;
  ParseOptions Own = O;
  Own.IgnoreIncluders = true;
  ParseResult Without = parseOpenCL(FileName, Original, Own);
  auto Rank = [](const ParseResult &R) {
    return std::pair(R.M ? ptrdiff_t(R.M->Kernels.size()) : 0,
                     -llvm::count_if(R.Diagnostics, [](const auto &D) { return D.IsError; }));
  };
  return Rank(Without) >= Rank(R) ? std::move(Without) : std::move(R);
}

} // namespace

ParseResult parseTolerantly(StringRef FileName, StringRef Text, const ParseOptions &O,
                            ClangArguments Args, StringRef Triple,
                            llvm::ArrayRef<std::string> Dialects) {
  return TolerantParser(FileName, Text, O, std::move(Args), Triple, Dialects).run();
}

} // namespace clmali::model
