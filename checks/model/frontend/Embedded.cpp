//===-- checks/model/frontend/Embedded.cpp - Kernels inside host strings -----------===//

#include "checks/model/frontend/Embedded.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <set>

using namespace llvm;

namespace clmali::model {

static unsigned hostOffset(const EmbeddedKernel &E, unsigned I) {
  return I < E.Offsets.size() ? E.Offsets[I] : E.Offsets.back() + 1;
}

static uint32_t hostFile(const EmbeddedKernel &E, unsigned I) {
  return E.OffsetFiles.empty() ? E.Range.File
                               : E.OffsetFiles[std::min<size_t>(I, E.OffsetFiles.size() - 1)];
}

SourceRange hostRange(const EmbeddedKernel &E, SourceRange R) {
  if (E.Offsets.empty())
    return E.Range;
  uint32_t File = hostFile(E, R.Begin);
  unsigned Begin = hostOffset(E, R.Begin), End = Begin;
  if (R.End > R.Begin && hostFile(E, R.End - 1) == File)
    End = hostOffset(E, R.End - 1) + 1;
  return {File, Begin, std::max(Begin, End)};
}

bool canEditInHost(const EmbeddedKernel &E, SourceRange R) {
  if (E.Offsets.empty() || R.End > E.Offsets.size() || hostFile(E, R.Begin) != hostFile(E, R.End))
    return false;
  // Bytes that map to one position: the position of an insertion between them is unknown.
  if (R.Begin == R.End && hostOffset(E, R.End + 1) == hostOffset(E, R.End))
    return false;
  return hostOffset(E, R.End) - hostOffset(E, R.Begin) == R.End - R.Begin;
}

static bool isNameCharacter(char C) { return isAlnum(C) || C == '_'; }

/// Bytes that were made for a stand-in have one offset; those of the user's text have their own.
std::vector<StandIn> standIns(const EmbeddedKernel &E) {
  std::vector<StandIn> Result;
  if (!E.IsGuessed)
    return Result;
  StringRef Source = E.Source;
  bool Exact = E.Offsets.size() == Source.size();
  for (size_t At = Source.find(HostStandIn); At != StringRef::npos;
       At = Source.find(HostStandIn, At + 1)) {
    size_t End = At;
    while (End < Source.size() && isNameCharacter(Source[End]) &&
           (!Exact || E.Offsets[End] == E.Offsets[At]))
      ++End;
    if (Exact && End - At <= HostStandIn.size())
      continue;
    std::string Name = Source.slice(At, End).str();
    if (none_of(Result, [&](const StandIn &S) { return S.Name == Name; }))
      Result.push_back({Name, Exact ? std::optional(E.Offsets[At]) : std::nullopt});
  }
  // HOST_TEXT12 before HOST_TEXT1.
  llvm::sort(Result, [](const StandIn &A, const StandIn &B) {
    return std::make_pair(B.Name.size(), A.Name) < std::make_pair(A.Name.size(), B.Name);
  });
  return Result;
}

std::string inHostWords(const EmbeddedKernel &E, StringRef HostText, StringRef Message) {
  std::vector<StandIn> Names = standIns(E);
  auto Mentions = [&](StringRef Text) {
    return any_of(Names, [&](const StandIn &S) { return Text.contains(S.Name); });
  };
  if (!Mentions(Message))
    return Message.str();
  StringRef TakenAs = "; taken as ";
  if (size_t At = Message.find(TakenAs); At != StringRef::npos) {
    SmallVector<StringRef, 8> All;
    Message.drop_front(At + TakenAs.size()).split(All, ", ");
    erase_if(All, Mentions);
    return All.empty() ? "" : (Message.take_front(At + TakenAs.size()) + join(All, ", ")).str();
  }
  std::string Result = Message.str();
  for (const StandIn &S : Names) {
    StringRef Word = S.Name;
    Word.consume_front(HostStandIn);
    std::string Plain = Word.str();
    StringRef Number = Word;
    if (Number.consume_front("TEXT") && !Number.empty() && all_of(Number, isDigit))
      Plain = S.Offset ? "the text of line " +
                             std::to_string(HostText.take_front(*S.Offset).count('\n') + 1)
                       : "text known at run time";
    for (size_t At = Result.find(S.Name); At != std::string::npos;
         At = Result.find(S.Name, At + Plain.size()))
      Result.replace(At, S.Name.size(), Plain);
  }
  return Result;
}

/// The options of all Lines, with the first value of each macro.
static std::vector<std::string> optionsOf(ArrayRef<StringRef> Lines, StringRef KernelFile) {
  std::vector<std::string> Result;
  StringSet<> Macros;
  auto Define = [&](StringRef Text) {
    StringRef Name = Text.split('=').first;
    // '\1' is a value that is known only at run time.
    if (Text.contains('\1') || Name.empty() || !Macros.insert(Name).second)
      return;
    Result.push_back(("-D" + Text).str());
  };
  auto Folder = [&](StringRef Text) {
    if (Text.contains('\1') || Text.empty())
      return;
    Result.push_back(("-I" + Text).str());
    if (sys::path::is_relative(Text)) {
      SmallString<256> Path(sys::path::parent_path(KernelFile));
      sys::path::append(Path, Text);
      Result.push_back(("-I" + Path).str());
    }
  };
  for (StringRef Line : Lines) {
    SmallVector<StringRef, 16> Words;
    Line.split(Words, ' ', -1, /*KeepEmpty=*/false);
    for (size_t I = 0; I < Words.size(); ++I) {
      StringRef Word = Words[I];
      auto Value = [&] {
        return !Word.empty() ? Word : I + 1 < Words.size() ? Words[++I] : StringRef();
      };
      if (Word.consume_front("-D"))
        Define(Value());
      else if (Word.consume_front("-I"))
        Folder(Value());
      else if (Word.starts_with("-cl-std=") && !Word.contains('\1') &&
               none_of(Result, [](StringRef S) { return S.starts_with("-cl-std="); }))
        Result.push_back(Word.str());
    }
  }
  return Result;
}

std::vector<std::vector<std::string>> buildOptions(ArrayRef<const HostModule *> Hosts,
                                                   StringRef KernelFile) {
  std::vector<StringRef> Lines;
  for (const HostModule *H : Hosts)
    Lines.insert(Lines.end(), H->BuildOptions.begin(), H->BuildOptions.end());
  auto Macros = [](const std::vector<std::string> &Options) {
    std::set<std::string> Result;
    for (StringRef S : Options)
      if (S.consume_front("-D"))
        Result.insert(S.str());
    return Result;
  };
  std::vector<std::vector<std::string>> Result{optionsOf(Lines, KernelFile)};
  std::set<std::set<std::string>> Seen{Macros(Result.front())};
  for (StringRef Line : Lines)
    if (std::vector<std::string> Alone = optionsOf(Line, KernelFile);
        Seen.insert(Macros(Alone)).second)
      Result.push_back(std::move(Alone));
  return Result;
}

bool isKernelSource(StringRef Text) {
  clang::LangOptions Options;
  Options.CPlusPlus = Options.CPlusPlus11 = Options.LineComment = true; // raw strings
  std::string Buffer = Text.str(); // the lexer needs a terminating zero
  clang::Lexer Lex(clang::SourceLocation(), Options, Buffer.data(), Buffer.data(),
                   Buffer.data() + Buffer.size());
  clang::Token T;
  bool Found = false, InDirective = false, IsInclude = false, AfterKernel = false;
  int Depth = 0;
  for (bool End = false; !End;) {
    End = Lex.LexFromRawLexer(T);
    StringRef Word = T.is(clang::tok::raw_identifier) ? T.getRawIdentifier() : StringRef();
    if (T.isAtStartOfLine())
      InDirective = IsInclude = T.is(clang::tok::hash);
    else if (InDirective && IsInclude) {
      if (T.is(clang::tok::less))
        return false;
      IsInclude = Word == "include";
    }
    if (InDirective)
      continue;
    Depth += T.is(clang::tok::l_paren) - T.is(clang::tok::r_paren);
    Found |= Depth == 0 && (Word == "__kernel" || (AfterKernel && Word == "void"));
    AfterKernel = Word == "kernel";
  }
  return Found;
}

bool mayUseFloats(StringRef Source) {
  clang::LangOptions Options;
  Options.OpenCL = true;
  Options.OpenCLVersion = 120;
  std::string Buffer = Source.str(); // the lexer needs a terminating zero
  clang::Lexer Lex(clang::SourceLocation(), Options, Buffer.data(), Buffer.data(),
                   Buffer.data() + Buffer.size());
  clang::Token T;
  for (bool End = false; !End;) {
    End = Lex.LexFromRawLexer(T);
    StringRef Text(Buffer.data() + (Lex.getBufferLocation() - Buffer.data()) - T.getLength(),
                   T.getLength());
    if (T.is(clang::tok::raw_identifier)) {
      StringRef Word = T.getRawIdentifier();
      if (Word.contains("float") || Word.contains("double") || Word.starts_with("half") ||
          Word.ends_with("imagef") || Word == "include")
        return true;
    } else if (T.is(clang::tok::numeric_constant)) {
      if (Text.contains('.') ||
          (!Text.starts_with_insensitive("0x") && Text.contains_insensitive("e")))
        return true;
    } else if (Text.contains('\1')) { // known only at run time
      return true;
    }
  }
  return false;
}

} // namespace clmali::model
