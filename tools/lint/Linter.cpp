//===- Linter.cpp - files in, placed findings out ----------------------------------------------===//
//
// Kernel files are parsed in process and lifted once; host files give calls, launches and kernels in
// string literals. Host files come first, because what they show of launches feeds the kernel rules.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/model/Frontend.h"
#include "tools/lint/Lint.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/ThreadPool.h"
#include <algorithm>
#include <atomic>

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;

namespace {

/// Turns byte offsets of one text into lines and columns.
class LineTable {
public:
  explicit LineTable(StringRef Text) : Text(Text) {
    Starts.push_back(0);
    for (size_t I = 0; I < Text.size(); ++I)
      if (Text[I] == '\n')
        Starts.push_back(I + 1);
  }
  std::pair<unsigned, unsigned> at(unsigned Offset) const {
    auto Next = std::upper_bound(Starts.begin(), Starts.end(), Offset);
    unsigned Line = Next - Starts.begin();
    return {Line, Offset - Starts[Line - 1] + 1};
  }
  StringRef line(unsigned Number) const {
    if (Number == 0 || Number > Starts.size())
      return "";
    return Text.drop_front(Starts[Number - 1]).take_until([](char C) { return C == '\n'; }).rtrim('\r');
  }

private:
  StringRef Text;
  std::vector<unsigned> Starts;
};

/// Where the bytes of a model's files lie for the user: themselves, or inside a host file's string.
class Placer {
public:
  explicit Placer(const std::vector<model::SourceFile> &Files) : Files(Files) {}
  /// File 0 of the model is the string \p E of host file \p Host.
  Placer(const std::vector<model::SourceFile> &Files, const model::SourceFile &Host,
         const model::EmbeddedKernel &E)
      : Files(Files), Host(&Host), Embedded(&E) {}

  Place place(model::SourceRange R) {
    Place P;
    unsigned Begin = R.Begin, End = std::max(R.End, R.Begin);
    const model::SourceFile *File = R.File < Files.size() ? &Files[R.File] : nullptr;
    if (!File)
      return P;
    if (R.File == 0 && Embedded) {
      File = Host;
      if (Embedded->Offsets.empty()) {
        Begin = Embedded->Range.Begin;
        End = Embedded->Range.End;
      } else {
        Begin = hostOffset(R.Begin);
        End = R.End > R.Begin ? hostOffset(R.End - 1) + 1 : Begin;
      }
    }
    Begin = std::min<size_t>(Begin, File->Text.size());
    End = std::min<size_t>(std::max(Begin, End), File->Text.size());
    const LineTable &Lines = table(*File);
    P.File = File->Name;
    P.Offset = Begin;
    P.Length = End - Begin;
    std::tie(P.Line, P.Column) = Lines.at(Begin);
    std::tie(P.EndLine, P.EndColumn) = Lines.at(End);
    P.LineText = Lines.line(P.Line).str();
    return P;
  }

  /// Fixes are possible only where bytes map one to one.
  bool canEdit(model::SourceRange R) const {
    if (R.File >= Files.size() || !(R.File == 0 && Embedded))
      return R.File < Files.size();
    if (Embedded->Offsets.empty() || R.End > Embedded->Offsets.size())
      return false;
    return hostOffset(R.End) - hostOffset(R.Begin) == R.End - R.Begin;
  }

  StringRef fileText(StringRef Name) const {
    if (Embedded && Host->Name == Name)
      return Host->Text;
    for (const model::SourceFile &F : Files)
      if (F.Name == Name)
        return F.Text;
    return "";
  }

private:
  const std::vector<model::SourceFile> &Files;
  const model::SourceFile *Host = nullptr;
  const model::EmbeddedKernel *Embedded = nullptr;
  std::map<const model::SourceFile *, LineTable> Tables;

  unsigned hostOffset(unsigned I) const {
    const auto &O = Embedded->Offsets;
    return I < O.size() ? O[I] : O.back() + 1;
  }
  const LineTable &table(const model::SourceFile &F) {
    auto At = Tables.find(&F);
    if (At == Tables.end())
      At = Tables.emplace(&F, LineTable(F.Text)).first;
    return At->second;
  }
};

void placeAll(std::vector<checks::Finding> &&From, Placer &P, const Options &O, Report &To) {
  for (checks::Finding &F : From) {
    PlacedFinding Out;
    Out.Rule = F.Rule;
    Out.Severity = checks::severity(F, O.Families);
    if (Out.Severity == rules::Severity::None)
      continue;
    Out.At = P.place(F.Range);
    if (isSuppressed(P.fileText(Out.At.File), Out.At.Line, F.Rule->Id)) {
      ++To.Suppressed;
      continue;
    }
    Out.Kernel = F.Kernel;
    Out.Message = F.text(O.Families & F.Families);
    Out.Families = F.Families & O.Families;
    for (checks::Note &N : F.Notes) {
      if (N.File.empty()) {
        Out.Notes.push_back({P.place(N.Range), N.Message});
        continue;
      }
      Place At;
      At.File = N.File;
      At.Line = At.EndLine = N.Line;
      At.Column = At.EndColumn = 1;
      Out.Notes.push_back({At, N.Message});
    }
    for (checks::Fix &X : F.Fixes) {
      PlacedFix Fix{X.How, X.Message, {}};
      for (checks::Edit &E : X.Edits) {
        if (!P.canEdit(E.Range)) {
          Fix.Edits.clear();
          break;
        }
        Place At = P.place(E.Range);
        Fix.Edits.push_back({At.File, At.Offset, At.Length, E.Text});
      }
      Out.Fixes.push_back(std::move(Fix));
    }
    To.Findings.push_back(std::move(Out));
  }
}

checks::RunOptions runOptions(const Options &O) {
  checks::RunOptions R;
  R.Families = O.Families;
  R.CheckOptions = O.CheckOptions;
  R.Enabled = [&O](StringRef Id) { return isEnabled(O.Checks, Id); };
  return R;
}

Error readable(StringRef Name, StringRef Text) {
  if (Text.contains('\0'))
    return createStringError(inconvertibleErrorCode(),
                             "this is a binary file, no OpenCL C; give a source file");
  return Error::success();
}

Expected<std::string> readInput(StringRef Name) {
  // Not a folder, not a missing file, not a device: say which.
  ErrorOr<std::unique_ptr<MemoryBuffer>> Buffer =
      MemoryBuffer::getFile(Name, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!Buffer)
    return createStringError(Buffer.getError(), "cannot read it: " + Buffer.getError().message());
  std::string Text = (*Buffer)->getBuffer().str();
  if (Error E = readable(Name, Text))
    return std::move(E);
  return Text;
}

/// A kernel file, or a string literal of a host file.
void lintKernels(StringRef Name, StringRef Text, bool Named, const Options &O,
                 ArrayRef<const model::HostModule *> Hosts, const model::SourceFile *Host,
                 const model::EmbeddedKernel *Embedded, Report &To) {
  model::ParseOptions Parse;
  Parse.ClangArgs = O.ClangArgs;
  Parse.Tolerant = true;
  if (Embedded)
    for (const std::string &Line : Hosts.front()->BuildOptions)
      for (StringRef Arg : split(Line, ' '))
        if (Arg.starts_with("-D"))
          Parse.ClangArgs.push_back(Arg.str());
  model::ParseResult Result = model::parseOpenCL(Name, Text, Parse);
  size_t Kernels = Result.M ? Result.M->Kernels.size() : 0;
  for (const model::ParseDiagnostic &D : Result.Diagnostics)
    if (D.IsError) {
      Trouble T{D.File, D.Line, D.Column, D.Message};
      if (Host && D.File == Name)
        T = {Host->Name, 0, 0, "in the kernel source of this string: " + D.Message};
      To.Errors.push_back(std::move(T));
      // One error costs a kernel, and the first of them says why; a hundred say no more.
      if (&D - Result.Diagnostics.data() > 20)
        break;
    }
  if (!Result.M || !Kernels) {
    bool Told = any_of(Result.Diagnostics, [](const auto &D) { return D.IsError; });
    Trouble T{Host ? Host->Name : Name.str(), 0, 0,
              Text.trim().empty() ? "the file is empty; there is no kernel to lint"
                                  : "no kernel was found in it, so nothing was linted; is it "
                                    "OpenCL C, or a header that a kernel file includes?"};
    if (Result.M)
      for (const std::string &Note : Result.M->Notes)
        T.Message += "; " + Note;
    if (Named || Told)
      To.Errors.push_back(std::move(T));
    else
      To.Notes.push_back(std::move(T));
    return;
  }
  To.KernelsSeen += Kernels;
  for (const std::string &Note : Result.M->Notes)
    To.Notes.push_back({Host ? Host->Name : Name.str(), 0, 0, Note});
  checks::RunOptions Run = runOptions(O);
  Run.Hosts.assign(Hosts.begin(), Hosts.end());
  std::vector<checks::Finding> Found = checks::runKernelChecks(*Result.M, Run);
  if (Host) {
    Placer P(Result.M->Files, *Host, *Embedded);
    placeAll(std::move(Found), P, O, To);
  } else {
    Placer P(Result.M->Files);
    placeAll(std::move(Found), P, O, To);
  }
}

struct HostFile {
  const InputFile *Input;
  model::HostParse Parsed;
};

void merge(Report &Into, Report &&From) {
  auto Append = [](auto &A, auto &B) {
    A.insert(A.end(), std::make_move_iterator(B.begin()), std::make_move_iterator(B.end()));
  };
  Append(Into.Findings, From.Findings);
  Append(Into.Errors, From.Errors);
  Append(Into.Notes, From.Notes);
  Into.FilesSeen += From.FilesSeen;
  Into.KernelsSeen += From.KernelsSeen;
  Into.Suppressed += From.Suppressed;
}

template <typename Function> void forEach(size_t Count, unsigned Jobs, Function F) {
  if (Jobs <= 1 || Count <= 1) {
    for (size_t I = 0; I < Count; ++I)
      F(I);
    return;
  }
  DefaultThreadPool Pool(hardware_concurrency(std::min<size_t>(Jobs, Count)));
  std::atomic<size_t> Next{0};
  for (unsigned J = 0; J < std::min<size_t>(Jobs, Count); ++J)
    Pool.async([&] {
      for (size_t I; (I = Next++) < Count;)
        F(I);
    });
  Pool.wait();
}

void sortAndJoin(Report &R) {
  auto Key = [](const PlacedFinding &F) {
    return std::make_tuple(StringRef(F.At.File), F.At.Line, F.At.Column, StringRef(F.Rule->Id),
                           F.At.Offset + F.At.Length, StringRef(F.Message));
  };
  std::stable_sort(R.Findings.begin(), R.Findings.end(),
                   [&](const auto &A, const auto &B) { return Key(A) < Key(B); });
  // A header's helper, seen through two files, is one finding.
  R.Findings.erase(std::unique(R.Findings.begin(), R.Findings.end(),
                               [&](const auto &A, const auto &B) { return Key(A) == Key(B); }),
                   R.Findings.end());
  for (std::vector<Trouble> *List : {&R.Errors, &R.Notes}) {
    auto TKey = [](const Trouble &T) { return std::tie(T.File, T.Line, T.Column, T.Message); };
    std::stable_sort(List->begin(), List->end(),
                     [&](const auto &A, const auto &B) { return TKey(A) < TKey(B); });
    List->erase(std::unique(List->begin(), List->end(),
                            [&](const auto &A, const auto &B) { return TKey(A) == TKey(B); }),
                List->end());
  }
}

} // namespace

Report lint::lint(const Options &O) {
  Report R;
  std::vector<InputFile> Inputs = collectInputs(O, R.Errors);
  std::vector<Report> Parts(Inputs.size());
  std::vector<std::unique_ptr<HostFile>> Hosts(Inputs.size());

  // What is built lazily and shared must be there before threads ask for it.
  (void)rules::allRules();

  forEach(Inputs.size(), O.Jobs, [&](size_t I) {
    const InputFile &In = Inputs[I];
    if (!isHostFile(In.Name))
      return;
    Report &Part = Parts[I];
    Expected<std::string> Text = readInput(In.Name);
    if (!Text) {
      Part.Errors.push_back({In.Name, 0, 0, toString(Text.takeError())});
      return;
    }
    std::vector<std::string> Args = In.HostArgs;
    Args.insert(Args.end(), O.ClangArgs.begin(), O.ClangArgs.end());
    auto H = std::make_unique<HostFile>(HostFile{&In, model::parseHost(In.Name, *Text, Args)});
    ++Part.FilesSeen;
    for (const model::ParseDiagnostic &D : H->Parsed.Diagnostics)
      if (D.IsError)
        Part.Errors.push_back({D.File, D.Line, D.Column, D.Message});
    if (!H->Parsed.M)
      return;
    checks::RunOptions Run = runOptions(O);
    Placer P(H->Parsed.M->Files);
    placeAll(checks::runHostChecks(*H->Parsed.M, Run), P, O, Part);
    Hosts[I] = std::move(H);
  });

  std::vector<const model::HostModule *> Seen;
  for (const auto &H : Hosts)
    if (H)
      Seen.push_back(H->Parsed.M.get());

  forEach(Inputs.size(), O.Jobs, [&](size_t I) {
    const InputFile &In = Inputs[I];
    Report &Part = Parts[I];
    if (Hosts[I]) {
      const model::HostModule &H = *Hosts[I]->Parsed.M;
      // Its own build options and launches first.
      std::vector<const model::HostModule *> Order{&H};
      copy_if(Seen, std::back_inserter(Order), [&](const auto *X) { return X != &H; });
      for (const model::EmbeddedKernel &E : H.Kernels)
        lintKernels(In.Name, E.Source, false, O, Order, &H.Files.front(), &E, Part);
      return;
    }
    if (isHostFile(In.Name))
      return;
    Expected<std::string> Text = readInput(In.Name);
    if (!Text) {
      Part.Errors.push_back({In.Name, 0, 0, toString(Text.takeError())});
      return;
    }
    ++Part.FilesSeen;
    lintKernels(In.Name, *Text, In.Named, O, Seen, nullptr, nullptr, Part);
  });

  for (Report &Part : Parts)
    merge(R, std::move(Part));
  sortAndJoin(R);
  return R;
}
