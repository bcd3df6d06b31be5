//===-- checks/model/frontend/tolerant/MacroInference.cpp - Macros of the host ------===//

#include "checks/model/frontend/tolerant/MacroInference.h"
#include "checks/model/frontend/ClangParse.h"
#include "checks/model/frontend/Guesses.h"
#include "checks/model/frontend/tolerant/Definitions.h"
#include "checks/model/ir/Budget.h"

using llvm::StringRef;

namespace clmali::model {
namespace {

bool isBetter(const ParseAttempt &A, const ParseAttempt &B) {
  if (A.Kernels != B.Kernels)
    return A.Kernels > B.Kernels;
  return A.Errors < B.Errors;
}

class Inference {
public:
  Inference(StringRef FileName, StringRef Text, StringRef Headers,
            const llvm::StringMap<std::string> &Given, llvm::ArrayRef<std::string> Dialects,
            StringRef Triple, unsigned Wanted, bool ShowHidden, TryFn Try)
      : FileName(FileName), Text(Text), Dialects(Dialects), Triple(Triple), Wanted(Wanted),
        ShowHidden(ShowHidden), Try(Try), All((Text + "\n" + Headers).str()), T(All, Given) {}

  InferredMacros run(bool MayChangeTriple) {
    defineForKernels();
    chooseDialect();
    ParseAttempt Last = defineForErrors();
    if (!Definitions.empty()) {
      if (Last.Errors && Last.Parse->Fatal) // it ended at the limit of errors
        Last = parse(/*Limit=*/false);
      keepIfBetter(Last);
      if (Last.Errors && takeTypesAsIntegers())
        keepIfBetter(parse(/*Limit=*/false));
    }
    if (needsGenericPointers(Last))
      for (const std::string &D : Dialects) {
        Std = D;
        keepIfBetter(parse(/*Limit=*/false));
      }
    if (Best.Attempt.Errors && MayChangeTriple && Triple == "spir64")
      tryNarrowSizes();
    addNotes();
    return std::move(Best);
  }

private:
  StringRef FileName, Text;
  llvm::ArrayRef<std::string> Dialects;
  StringRef Triple;
  unsigned Wanted;
  bool ShowHidden;
  TryFn Try;
  std::string All; ///< Text with its headers
  TokenScan T;
  std::vector<Definition> Definitions;
  llvm::StringSet<> Known; ///< names of Definitions
  std::string Std;         ///< the dialect of the next parse
  InferredMacros Best;
  std::vector<std::string> BestArgs;
  bool Numbers = false;  ///< Definitions has numbers without which the file parses as well
  bool WasClean = false; ///< there were no errors without definitions

  ParseAttempt parse(bool Limit) const { return Try(arguments(), Std, Triple, Limit); }

  /// The arguments of Clang for all definitions.
  std::vector<std::string> arguments() const {
    std::vector<std::string> Args;
    for (const Definition &D : Definitions) {
      if (D.IsOption) {
        Args.push_back(D.Name);
      } else if (D.IsText) {
        Args.push_back(PreludeOption.str());
        Args.push_back(D.Value);
      } else if (!D.Members.empty()) {
        Args.push_back(PreludeOption.str());
        Args.push_back("typedef " + D.Value + " {" + D.Members + "} " + D.Name + ";");
      } else {
        Args.push_back("-D");
        Args.push_back(D.Name + "=" + D.Value);
      }
    }
    return Args;
  }
  /// The definitions that the host would have, "T=float".
  std::vector<std::string> defines() const {
    std::vector<std::string> Result;
    for (const Definition &D : Definitions)
      if (D.Repair.empty())
        Result.push_back(D.Members.empty() ? D.Name + "=" + D.Value
                                           : D.Name + "=struct {" + D.Members + "}");
    return Result;
  }
  std::vector<std::string> repairs() const {
    std::vector<std::string> Result;
    for (const Definition &D : Definitions)
      if (!D.Repair.empty())
        Result.push_back(D.Repair);
    return Result;
  }

  /// Macros without which #if hides kernels or parts of them.
  void defineForKernels() {
    for (const WantedMacro &W :
         Wanted || ShowHidden ? T.wantedForKernels(Wanted) : std::vector<WantedMacro>())
      if (Known.insert(W.Name).second)
        Definitions.push_back(W.Value.empty() ? define(W.Name, T.meaning(W.Name))
                                              : Definition{W.Name, W.Value, false, {}, {}});
    // The wanted kernel's macros are defined from the start: without them other kernels are shown.
    if (Wanted)
      BestArgs = arguments();
    for (const WantedMacro &W : T.wantedNumbers())
      if (Known.insert(W.Name).second) {
        Definitions.push_back({W.Name, W.Value, false, {}, {}});
        Numbers = true;
      }
  }

  /// The dialect with the best parse, without the other definitions.
  void chooseDialect() {
    bool Have = false;
    std::vector<std::string> Defines = Wanted ? defines() : std::vector<std::string>();
    for (const std::string &D : Dialects) {
      ParseAttempt A = Try(BestArgs, D, Triple, /*Limit=*/false);
      if (!Have || isBetter(A, Best.Attempt)) {
        Best = {std::move(A), D, Defines, {}, {}, {}, {}};
        Have = true;
      }
      if (!Best.Attempt.Errors || !mayDependOnDialect(Best.Attempt.Diagnostics, All, /*Any=*/false))
        break;
    }
    Std = Best.Dialect;
    WasClean = Best.Attempt.Errors == 0;
  }

  /// Parses and adds definitions for the errors, until there are none or nothing is left to define.
  /// Returns the last parse.
  ParseAttempt defineForErrors() {
    constexpr unsigned MaxParses = 12;
    llvm::StringSet<> Revised;
    ParseAttempt Last = Best.Attempt;
    if (!Definitions.empty())
      Last = parse(/*Limit=*/true);
    for (unsigned I = 0; I < MaxParses && Last.Errors && !outOfTime(); ++I) {
      // An #error first: until it is avoided, names that depend on it look like macros.
      std::vector<Definition> Next;
      bool Mended = contradicted(T, Last.Diagnostics, FileName, Definitions, Revised);
      if (!Mended)
        Next = propose(T, Last.Diagnostics, FileName, Text, Known);
      if (!Mended && Next.empty() &&
          !revise(T, Last.Diagnostics, FileName, Text, Definitions, Revised))
        break;
      Definitions.insert(Definitions.end(), Next.begin(), Next.end());
      Last = parse(/*Limit=*/true);
    }
    return Last;
  }

  /// Makes A, the parse with all definitions, the best one if it is better.
  void keepIfBetter(const ParseAttempt &A) {
    // A file that parsed as it was does not get errors for the sake of one more kernel.
    if ((WasClean && Best.Attempt.Kernels && A.Errors) ||
        (Numbers ? isBetter(Best.Attempt, A) : !isBetter(A, Best.Attempt)))
      return;
    Numbers = false;
    Best = {A, Std, defines(), repairs(), {}, {}, {}};
    BestArgs = arguments();
  }

  /// Types that may be integers, as far as float was inferred, become int. False: there are none.
  bool takeTypesAsIntegers() {
    bool Any = false;
    for (Definition &D : Definitions)
      if (D.MayBeInteger && StringRef(D.Value).starts_with("float")) {
        D.Value = "int" + D.Value.substr(5);
        Any = true;
      } else if (size_t At;
                 D.MayBeInteger && (At = D.Members.find("float ")) != std::string::npos) {
        for (; At != std::string::npos; At = D.Members.find("float "))
          D.Members.replace(At, 5, "int");
        Any = true;
      }
    return Any;
  }

  /// Errors that other dialects avoid: generic pointers, variables at program scope.
  static bool needsGenericPointers(const ParseAttempt &A) {
    return llvm::any_of(A.Diagnostics, [](const ParseDiagnostic &D) {
      return D.IsError && (StringRef(D.Message).contains("changes address space") ||
                           StringRef(D.Message).starts_with("program scope variable must reside"));
    });
  }

  /// Errors about unknown names, and the syntax errors that these make, do not depend on size_t.
  static bool mayDependOnSizes(const ParseAttempt &A) {
    return llvm::any_of(A.Diagnostics, [](const ParseDiagnostic &D) {
      StringRef Message = D.Message;
      return D.IsError && !Message.starts_with("use of undeclared identifier") &&
             !Message.starts_with("unknown type name") && !Message.starts_with("expected ");
    });
  }

  void tryNarrowSizes() {
    if (!mayDependOnSizes(Best.Attempt))
      return;
    ParseAttempt Small = Try(BestArgs, Best.Dialect, "spir", /*Limit=*/false);
    if (isBetter(Small, Best.Attempt)) {
      Best.Attempt = Small;
      Best.Notes.push_back("size_t taken as 32 bits wide");
    }
  }

  void addNotes() {
    // No kernel is shown, and the macros that would show one are known.
    if (!Best.Attempt.Kernels && Best.Defines.empty()) {
      std::vector<std::string> Names;
      for (const Definition &D : Definitions)
        if (D.Repair.empty())
          Names.push_back(StringRef(D.Name).split('(').first.str());
      if (!Names.empty())
        Best.Notes.push_back("its kernels need macros that the host defines (give them with "
                             "-D): " +
                             llvm::join(Names, ", "));
    }
    if (!Best.Defines.empty())
      Best.Notes.insert(Best.Notes.begin(), noteOfGuesses(Best.Defines));
    Best.Arguments = BestArgs;
    Best.LastArguments = arguments();
    if (std::vector<std::string> All = defines(); !All.empty())
      Best.LastNotes = {noteOfGuesses(All)};
    for (std::string &N : repairs())
      Best.LastNotes.push_back(std::move(N));
  }
};

} // namespace

/// True for the names that OpenCL C has had since 2.0 only and that are in no header: qualifiers,
/// and built-in functions, by the words that these begin with.
static bool mayBeLater(StringRef Name) {
  constexpr StringRef Words[] = {"atomic_",  "work_group_", "sub_group_", "get_",    "to_",
                                 "read_",    "write_",      "reserve_",   "commit_", "is_valid_",
                                 "enqueue_", "retain_",     "release_",   "create_", "set_user_",
                                 "capture_", "ndrange_",    "dot_",       "intel_"};
  return Name == "ctz" || Name == "pipe" || Name == "generic" ||
         llvm::any_of(Words, [&](StringRef W) { return Name.starts_with(W); });
}

/// A name that is unknown in every dialect. Not one that the file declares: there another error
/// hides the declaration.
static bool isUnknownEverywhere(StringRef Message, const llvm::StringSet<> &UnknownTypes,
                                const TokenScan &T) {
  StringRef Name = quoted(Message);
  if (UnknownTypes.contains(Name))
    return true;
  bool IsFunction = Message.starts_with("call to undeclared function '");
  if (!IsFunction && !Message.starts_with("use of undeclared identifier '") &&
      !Message.starts_with("unknown type name '"))
    return false;
  return !isInBaseHeader(Name) && !mayBeLater(Name) && !T.declares(Name);
}

/// True if the text asks which version it is. `#ifdef __OPENCL_VERSION__` has one answer in all.
static bool asksForVersion(StringRef Text) {
  StringRef Before;
  while (!(Text = Text.drop_until(isNameChar)).empty()) {
    StringRef Word = wordAt(Text);
    bool OfLanguage = Word == "__OPENCL_VERSION__" || Word == "__OPENCL_C_VERSION__";
    bool AsksIfDefined = Before == "ifdef" || Before == "ifndef" || Before == "defined";
    if (OfLanguage ? !AsksIfDefined : Word.contains("CL_VERSION"))
      return true;
    Text = Text.drop_front(Word.size());
    Before = Word;
  }
  return false;
}

bool mayDependOnDialect(llvm::ArrayRef<ParseDiagnostic> Errors, StringRef Text, bool Any) {
  if (asksForVersion(Text))
    return true;
  llvm::StringSet<> UnknownTypes;
  for (const ParseDiagnostic &D : Errors)
    if (D.IsError && StringRef(D.Message).starts_with("unknown type name '"))
      if (StringRef Name = quoted(D.Message); !mayBeLater(Name) && !isInBaseHeader(Name))
        UnknownTypes.insert(Name);
  TokenScan T(Text);
  bool Unknown = false, Other = false;
  for (const ParseDiagnostic &D : Errors)
    if (D.IsError) {
      bool Here = isUnknownEverywhere(D.Message, UnknownTypes, T);
      Unknown |= Here;
      // Unknown names make syntax errors.
      Other |= !Here && !(Unknown && StringRef(D.Message).starts_with("expected "));
    }
  return !Unknown || (!Any && Other);
}

InferredMacros inferMacros(StringRef FileName, StringRef Text, StringRef Headers,
                           const llvm::StringMap<std::string> &Given,
                           llvm::ArrayRef<std::string> Dialects, StringRef Triple,
                           bool MayChangeTriple, unsigned Wanted, bool ShowHidden, TryFn Try) {
  return Inference(FileName, Text, Headers, Given, Dialects, Triple, Wanted, ShowHidden, Try)
      .run(MayChangeTriple);
}

} // namespace clmali::model
