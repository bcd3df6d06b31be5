//===- TidyModule.cpp - every check as a clang-tidy check -------------------------------------===//
//
// Before: a check over the model (checks/<id>.cpp) and its page (rules/<id>.md)
// After:  the clang-tidy check clmali-<id>, with the page's options and the option Device
// Limits: clang-tidy sees one translation unit: rules that need host and kernel together work only
//         where both are in view. Only safe fixes become fix-its; NOLINT is clang-tidy's own.
//
// The model is lifted once for each ASTContext and shared by all checks.
//
//===------------------------------------------------------------------------------------------===//

#include "checks/Check.h"
#include "checks/model/Lift.h"
#include "clang-tidy/ClangTidyCheck.h"
#include "clang-tidy/ClangTidyModule.h"
#include "clang-tidy/ClangTidyModuleRegistry.h"
#include "clang/AST/ASTContext.h"
#include "clang/ASTMatchers/ASTMatchers.h"
#include "clang/Basic/FileManager.h"

using namespace clang;
using namespace clang::ast_matchers;
using namespace clang::tidy;
using namespace clmali;

namespace {

/// What was lifted from the translation unit at hand.
struct Lifted {
  const ASTContext *Of = nullptr;
  std::unique_ptr<model::Module> Kernels;
  std::unique_ptr<model::HostModule> Host;
};

thread_local Lifted Cache;

Lifted &lifted(ASTContext &Ctx) {
  if (Cache.Of == &Ctx)
    return Cache;
  Cache = Lifted();
  Cache.Of = &Ctx;
  if (Ctx.getLangOpts().OpenCL)
    Cache.Kernels = model::lift(Ctx);
  else
    Cache.Host = model::liftHost(Ctx);
  return Cache;
}

class RuleCheck : public ClangTidyCheck {
public:
  RuleCheck(llvm::StringRef Name, ClangTidyContext *Context, const rules::Rule &Rule)
      : ClangTidyCheck(Name, Context), Rule(Rule),
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
  }

  void storeOptions(ClangTidyOptions::OptionMap &Map) override {
    Options.store(Map, "Device", Device);
    for (const rules::Option &O : Rule.Options)
      Options.store(Map, O.Name, Values[Rule.Id + "." + O.Name]);
  }

  void registerMatchers(MatchFinder *Finder) override {
    Finder->addMatcher(translationUnitDecl().bind("unit"), this);
  }

  /// The next unit's ASTContext may lie where the last one's did.
  void onStartOfTranslationUnit() override { Cache = Lifted(); }

  void check(const MatchFinder::MatchResult &Result) override {
    Lifted &L = lifted(*Result.Context);
    checks::RunOptions O;
    O.Families = Families;
    O.CheckOptions = Values;
    O.Enabled = [this](llvm::StringRef Id) { return Id == Rule.Id; };
    if (L.Kernels)
      report(checks::runKernelChecks(*L.Kernels, O), L.Kernels->Files, *Result.SourceManager);
    if (L.Host)
      report(checks::runHostChecks(*L.Host, O), L.Host->Files, *Result.SourceManager);
  }

private:
  const rules::Rule &Rule;
  std::string Device;
  checks::Options Values;
  rules::FamilySet Families = 0;

  static SourceLocation location(const model::SourceRange &R, unsigned Offset,
                                 const std::vector<model::SourceFile> &Files, SourceManager &SM) {
    if (R.File >= Files.size())
      return SourceLocation();
    FileID ID = SM.getMainFileID();
    if (R.File != 0) {
      auto Ref = SM.getFileManager().getOptionalFileRef(Files[R.File].Name);
      if (!Ref)
        return SourceLocation();
      ID = SM.translateFile(*Ref);
    }
    return ID.isValid() ? SM.getComposedLoc(ID, Offset) : SourceLocation();
  }

  void report(std::vector<checks::Finding> Found, const std::vector<model::SourceFile> &Files,
              SourceManager &SM) {
    for (const checks::Finding &F : Found) {
      if (checks::severity(F, Families) == rules::Severity::None)
        continue;
      std::string Text = F.text(Families & F.Families);
      if (!F.Kernel.empty())
        Text = "kernel '" + F.Kernel + "': " + Text;
      // Findings of some of the families asked for say which.
      if (Families & ~F.Families)
        Text += " (" + rules::familyNames(F.Families) + ")";
      {
        DiagnosticBuilder D = diag(location(F.Range, F.Range.Begin, Files, SM), "%0") << Text;
        for (const checks::Fix &Fix : F.Fixes) {
          if (Fix.How != checks::Applicability::Safe)
            continue;
          for (const checks::Edit &E : Fix.Edits)
            D << FixItHint::CreateReplacement(
                CharSourceRange::getCharRange(location(E.Range, E.Range.Begin, Files, SM),
                                              location(E.Range, E.Range.End, Files, SM)),
                E.Text);
        }
      }
      for (const checks::Note &N : F.Notes)
        if (N.File.empty())
          diag(location(N.Range, N.Range.Begin, Files, SM), "%0", DiagnosticIDs::Note) << N.Message;
    }
  }
};

class ClmaliModule : public ClangTidyModule {
public:
  void addCheckFactories(ClangTidyCheckFactories &Factories) override {
    for (const checks::Registered &Check : checks::allChecks())
      if (const rules::Rule *Rule = rules::findRule(Check.Id))
        Factories.registerCheckFactory(
            "clmali-" + Rule->Id, [Rule](llvm::StringRef Name, ClangTidyContext *Context) {
              return std::make_unique<RuleCheck>(Name, Context, *Rule);
            });
  }
};

} // namespace

static ClangTidyModuleRegistry::Add<ClmaliModule>
    Registration("clmali-module", "OpenCL C and host code for Mali and PowerVR");
