//===-- checks/model/frontend/tolerant/SiblingFiles.cpp - Other files of the folder -===//

#include "checks/model/frontend/tolerant/SiblingFiles.h"
#include "checks/model/frontend/Files.h"
#include "checks/model/frontend/Functions.h"
#include "checks/model/frontend/tolerant/DialectFixes.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/xxhash.h"
#include <map>
#include <mutex>

using llvm::StringRef;

namespace clmali::model {
namespace {

constexpr unsigned LevelsAbove = 3;                  ///< folders above the file's own that are read
constexpr size_t MaxFiles = 256, MaxBytes = 4 << 20; ///< of a folder
constexpr StringRef HostWords[] = {"std::",         "cl_mem",        "cl_context", "clCreate",
                                   "#include <CL/", "#include <std", "iostream>"};

/// Collects the names that the declarations of a file define, outside of functions.
class Statements {
public:
  explicit Statements(llvm::StringSet<> &Names) : Names(Names) {}

  void token(const clang::Token &T, StringRef Word) {
    bool Opens = T.isOneOf(clang::tok::l_paren, clang::tok::l_brace, clang::tok::l_square);
    bool Closes = T.isOneOf(clang::tok::r_paren, clang::tok::r_brace, clang::tok::r_square);
    if (Opens && Depth++ == 0)
      open(T.getKind());
    if (Depth == 0)
      outside(T, Word);
    else if (Depth == 1 && IsEnum && !Word.empty())
      Names.insert(Word);
    if (Closes && Depth && --Depth == 0 && T.is(clang::tok::r_brace) && IsFunction)
      end();
  }

private:
  llvm::StringSet<> &Names;
  int Depth = 0;
  StringRef Last, Function; ///< the last name, and the one before the last parentheses
  bool IsTypedef = false, IsTag = false, IsConstant = false, IsEnum = false, IsFunction = false,
       HasValue = false;

  void open(clang::tok::TokenKind Kind) {
    if (Kind == clang::tok::l_paren && Last != "__attribute__")
      Function = Last;
    else if (Kind == clang::tok::l_square && IsConstant && !HasValue)
      Names.insert(Last);
    else if (Kind == clang::tok::l_brace && IsTag)
      Names.insert(Last);
    else if (Kind == clang::tok::l_brace && !HasValue && !Function.empty()) {
      Names.insert(Function);
      IsFunction = true;
    }
  }

  void outside(const clang::Token &T, StringRef Word) {
    if (!Word.empty()) {
      IsTypedef |= Word == "typedef";
      IsTag |= Word == "struct" || Word == "union" || Word == "enum";
      IsEnum |= Word == "enum";
      IsConstant |= Word == "constant" || Word == "__constant" || Word == "const";
      Last = Word;
    } else if (T.is(clang::tok::equal)) {
      if (IsConstant && !HasValue)
        Names.insert(Last);
      HasValue = true;
    } else if (T.is(clang::tok::semi)) {
      if (IsTypedef)
        Names.insert(Last);
      end();
    }
  }

  void end() {
    Last = Function = "";
    IsTypedef = IsTag = IsConstant = IsEnum = IsFunction = HasValue = false;
  }
};

/// The name that a diagnostic reports as undeclared; empty: it reports none.
StringRef missedName(StringRef Message) {
  bool Misses = Message.starts_with("unknown type name '") ||
                Message.starts_with("use of undeclared identifier '") ||
                Message.starts_with("implicit declaration of function '") ||
                Message.starts_with("call to undeclared function '");
  bool Incomplete = Message.contains("incomplete") && Message.contains("struct ");
  if (!Misses && !Incomplete)
    return "";
  StringRef Name = Message.split('\'').second.split('\'').first;
  return Incomplete ? Name.substr(Name.rfind("struct "))
                          .drop_front(strlen("struct "))
                          .take_until([](char C) { return C == ' '; })
                    : Name;
}

/// The text before the line that includes the file Name, with its conditions closed; nothing: there
/// is no such line.
std::optional<std::string> beforeInclude(StringRef Text, StringRef Name) {
  int Open = 0;
  size_t At = 0;
  for (StringRef Line : llvm::split(Text, '\n')) {
    StringRef Word = Line.trim();
    if (Word.consume_front("#")) {
      Word = Word.ltrim();
      Open += Word.starts_with("if") ? 1 : Word.starts_with("endif") ? -1 : 0;
      if (Word.consume_front("include") &&
          llvm::is_contained(
              {"\"" + Name.str() + "\"", "<" + Name.str() + ">", "\"./" + Name.str() + "\""},
              Word.split("//").first.trim().str())) {
        std::string Result = Text.take_front(At).str();
        for (; Open > 0; --Open)
          Result += "#endif\n";
        return Result;
      }
    }
    At += Line.size() + 1;
  }
  return std::nullopt;
}

bool isKernelHeader(StringRef Path) {
  return llvm::StringSwitch<bool>(llvm::sys::path::extension(Path))
      .Cases(".cl", ".clh", ".ocl", ".opencl", ".h", ".hcl", ".inc", ".cuh", true)
      .Default(false);
}

} // namespace

llvm::StringSet<> namesDefinedIn(StringRef Text, bool &HasKernels, llvm::StringSet<> *Words) {
  llvm::StringSet<> Names;
  HasKernels = false;
  clang::LangOptions Options;
  Options.LineComment = true;
  std::string Buffer = Text.str(); // the lexer needs a terminating zero
  clang::Lexer Lex(clang::SourceLocation(), Options, Buffer.data(), Buffer.data(),
                   Buffer.data() + Buffer.size());
  Statements All(Names);
  clang::Token T;
  bool InDirective = false, IsDefine = false;
  for (bool End = false; !End;) {
    End = Lex.LexFromRawLexer(T);
    StringRef Word = T.is(clang::tok::raw_identifier) ? T.getRawIdentifier() : StringRef();
    if (Words && !Word.empty())
      Words->insert(Word);
    if (T.isAtStartOfLine()) {
      InDirective = T.is(clang::tok::hash);
      IsDefine = false;
    } else if (InDirective) {
      if (IsDefine && !Word.empty())
        Names.insert(Word);
      IsDefine = Word == "define";
    }
    if (InDirective)
      continue;
    HasKernels |= Word == "__kernel" || Word == "kernel";
    All.token(T, Word);
  }
  return Names;
}

std::string siblingName(StringRef FileName, StringRef Path) {
  bool Same = llvm::sys::path::parent_path(FileName) == llvm::sys::path::parent_path(Path);
  return Same ? llvm::sys::path::filename(Path).str() + " in the same folder" : Path.str();
}

bool SiblingFiles::readNextFolder() {
  if (Level > LevelsAbove)
    return false;
  if (!Level++) {
    read(llvm::sys::path::parent_path(FileName), /*Above=*/false);
    return true;
  }
  llvm::SmallString<256> Folder(llvm::sys::path::parent_path(FileName)), Last;
  for (unsigned I = 1; I < Level; ++I) {
    if (!Folder.empty() && Folder == llvm::sys::path::root_path(Folder))
      return false;
    Last = llvm::sys::path::filename(Folder);
    if (Last.empty() || Last == "." || Last == "..")
      llvm::sys::path::append(Folder, "..");
    else
      llvm::sys::path::remove_filename(Folder);
  }
  for (const char *Below : {"", "kernel", "kernels", "cl", "ocl", "opencl", "common", "include",
                            "inc", "lib", "src", "util", "utils"}) {
    llvm::SmallString<256> Path(Folder);
    llvm::sys::path::append(Path, Below);
    if (*Below && Below == Last)
      continue; // it was read as the folder below
    read(Path.str().rtrim('/'), /*Above=*/true);
  }
  return true;
}

void SiblingFiles::Scan::find() {
  Names = namesDefinedIn(Text, HasKernels, &Words);
  if (HasKernels)
    WithoutKernels = withoutFunctions(Text, [](const FunctionText &F) { return F.IsKernel; });
}

std::shared_ptr<const SiblingFiles::Scan> SiblingFiles::scanOf(StringRef Text) {
  constexpr size_t MaxScans = 4096;
  static std::mutex Lock;
  static std::map<std::pair<uint64_t, size_t>, std::shared_ptr<const Scan>> Scans;
  std::pair Key(llvm::xxh3_64bits(Text), Text.size());
  {
    std::lock_guard<std::mutex> Guard(Lock);
    if (auto It = Scans.find(Key); It != Scans.end())
      return It->second;
  }
  auto New = std::make_shared<Scan>();
  if (!unwrap(Text, New->Text))
    New->Text = Text.str();
  StringRef Plain = New->Text;
  // Headers of the host are left out.
  New->IsCode = !Plain.contains('\0') &&
                llvm::none_of(HostWords, [&](StringRef Word) { return Plain.contains(Word); });
  if (New->IsCode)
    New->find();
  std::lock_guard<std::mutex> Guard(Lock);
  if (Scans.size() >= MaxScans)
    Scans.clear();
  return Scans[Key] = std::move(New);
}

void SiblingFiles::read(StringRef Folder, bool Above) {
  std::error_code Error;
  std::vector<std::string> Paths;
  size_t First = Candidates.size();
  for (llvm::vfs::directory_iterator
           I = fileSystem()->dir_begin(Folder.empty() ? "." : Folder, Error),
           End;
       !Error && I != End; I.increment(Error))
    if (isKernelHeader(I->path()))
      Paths.push_back(llvm::sys::path::filename(I->path()).str());
  // Headers first, because a large folder is not read to its end.
  auto IsHeader = [](StringRef Name) { return Name.ends_with(".h"); };
  llvm::sort(Paths, [&](const std::string &A, const std::string &B) {
    return IsHeader(A) != IsHeader(B) ? IsHeader(A) : A < B;
  });
  if (Paths.size() > MaxFiles)
    Paths.resize(MaxFiles);
  size_t Bytes = 0;
  for (const std::string &Name : Paths) {
    llvm::SmallString<256> Path(Folder);
    llvm::sys::path::append(Path, Name);
    if (Path == FileName ||
        llvm::any_of(Candidates, [&](const Candidate &C) { return C.File.Path == Path; }))
      continue;
    auto Buffer = fileSystem()->getBufferForFile(Path);
    if (!Buffer || (Bytes += (*Buffer)->getBufferSize()) > MaxBytes)
      continue;
    std::shared_ptr<const Scan> Of = scanOf((*Buffer)->getBuffer());
    if (!Of->IsCode)
      continue;
    Candidate C;
    StringRef Mine = llvm::sys::path::filename(FileName);
    std::optional<std::string> Before =
        Above || !StringRef(Of->Text).contains(Mine) ? std::nullopt : beforeInclude(Of->Text, Mine);
    C.Includes = Before.has_value();
    if (Before) {
      auto Part = std::make_shared<Scan>();
      Part->Text = *Before;
      Part->find();
      Of = std::move(Part);
    }
    C.File = {Path.str().str(), Of->HasKernels ? Of->WithoutKernels : Of->Text};
    C.Of = std::move(Of);
    Candidates.push_back(std::move(C));
  }
  // The only file that includes this one has what it needs; of two files, either may be wrong.
  if (IgnoreIncluders ||
      llvm::count_if(Candidates, [](const Candidate &C) { return C.Includes; }) > 1)
    llvm::erase_if(Candidates, [](const Candidate &C) { return C.Includes; });
  // Kernel files of one folder often have different functions of the same name.
  bool HasKernels = false;
  llvm::StringSet<> Mine = namesDefinedIn(Own, HasKernels);
  Candidates.erase(std::remove_if(Candidates.begin() + First, Candidates.end(),
                                  [&](const Candidate &C) {
                                    return C.Of->HasKernels && !C.Includes &&
                                           llvm::any_of(Mine, [&](const auto &Name) {
                                             return C.Of->Names.contains(Name.getKey());
                                           });
                                  }),
                   Candidates.end());
}

std::vector<SiblingFile> SiblingFiles::chosen() const {
  std::vector<const Candidate *> Left;
  for (const Candidate &C : Candidates)
    if (C.Chosen)
      Left.push_back(&C);
  llvm::sort(Left,
             [](const Candidate *A, const Candidate *B) { return A->File.Path < B->File.Path; });
  auto Needs = [](const Candidate *A, const Candidate *B) {
    return A != B && llvm::any_of(B->Of->Names, [&](const auto &Name) {
             return A->Of->Words.contains(Name.getKey()) && !A->Of->Names.contains(Name.getKey());
           });
  };
  std::vector<SiblingFile> Result;
  while (!Left.empty()) {
    auto Next = llvm::find_if(Left, [&](const Candidate *C) {
      return llvm::none_of(Left, [&](const Candidate *O) { return Needs(C, O); });
    });
    Next = Next == Left.end() ? Left.begin() : Next; // they need each other
    Result.push_back((*Next)->File);
    Left.erase(Next);
  }
  return Result;
}

bool SiblingFiles::isIncluded() const {
  return llvm::any_of(Candidates, [](const Candidate &C) { return C.Includes && C.Chosen; });
}

std::vector<SiblingFile> SiblingFiles::filesFor(llvm::ArrayRef<ParseDiagnostic> Diagnostics,
                                                llvm::ArrayRef<std::string> Included) {
  llvm::StringSet<> Missed;
  for (const ParseDiagnostic &D : Diagnostics)
    if (StringRef Name = D.IsError ? missedName(D.Message) : StringRef(); !Name.empty())
      Missed.insert(Name);
  // First the file's own folder, then the folders above.
  while (!Missed.empty()) {
    if (Level && choose(Missed, Included))
      return chosen();
    if (!readNextFolder())
      break;
  }
  return {};
}

bool SiblingFiles::choose(const llvm::StringSet<> &Missed, llvm::ArrayRef<std::string> Included) {
  bool Any = false;
  for (Candidate &C : Candidates)
    if (C.Includes && !C.Chosen)
      C.Chosen = Any = true;
  if (Any)
    return true;
  // Of several files, the one that defines more of the missing names.
  auto Defines = [&](const Candidate &C) {
    return llvm::count_if(Missed, [&](const auto &M) { return C.Of->Names.contains(M.getKey()); });
  };
  for (const auto &M : Missed) {
    Candidate *Most = nullptr;
    bool Several = false;
    for (Candidate &C : Candidates) {
      if (!C.Of->Names.contains(M.getKey()) || C.Includes)
        continue;
      // A single common name is too little for a file with kernels.
      if (C.Of->HasKernels && Defines(C) < 2)
        continue;
      if (Most && C.Of->HasKernels != Most->Of->HasKernels) {
        if (Most->Of->HasKernels)
          Most = &C, Several = false;
        continue;
      }
      Several = Most && Defines(C) == Defines(*Most);
      if (!Most || Defines(C) > Defines(*Most))
        Most = &C;
    }
    if (Most && !Several && !Most->Chosen && !llvm::is_contained(Included, Most->File.Path))
      Most->Chosen = Any = true;
  }
  return Any;
}

} // namespace clmali::model
