//===- TidyModule.cpp - every check as a clang-tidy check -------------------------------------===//
//
// Before: a check over the model (checks/<id>.cpp) and its page (rules/<id>.md)
// After:  the clang-tidy check clmali-<id>, with the page's options and the option Device
// Limits: clang-tidy sees one translation unit: rules that need host and kernel together work only
//         where both are in view. Only safe fixes become fix-its; NOLINT is clang-tidy's own.
//
// The checks of a unit run together, once: the first of them (the leader) lifts the model, has
// every enabled check query it, and each finding is reported by the check that it belongs to. A
// unit has kernels; or host calls, and kernels in string literals, which are reported in the
// literal.
//
// A finding of severity info is a remark, every other one a warning: after an error clang-tidy
// would report that the file does not compile.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/KnownFindings.h"
#include "checks/model/frontend/Embedded.h"
#include "checks/model/frontend/Frontend.h"
#include "checks/model/lift/Lift.h"
#include "checks/tidy/Severity.h"
#include "clang-tidy/ClangTidyCheck.h"
#include "clang-tidy/ClangTidyModule.h"
#include "clang-tidy/ClangTidyModuleRegistry.h"
#include "clang/AST/ASTContext.h"
#include "clang/ASTMatchers/ASTMatchers.h"
#include "clang/Basic/FileManager.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>

using namespace clang;
using namespace clang::ast_matchers;
using clang::tidy::ClangTidyCheck;
using clang::tidy::ClangTidyCheckFactories;
using clang::tidy::ClangTidyContext;
using clang::tidy::ClangTidyModule;
using clang::tidy::ClangTidyModuleRegistry;
using clang::tidy::ClangTidyOptions;
using namespace clmali;

clmali::tidy::SeverityHook clmali::tidy::OnFinding = nullptr;

namespace {

/// Maps ranges of a model's files to locations of the translation unit.
struct LocationMap {
  const std::vector<model::SourceFile> &Files;
  const model::EmbeddedKernel *String = nullptr; ///< file 0 is this literal of the main file
  const std::vector<model::SourceFile> *HostFiles = nullptr; ///< files of the literal's parts

  bool isInString(const model::SourceRange &R) const { return String && R.File == 0; }

  CharSourceRange range(const model::SourceRange &R, SourceManager &SM) const {
    model::SourceRange At = isInString(R) ? model::hostRange(*String, R) : R;
    FileID ID = SM.getMainFileID();
    if (At.File != 0) {
      const std::vector<model::SourceFile> &In = isInString(R) ? *HostFiles : Files;
      if (At.File >= In.size())
        return CharSourceRange();
      OptionalFileEntryRef Ref = SM.getFileManager().getOptionalFileRef(In[At.File].Name);
      if (!Ref)
        return CharSourceRange();
      ID = SM.translateFile(*Ref);
      if (ID.isInvalid())
        ID = SM.createFileID(*Ref, SourceLocation(), SrcMgr::C_User);
    }
    unsigned Size = SM.getFileIDSize(ID);
    if (At.Begin > Size || At.End > Size)
      return CharSourceRange();
    return CharSourceRange::getCharRange(SM.getComposedLoc(ID, At.Begin),
                                         SM.getComposedLoc(ID, std::max(At.Begin, At.End)));
  }
  SourceLocation at(const model::SourceRange &R, SourceManager &SM) const {
    return range(R, SM).getBegin();
  }
  bool canEdit(const model::SourceRange &R) const {
    return !isInString(R) || model::canEditInHost(*String, R);
  }
};

/// The kernels of a source as the linter lifts them: a parse error affects its kernel only, and
/// macros that the host defines are guessed.
std::unique_ptr<model::Module> parseTolerantly(llvm::StringRef Name, llvm::StringRef Text,
                                               std::vector<std::string> Args) {
  model::ParseOptions O;
  O.ClangArgs = std::move(Args);
  O.Tolerant = true;
  return model::parseOpenCL(Name, Text, O).M;
}

/// The part of the unit's command line that affects parsing.
std::vector<std::string> argumentsOf(const ASTContext &Ctx, const Preprocessor &PP) {
  std::vector<std::string> Args;
  for (const auto &[Macro, Undefine] : PP.getPreprocessorOpts().Macros)
    Args.push_back((Undefine ? "-U" : "-D") + Macro);
  for (const HeaderSearchOptions::Entry &E :
       PP.getHeaderSearchInfo().getHeaderSearchOpts().UserEntries)
    if (E.Group == frontend::Angled || E.Group == frontend::Quoted)
      Args.push_back("-I" + E.Path);
  // 1.2 is Clang's default; with no version given, the dialect of newer sources is detected.
  if (unsigned V = Ctx.getLangOpts().OpenCLVersion; V != 120)
    Args.push_back("-cl-std=CL" + std::to_string(V / 100) + "." + std::to_string(V % 100 / 10));
  return Args;
}

std::mutex KnownMutex;
/// In an editor: the findings of the last version of each file.
llvm::StringMap<std::unique_ptr<checks::KnownFindings>> KnownOfFile;

/// Null outside of an editor: there a file is read once.
std::unique_ptr<checks::KnownFindings> takeKnown(llvm::StringRef File) {
  if (!clmali::tidy::OnFinding)
    return nullptr;
  std::lock_guard Lock(KnownMutex);
  std::unique_ptr<checks::KnownFindings> Known = std::move(KnownOfFile[File]);
  return Known ? std::move(Known) : std::make_unique<checks::KnownFindings>();
}

void keepKnown(llvm::StringRef File, std::unique_ptr<checks::KnownFindings> Known) {
  if (!Known)
    return;
  Known->forgetUnused();
  std::lock_guard Lock(KnownMutex);
  KnownOfFile[File] = std::move(Known);
}

class RuleCheck;
/// The checks of this thread in order of construction. Those with one ClangTidyContext belong to
/// one run.
thread_local std::vector<RuleCheck *> Living;

class RuleCheck : public ClangTidyCheck {
public:
  RuleCheck(llvm::StringRef Name, ClangTidyContext *Context, const rules::Rule &Rule)
      : ClangTidyCheck(Name, Context), Rule(Rule), Of(Context),
        Device(Options.getLocalOrGlobal("Device", "").str()) {
    for (const rules::Option &O : Rule.Options)
      Values[Rule.Id + "." + O.Name] = Options.get(O.Name, O.Default).str();
    if (Device.empty()) {
      Families = rules::allFamilies() & ~(1u << rules::findFamily("generic")->Index);
    } else if (llvm::Expected<rules::FamilySet> Set = rules::resolveDevice(Device)) {
      Families = *Set;
    } else {
      configurationDiag("clmali: %0") << llvm::toString(Set.takeError());
    }
    Living.push_back(this);
  }
  ~RuleCheck() override { llvm::erase(Living, this); }

  void storeOptions(ClangTidyOptions::OptionMap &Map) override {
    Options.store(Map, "Device", Device);
    for (const rules::Option &O : Rule.Options)
      Options.store(Map, O.Name, Values[Rule.Id + "." + O.Name]);
  }

  void registerPPCallbacks(const SourceManager &, Preprocessor *PP, Preprocessor *) override {
    Reader = PP;
  }

  /// The leader is called for the first declaration of the file; it is not always the unit itself:
  /// clangd visits only what the main file declares.
  void registerMatchers(MatchFinder *Finder) override {
    if (comrades().front() == this)
      Finder->addMatcher(decl().bind("any"), this);
  }

  void onStartOfTranslationUnit() override { Done = false; }

  void check(const MatchFinder::MatchResult &Result) override {
    if (std::exchange(Done, true))
      return;
    ASTContext &Ctx = *Result.Context;
    SourceManager &SM = *Result.SourceManager;
    if (clmali::tidy::OnFinding)
      clmali::tidy::OnFinding(mainFile(SM), "", rules::Severity::None);
    if (Ctx.getLangOpts().OpenCL) {
      std::unique_ptr<model::Module> M = kernels(Ctx, SM);
      if (!M)
        return;
      std::unique_ptr<checks::KnownFindings> Known = takeKnown(mainFile(SM));
      runAll(LocationMap{M->Files}, SM, [&](checks::RunOptions &O) {
        O.Known = Known.get();
        return checks::runKernelChecks(*M, O);
      });
      keepKnown(mainFile(SM), std::move(Known));
      return;
    }
    std::unique_ptr<model::HostModule> Host = model::liftHost(Ctx);
    runAll(LocationMap{Host->Files}, SM,
           [&](const checks::RunOptions &O) { return checks::runHostChecks(*Host, O); });
    const LocationMap InHost{Host->Files};
    for (const model::EmbeddedKernel &E : Host->Kernels)
      // A kernel of a header is reported there.
      if (std::unique_ptr<model::Module> M =
              E.Range.File
                  ? nullptr
                  : parseTolerantly(
                        Host->Files.front().Name, E.Source,
                        model::buildOptions({Host.get()}, Host->Files.front().Name).front()))
        runAll(
            LocationMap{M->Files, &E, &Host->Files}, SM,
            [&](checks::RunOptions &O) {
              O.Hosts = {Host.get()};
              return checks::runKernelChecks(*M, O);
            },
            &InHost);
  }

private:
  const rules::Rule &Rule;
  ClangTidyContext *Of;
  std::string Device;
  checks::Options Values;
  rules::FamilySet Families = 0;
  Preprocessor *Reader = nullptr;
  bool Done = false;

  std::vector<RuleCheck *> comrades() const {
    std::vector<RuleCheck *> Result;
    llvm::copy_if(Living, std::back_inserter(Result),
                  [&](const RuleCheck *C) { return C->Of == Of; });
    return Result;
  }

  static llvm::StringRef mainFile(const SourceManager &SM) {
    OptionalFileEntryRef Main = SM.getFileEntryRefForID(SM.getMainFileID());
    return Main ? Main->getName() : "";
  }

  /// Uses Clang's own AST if it is complete. With errors in it, or bodies skipped by a precompiled
  /// preamble (clangd), the text is parsed again.
  std::unique_ptr<model::Module> kernels(ASTContext &Ctx, SourceManager &SM) const {
    bool Whole = !Ctx.getExternalSource() && !Ctx.getDiagnostics().hasErrorOccurred();
    if (Whole || !Reader)
      return model::lift(Ctx);
    return parseTolerantly(mainFile(SM), SM.getBufferData(SM.getMainFileID()),
                           argumentsOf(Ctx, *Reader));
  }

  /// Calls Run once for each set of families that checks were configured with, and lets the checks
  /// report its result.
  template <typename Function>
  void runAll(const LocationMap &P, SourceManager &SM, Function Run,
              const LocationMap *InHost = nullptr) {
    std::map<rules::FamilySet, std::vector<RuleCheck *>> Groups;
    for (RuleCheck *C : comrades())
      Groups[C->Families].push_back(C);
    for (auto &[Set, Checks] : Groups) {
      std::map<llvm::StringRef, RuleCheck *> ById;
      checks::RunOptions O;
      O.Families = Set;
      for (RuleCheck *C : Checks) {
        ById[C->Rule.Id] = C;
        O.CheckOptions.insert(C->Values.begin(), C->Values.end());
      }
      O.Enabled = [&](llvm::StringRef Id) { return ById.count(Id) != 0; };
      for (const checks::Finding &F : Run(O))
        ById.at(F.Rule->Id)->report(F, P, SM, InHost);
    }
  }

  /// True if the text for Shown has the families of each cost.
  static bool namesFamilies(const checks::Finding &F, rules::FamilySet Shown) {
    rules::FamilySet Named = 0;
    for (const auto &[Text, Set] : F.Costs)
      Named |= Set;
    return F.Costs.size() > 1 && (Shown & (Shown - 1)) && (Named & Shown) == Shown;
  }

  /// \p InHost: the location of the host code, for findings that are reported there.
  void report(const checks::Finding &F, const LocationMap &P, SourceManager &SM,
              const LocationMap *InHost) {
    rules::Severity Severity = checks::severity(F, Families);
    bool There = F.Host && InHost;
    CharSourceRange Shown = There ? InHost->range(F.Host->Range, SM) : P.range(F.Range, SM);
    SourceLocation At = Shown.getBegin();
    if (Severity == rules::Severity::None || At.isInvalid())
      return;
    std::string Text = F.text(Families & F.Families);
    if (!F.Kernel.empty())
      Text = "kernel '" + F.Kernel + "': " + Text;
    // Findings of only some of the selected families name them, unless their costs do.
    if ((Families & ~F.Families) && !namesFamilies(F, Families & F.Families))
      Text += " (" + rules::familyNames(F.Families) + ")";
    DiagnosticIDs::Level Level =
        Severity == rules::Severity::Info ? DiagnosticIDs::Remark : DiagnosticIDs::Warning;
    if (clmali::tidy::OnFinding) {
      clmali::tidy::OnFinding(mainFile(SM), Text, Severity);
      Level = DiagnosticIDs::Warning;
    }
    {
      DiagnosticBuilder D = diag(At, "%0", Level);
      D << Text << Shown;
      for (const checks::Fix &Fix : F.Fixes) {
        if (Fix.How != checks::Applicability::Safe ||
            !llvm::all_of(Fix.Edits, [&](const auto &E) { return P.canEdit(E.Range); }))
          continue;
        for (const checks::Edit &E : Fix.Edits)
          D << FixItHint::CreateReplacement(P.range(E.Range, SM), E.Text);
      }
    }
    auto Note = [&](const LocationMap &In, const model::SourceRange &Place,
                    const std::string &Message) {
      if (SourceLocation Here = In.at(Place, SM); Here.isValid())
        diag(Here, "%0", DiagnosticIDs::Note) << Message;
    };
    if (There)
      Note(P, F.Range, F.Host->Message);
    for (const checks::Note &N : F.Notes)
      if (N.File.empty() || InHost)
        Note(N.File.empty() ? P : *InHost, N.Range, N.Message);
  }
};

class ClmaliModule : public ClangTidyModule {
public:
  void addCheckFactories(ClangTidyCheckFactories &Factories) override {
    for (const checks::Registered &Check : checks::allChecks())
      if (const rules::Rule *Rule = rules::findRule(Check.Id))
        Factories.registerCheckFactory("clmali-" + Rule->Id,
                                       [Rule](llvm::StringRef Name, ClangTidyContext *Context) {
                                         return std::make_unique<RuleCheck>(Name, Context, *Rule);
                                       });
  }
};

} // namespace

static ClangTidyModuleRegistry::Add<ClmaliModule>
    Registration("clmali-module", "OpenCL C and host code for Mali and PowerVR");
