//===- Linter.cpp - from a parsed file to located findings ------------------------------------===//
//
// Kernel files are parsed in process and lifted once; host files give calls, launches and kernels
// in string literals. Findings get locations in the user's files: those of an embedded kernel lie
// in its host file.
//
//===------------------------------------------------------------------------------------------===//

#include "tools/lint/Linter.h"
#include "checks/Unfinished.h"
#include "checks/model/frontend/Embedded.h"
#include "checks/model/frontend/Frontend.h"
#include "checks/model/frontend/Unparsed.h"
#include "checks/model/host/RecordedLaunches.h"
#include "checks/model/ir/Budget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <set>
#include <tuple>

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;

namespace {

/// Maps byte offsets of a text to lines and columns.
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
    return Text.drop_front(Starts[Number - 1])
        .take_until([](char C) { return C == '\n'; })
        .rtrim('\r');
  }

private:
  StringRef Text;
  std::vector<unsigned> Starts;
};

/// Maps ranges of a model's files to the user's files: the files themselves, or a string literal of
/// a host file.
class LocationMap {
public:
  explicit LocationMap(const std::vector<model::SourceFile> &Files,
                       ArrayRef<const model::HostModule *> Hosts = {})
      : Files(Files), Hosts(Hosts) {}
  /// File 0 of the model is the string literal \p E of host file \p Host.
  LocationMap(const std::vector<model::SourceFile> &Files,
              ArrayRef<const model::HostModule *> Hosts, const model::SourceFile &Host,
              const model::EmbeddedKernel &E)
      : Files(Files), Hosts(Hosts), Host(&Host), Embedded(&E) {}

  /// The location of a finding; some are located in a host file.
  Location locate(const checks::Finding &F) { return F.Host ? locate(*F.Host) : locate(F.Range); }
  Location locate(const checks::Note &N) {
    const model::SourceFile *InHost = N.File.empty() ? nullptr : hostFile(N.File);
    return InHost ? locateIn(*InHost, N.Range.Begin, N.Range.End) : locate(N.Range);
  }

  Location locate(model::SourceRange R) {
    Location P;
    unsigned Begin = R.Begin, End = std::max(R.End, R.Begin);
    const model::SourceFile *File = R.File < Files.size() ? &Files[R.File] : nullptr;
    if (!File)
      return P;
    if (R.File == 0 && Embedded) {
      model::SourceRange InHost = model::hostRange(*Embedded, R);
      File = InHost.File == Embedded->Range.File ? Host : &Hosts.front()->Files[InHost.File];
      Begin = InHost.Begin;
      End = InHost.End;
    }
    return locateIn(*File, Begin, End);
  }

  Location locateIn(const model::SourceFile &File, size_t Begin, size_t End) {
    Location P;
    Begin = std::min<size_t>(Begin, File.Text.size());
    End = std::min<size_t>(std::max(Begin, End), File.Text.size());
    const LineTable &Lines = table(File);
    P.File = File.Name;
    P.Offset = Begin;
    P.Length = End - Begin;
    std::tie(P.Line, P.Column) = Lines.at(Begin);
    std::tie(P.EndLine, P.EndColumn) = Lines.at(End);
    P.LineText = Lines.line(P.Line).str();
    return P;
  }

  /// Fixes need a one-to-one mapping of bytes.
  bool canEdit(model::SourceRange R) const {
    if (R.File >= Files.size() || !(R.File == 0 && Embedded))
      return R.File < Files.size();
    return model::canEditInHost(*Embedded, R);
  }

  bool isEmbedded() const { return Embedded != nullptr; }
  /// Text with the host's names for what is known only at run time.
  std::string plain(StringRef Text) const {
    return Embedded ? model::inHostWords(*Embedded, Host->Text, Text) : Text.str();
  }

  StringRef fileText(StringRef Name) const {
    if (Embedded && Host->Name == Name)
      return Host->Text;
    for (const model::SourceFile &F : Files)
      if (F.Name == Name)
        return F.Text;
    const model::SourceFile *InHost = hostFile(Name);
    return InHost ? StringRef(InHost->Text) : "";
  }

private:
  const model::SourceFile *hostFile(StringRef Name) const {
    for (const model::HostModule *H : Hosts)
      for (const model::SourceFile &F : H->Files)
        if (F.Name == Name)
          return &F;
    return nullptr;
  }

  const std::vector<model::SourceFile> &Files;
  ArrayRef<const model::HostModule *> Hosts; ///< the hosts whose launches are known
  const model::SourceFile *Host = nullptr;
  const model::EmbeddedKernel *Embedded = nullptr;
  std::map<const model::SourceFile *, LineTable> Tables;

  const LineTable &table(const model::SourceFile &F) {
    auto At = Tables.find(&F);
    if (At == Tables.end())
      At = Tables.emplace(&F, LineTable(F.Text)).first;
    return At->second;
  }
};

/// The NOLINT comments of each file, parsed once.
class Comments {
public:
  bool silence(const Location &At, StringRef Text, StringRef Id) {
    auto It = ByFile.find(At.File);
    if (It == ByFile.end())
      It = ByFile.emplace(At.File, std::make_unique<NoLint>(At.File, Text)).first;
    return It->second->suppresses(At.Offset, Id);
  }

private:
  std::map<std::string, std::unique_ptr<NoLint>> ByFile;
};

/// Empty if the message is the same for all of these families.
std::map<std::string, std::string>
messageByFamily(const checks::Finding &F, rules::FamilySet Families, const LocationMap &P) {
  std::map<std::string, std::string> Result;
  std::set<std::string> Texts;
  for (const rules::DeviceFacts &Family : rules::families())
    if (rules::FamilySet Alone = Families & (1u << Family.Index))
      Texts.insert(Result[Family.Name] = P.plain(F.text(Alone)));
  if (Texts.size() < 2)
    Result.clear();
  return Result;
}

void locateAll(std::vector<checks::Finding> &&From, LocationMap &P, const Settings &S, Comments &C,
               Report &To) {
  for (checks::Finding &F : From) {
    LocatedFinding Out;
    Out.Rule = F.Rule;
    Out.Severity = checks::severity(F, S.Families);
    if (Out.Severity == rules::Severity::None)
      continue;
    Out.At = P.locate(F);
    Out.Kernel = P.plain(F.Kernel);
    Out.Message = P.plain(F.text(S.Families & F.Families));
    Out.Families = F.Families & S.Families;
    Out.MessageByFamily = messageByFamily(F, Out.Families, P);
    if (F.Host)
      Out.Notes.push_back({P.locate(F.Range), P.plain(F.Host->Message)});
    for (checks::Note &N : F.Notes)
      Out.Notes.push_back({P.locate(N), P.plain(N.Message)});
    for (checks::Fix &X : F.Fixes) {
      LocatedFix Fix{X.How, P.plain(X.Message), {}};
      // clmali-rewrite reads kernel files, not strings of a host.
      if (P.isEmbedded() && StringRef(X.Message).starts_with("clmali-rewrite "))
        Fix.Message += " FILE.cl, with the text of this string in FILE.cl";
      for (checks::Edit &E : X.Edits) {
        if (!P.canEdit(E.Range)) {
          Fix.Edits.clear();
          break;
        }
        Location At = P.locate(E.Range);
        Fix.Edits.push_back({At.File, At.Offset, At.Length, E.Text, E.Shared});
      }
      Out.Fixes.push_back(std::move(Fix));
    }
    bool Suppressed = C.silence(Out.At, P.fileText(Out.At.File), F.Rule->Id);
    (Suppressed ? To.Suppressed : To.Findings).push_back(std::move(Out));
  }
}

checks::RunOptions runOptions(const Settings &S) {
  checks::RunOptions R;
  R.Families = S.Families;
  R.CheckOptions = S.CheckOptions;
  R.KernelOptions = llvm::join(S.KernelArgs, " ");
  R.Enabled = [&S](StringRef Id) { return isEnabled(S.Checks, Id); };
  return R;
}

/// Records all suppressed findings, for all families and rules: whether a comment is needed does
/// not depend on the options of this run.
template <typename Function>
void collectSilenced(const std::vector<model::SourceFile> &Files, const model::SourceFile *Host,
                     LocationMap &P, const Settings &S, Comments &C, Report &To,
                     Function RunChecks) {
  auto Has = [](const model::SourceFile &F) { return namesInSuppressions(F.Text); };
  if (none_of(Files, Has) && !(Host && Has(*Host)))
    return;
  Settings All = S;
  All.Checks = "*";
  All.Families = rules::allFamilies();
  checks::RunOptions Run = runOptions(All);
  for (const checks::Finding &F : RunChecks(Run)) {
    Location At = P.locate(F);
    if (C.silence(At, P.fileText(At.File), F.Rule->Id))
      To.Silenced.push_back({At.File, At.Offset, F.Rule});
  }
}

/// Lints the kernels of one source, which may need several parses: with each of the host's sets of
/// build options, and for kernels under conditions that exclude each other.
class KernelLinter {
public:
  KernelLinter(StringRef Name, StringRef Text, const Settings &S,
               ArrayRef<const model::HostModule *> Hosts, const model::SourceFile *Host,
               const model::EmbeddedKernel *Embedded, Report &To)
      : Name(Name), Text(Text), S(S), Hosts(Hosts), Host(Host), Embedded(Embedded), To(To),
        FromHost(model::buildOptions(Hosts, Name)) {}
  void run(bool Named);

private:
  using Strings = std::vector<std::string>;
  StringRef Name, Text;
  const Settings &S;
  ArrayRef<const model::HostModule *> Hosts;
  const model::SourceFile *Host;
  const model::EmbeddedKernel *Embedded;
  Report &To;
  std::vector<Strings> FromHost;                                 ///< the host's build options
  std::set<std::tuple<std::string, std::string, unsigned>> Seen; ///< kernel, file and offset

  /// The file that messages without a line name.
  std::string fileName() const { return Host ? Host->Name : Name.str(); }
  /// Source that the host composes at run time is only guessed, so its errors are not reported.
  bool isGuessed() const { return Embedded && Embedded->IsGuessed; }
  /// The macros are those of the driver's build: there is nothing to infer.
  bool isRecorded() const {
    return any_of(Hosts, [](const auto *H) { return model::isRecordedLaunches(H->Files[0].Name); });
  }
  model::ParseOptions parseOptions(const Strings &Build) const;
  void reportErrors(const model::ParseResult &Result);
  void reportNoKernel(const model::ParseResult &Result, bool Named);
  bool reportTemplate(const model::ParseResult &Result);
  void reportOutOfTime(const model::Module &M, const model::Kernel &K);
  void reportOutOfTime();
  bool lintNew(model::Module &M);
  void lintVariants();
  void lintLeftOut(const model::ParseResult &First);
  void addCosts(model::Module &M);
  void addNote(StringRef Note, StringRef Prefix = "");
  void noteRunTimeText();
};

/// A note of the parse, unless it is only about names that stand for text known at run time.
void KernelLinter::addNote(StringRef Note, StringRef Prefix) {
  std::string Text = Note.str();
  if (Embedded && Host)
    Text = model::inHostWords(*Embedded, Host->Text, Note);
  if (!Text.empty())
    To.Notes.push_back({fileName(), 0, 0, Prefix.str() + Text});
}

/// Where the program's text has parts that are known only at run time.
void KernelLinter::noteRunTimeText() {
  std::set<unsigned> Lines;
  for (const model::StandIn &S : model::standIns(*Embedded))
    if (S.Offset)
      Lines.insert(StringRef(Host->Text).take_front(*S.Offset).count('\n') + 1);
  std::vector<std::string> Texts;
  for (unsigned Line : Lines)
    Texts.push_back(utostr(Line));
  std::string Where =
      Texts.empty() ? "" : (Texts.size() > 1 ? " (lines " : " (line ") + join(Texts, ", ") + ")";
  To.Notes.push_back({fileName(), 0, 0,
                      "parts of the program text are put together at run time" + Where +
                          ": kernels in them are not seen, and names in the rest are guessed"});
}

/// True if no driver of these families has cl_khr_fp64.
static bool lackDoublePrecision(rules::FamilySet Families) {
  return all_of(rules::families(), [&](const rules::DeviceFacts &D) {
    const rules::Fact *Fp64 = D.fact("fp64");
    return !(Families >> D.Index & 1) || (Fp64 && !Fp64->Value);
  });
}

/// What the driver does not define, the host's build options, then the user's, which win.
model::ParseOptions KernelLinter::parseOptions(const Strings &Build) const {
  model::ParseOptions Parse;
  if (lackDoublePrecision(S.Families))
    Parse.ClangArgs = {"-Ucl_khr_fp64", "-U__opencl_c_fp64"};
  Parse.ClangArgs.insert(Parse.ClangArgs.end(), Build.begin(), Build.end());
  Parse.ClangArgs.insert(Parse.ClangArgs.end(), S.KernelArgs.begin(), S.KernelArgs.end());
  Parse.Tolerant = Parse.Partial = true;
  // Where the user gives macros, he gives those that decide what is built.
  Parse.ShowHidden = none_of(S.KernelArgs, [](StringRef A) { return A.starts_with("-D"); });
  return Parse;
}

void KernelLinter::reportErrors(const model::ParseResult &Result) {
  for (const model::ParseDiagnostic &D : Result.Diagnostics)
    if (D.IsError && !isGuessed()) {
      InputMessage T{D.File, D.Line, D.Column, D.Message};
      if (D.File.empty()) // of the command line
        T.File = fileName();
      if (Host && D.File == Name)
        T = {Host->Name, 0, 0, "in the kernel source of this string: " + D.Message};
      To.Errors.push_back(std::move(T));
      // After the first errors, further ones add no information.
      if (&D - Result.Diagnostics.data() > 20)
        break;
    }
}

/// A file that does not parse and has places that a build fills in: they are the reason. False: it
/// is none.
bool KernelLinter::reportTemplate(const model::ParseResult &Result) {
  if (Host || none_of(Result.Diagnostics, [](const auto &D) { return D.IsError; }))
    return false;
  std::optional<model::Placeholder> P = model::firstPlaceholder(Text);
  if (!P)
    return false;
  To.Errors.push_back({Name.str(), P->Line, P->Column,
                       "'" + P->Spelling +
                           "' is a placeholder that a build or the host fills in: this is a "
                           "template; give the filled text"});
  return true;
}

/// An error for a file that the user named or that has errors; otherwise a note. A file with
/// kernels that do not parse has errors that say so.
void KernelLinter::reportNoKernel(const model::ParseResult &Result, bool Named) {
  if (isGuessed())
    return;
  bool HasErrors = any_of(Result.Diagnostics, [](const auto &D) { return D.IsError; });
  if (HasErrors && model::mentionsKernel(Text))
    return;
  InputMessage T{fileName(), 0, 0,
                 Text.trim().empty() ? "the file is empty; there is no kernel to lint"
                                     : "no kernel was found in it, so nothing was linted; is it "
                                       "OpenCL C, or a header that a kernel file includes?"};
  if (Result.M)
    for (const std::string &Note : Result.M->Notes)
      T.Message += "; " + Note;
  if (Named || HasErrors)
    To.Errors.push_back(std::move(T));
  else
    To.Notes.push_back(std::move(T));
}

/// At the name of the kernel; for a kernel of a string in host code, at the string's file.
void KernelLinter::reportOutOfTime(const model::Module &M, const model::Kernel &K) {
  InputMessage T{fileName(), 0, 0,
                 "kernel '" + K.Name + "' was not analysed in time (--file-timeout)"};
  if (!Host && K.NameRange.isValid() && K.NameRange.File < M.Files.size()) {
    const model::SourceFile &File = M.Files[K.NameRange.File];
    T.File = File.Name;
    std::tie(T.Line, T.Column) = LineTable(File.Text).at(K.NameRange.Begin);
  }
  To.OutOfTime = true;
  To.Errors.push_back(std::move(T));
}

/// For kernels that were not even parsed.
void KernelLinter::reportOutOfTime() {
  if (!To.OutOfTime)
    To.Errors.push_back({fileName(), 0, 0,
                         "kernels that other values of its macros show were not analysed in time "
                         "(--file-timeout)"});
  To.OutOfTime = true;
}

/// Lints the kernels of M that were not seen before and removes the others from M. False: there is
/// no new kernel.
bool KernelLinter::lintNew(model::Module &M) {
  std::vector<const model::Kernel *> New;
  for (const auto &K : M.Kernels)
    if (Seen.insert({K->Name, K->NameRange.isValid() ? M.Files[K->NameRange.File].Name : "",
                     K->NameRange.Begin})
            .second)
      New.push_back(K.get());
  if (New.empty())
    return false;
  To.KernelsSeen += New.size();
  bool Fewer = New.size() < M.Kernels.size();
  erase_if(M.Kernels, [&](const auto &K) { return !is_contained(New, K.get()); });
  // Findings in host code name no kernel; their range decides.
  auto IsOf = [](const checks::Finding &F, const model::Kernel &K) {
    if (!F.Kernel.empty())
      return F.Kernel == K.Name;
    return F.Range.File == K.Range.File && F.Range.Begin >= K.Range.Begin &&
           F.Range.End <= K.Range.End;
  };
  std::vector<const model::Kernel *> Unfinished;
  auto RunChecks = [&](checks::RunOptions &Run) {
    Run.Hosts.assign(Hosts.begin(), Hosts.end());
    std::vector<checks::Finding> Found = checks::runKernelChecks(M, Run, Unfinished);
    erase_if(Found, [&](const checks::Finding &F) {
      return Fewer && none_of(New, [&](const model::Kernel *K) { return IsOf(F, *K); });
    });
    return Found;
  };
  checks::RunOptions Run = runOptions(S);
  LocationMap P =
      Host ? LocationMap(M.Files, Hosts, *Host, *Embedded) : LocationMap(M.Files, Hosts);
  Comments C;
  locateAll(RunChecks(Run), P, S, C, To);
  collectSilenced(M.Files, Host, P, S, C, To, RunChecks);
  for (const model::Kernel *K : Unfinished)
    reportOutOfTime(M, *K);
  return true;
}

/// Other build options of the host can enable other kernels under #if. More than a few sets of
/// options are tuning parameters.
void KernelLinter::lintVariants() {
  constexpr size_t MaxVariants = 4;
  for (size_t I = 1; I < std::min(FromHost.size(), MaxVariants); ++I)
    if (model::outOfTime())
      return reportOutOfTime();
    else if (model::ParseResult Variant = model::parseOpenCL(Name, Text, parseOptions(FromHost[I]));
             Variant.M)
      lintNew(*Variant.M);
}

/// Kernels under conditions that exclude those of the first parse (#if DIM == 1, #elif DIM == 2).
void KernelLinter::lintLeftOut(const model::ParseResult &First) {
  constexpr unsigned MaxOthers = 12;
  model::ParseOptions Parse = parseOptions(FromHost.front());
  unsigned Others = 0;
  for (const model::KernelLeftOut &K : model::kernelsLeftOut(Name, Text, Parse, First)) {
    size_t Head = 0;
    for (unsigned I = 1; I < K.Line; ++I)
      Head = Text.find('\n', Head) + 1;
    auto IsSeen = [&](const auto &Known) {
      size_t At = std::get<2>(Known);
      return std::get<1>(Known) == First.M->Files[0].Name && At > Head &&
             Text.slice(Head, At).find_first_of("{};") == StringRef::npos;
    };
    if (any_of(Seen, IsSeen))
      continue;
    if (Others++ == MaxOthers)
      break;
    if (model::outOfTime())
      return reportOutOfTime();
    Parse.WantedKernel = K.Line;
    Parse.Unset = K.Unset;
    model::ParseResult Other = model::parseOpenCL(Name, Text, Parse);
    if (!Other.M || !lintNew(*Other.M))
      continue;
    std::string Which = "for the kernel of line " + std::to_string(K.Line) + ", ";
    if (!K.Unset.empty())
      To.Notes.push_back({fileName(), 0, 0,
                          Which + "what the file says of " + join(K.Unset, ", ") + " is left out"});
    for (const std::string &Note : Other.M->Notes)
      if (StringRef(Note).starts_with("the host defines macros"))
        addNote(Note, Which);
  }
}

/// --cost. Kernels in host strings have no line of their own to report a cost at.
void KernelLinter::addCosts(model::Module &M) {
  if (S.Cost == CostSource::None || Host)
    return;
  if (S.Cost == CostSource::Model) {
    To.Costs = kernelCosts(M, Name, S.Families);
    return;
  }
  Expected<std::vector<KernelCost>> Costs =
      compiledCosts(S.Cost, M, Name, Text, S.Device, S.Families, S.KernelArgs);
  if (Costs)
    To.Costs = std::move(*Costs);
  else
    To.Errors.push_back({Name.str(), 0, 0, "the costs are left out: " + toString(Costs.takeError()),
                         /*Linted=*/true});
}

void KernelLinter::run(bool Named) {
  model::ParseOptions Parse = parseOptions(FromHost.front());
  Parse.Tolerant = !isRecorded();
  model::ParseResult Result = model::parseOpenCL(Name, Text, Parse);
  // A driver may accept more than Clang.
  if (!Parse.Tolerant && any_of(Result.Diagnostics, [](const auto &D) { return D.IsError; }))
    Result = model::parseOpenCL(Name, Text, parseOptions(FromHost.front()));
  bool None = !Result.M || Result.M->Kernels.empty();
  if (None && !Parse.ShowHidden && !model::outOfTime()) {
    Parse.ShowHidden = true;
    Result = model::parseOpenCL(Name, Text, Parse);
    None = !Result.M || Result.M->Kernels.empty();
  }
  bool Late = model::outOfTime();
  if (None && Late) {
    To.Errors.push_back({fileName(), 0, 0, "it was not parsed in time (--file-timeout)"});
    To.OutOfTime = true;
    return;
  }
  if (None && reportTemplate(Result))
    return;
  // Errors that more guesses would have avoided are none of the file.
  if (!Late)
    reportErrors(Result);
  if (None) {
    reportNoKernel(Result, Named);
    return;
  }
  lintNew(*Result.M);
  for (const std::string &Note : Result.M->Notes)
    addNote(Note);
  if (isGuessed())
    noteRunTimeText();
  lintVariants();
  // What the macros of a recording leave out was not compiled.
  if (!isRecorded() && Parse.ShowHidden)
    lintLeftOut(Result);
  addCosts(*Result.M);
}

} // namespace

void lint::lintKernels(StringRef Name, StringRef Text, bool Named, const Settings &S,
                       ArrayRef<const model::HostModule *> Hosts, const model::SourceFile *Host,
                       const model::EmbeddedKernel *Embedded, Report &To) {
  KernelLinter(Name, Text, S, Hosts, Host, Embedded, To).run(Named);
}

void lint::checkHost(const model::HostModule &H, const Settings &S, Report &To) {
  auto RunChecks = [&](checks::RunOptions &Run) { return checks::runHostChecks(H, Run); };
  checks::RunOptions Run = runOptions(S);
  LocationMap P(H.Files);
  Comments C;
  locateAll(RunChecks(Run), P, S, C, To);
  collectSilenced(H.Files, nullptr, P, S, C, To, RunChecks);
}
