//===- Check.h - interface of the checks ------------------------------------------------------===//
//
// A rule consists of three files, with no edits elsewhere:
//   rules/<id>.md        documentation, severity by family; Bad and Good blocks (run as tests)
//   checks/<id>.cpp      a function over the model, registered by its last line
//   test/rules/<id>.cl   hits and near misses
//
//   static void run(const model::Kernel &K, Context &C) {
//     for (const model::AccessSite &A : C.analysis().accesses())
//       if (...)
//         C.report(A.A->Range, "what is wrong, with names of the source")
//             .cost("what it costs on this family, in numbers")
//             .note(Other, "the other access");
//   }
//   CLMALI_KERNEL_CHECK("integer-division", run);
//
// A check is called once for each family on which its page has a severity, with that family's facts
// in C.device(). It uses facts, never family names, and takes thresholds from the page's options.
// Findings of several families at one location are joined; their costs are kept apart. A check
// includes no other check, and reports nothing where the model is not certain.
//
// A finding that holds only for the guessed value of a macro states what it rests on:
//     C.report(..).restsOn(A);
// The page's `on-guess` (drop, info, keep) then decides. Checks do not ask what was guessed, except
// where the guess changes the question, as in another message.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_CHECK_H
#define CLMALI_CHECKS_CHECK_H

#include "checks/model/analysis/Analysis.h"
#include "checks/model/analysis/Cache.h"
#include "checks/model/host/Host.h"
#include "checks/model/ir/Model.h"
#include "rules/Rules.h"
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace clmali::checks {

/// How a fix may be applied: safe is proved and leaves the launch unchanged; verify goes through
/// the rewriter and the verifier; unsafe needs an assumption.
enum class Applicability { Safe, Verify, Unsafe };
llvm::StringRef name(Applicability A);

/// Replaces the bytes of a range by Text.
struct Edit {
  model::SourceRange Range;
  std::string Text;
  bool Shared = false; ///< part of the fixes of several findings, applied once
};

struct Fix {
  Applicability How = Applicability::Safe;
  std::string Message;     ///< "use clamp"
  std::vector<Edit> Edits; ///< empty if a rewriter makes the change
};

struct Note {
  model::SourceRange Range;
  std::string Message;
  std::string File; ///< set where Range lies in a file of the host's model
};

class Context;

struct Finding {
  const rules::Rule *Rule = nullptr;
  model::SourceRange Range;
  std::string Kernel;  ///< empty for host code outside a kernel
  std::string Message; ///< the same for all families
  /// The cost by family; the texts are joined when the finding is shown.
  std::vector<std::pair<std::string, rules::FamilySet>> Costs;
  rules::FamilySet Families = 0;
  rules::Severity AtMost = rules::Severity::Error; ///< a check may lower the page's severity
  rules::FamilySet Failing = 0; ///< families on which the program fails: an error there
  /// If host code has to change, the location there: it is shown as the finding's location, and
  /// Range as the first note.
  std::optional<Note> Host;
  std::vector<Note> Notes;
  std::vector<Fix> Fixes;
  std::optional<double> Share; ///< set by share()
  bool Stands = true;          ///< false: it is dropped
  Context *From = nullptr;     ///< while the checks of its kernel run

  Finding &cost(llvm::StringRef Text); ///< for the families set when it was reported
  Finding &note(model::SourceRange Place, const llvm::Twine &Text);
  /// Moves the finding to the host code; \p Here is the text of the note at its location in the
  /// kernel.
  Finding &inHost(const model::SourceRange &Place, llvm::StringRef File, const llvm::Twine &Here);
  Finding &fix(Applicability How, const llvm::Twine &Text, std::vector<Edit> Edits = {});
  Finding &atMost(rules::Severity S);
  /// The part of the kernel's work that the finding is about, 0 to 1 (model::KernelWork). Under the
  /// page's LeastShare (per cent) the finding is information, unless all findings of the rule in
  /// the kernel are more together: then they are one finding.
  Finding &share(double Part) {
    Share = Part;
    return *this;
  }
  /// States what the finding rests on. If that was guessed, or computed from a guess, the page's
  /// `on-guess` is applied.
  Finding &restsOn(const model::Expr *Value);
  Finding &restsOn(const model::Access &Address);
  Finding &restsOn(const model::AccessSite &AddressAndGuards);
  Finding &restsOn(const model::Var &Declaration); ///< the numbers in it: the size of an array
  Finding &restsOn(model::SourceRange Text);       ///< the numbers that it names
  /// The same for evidence that a rule evaluates itself.
  Finding &restsOnGuess(bool Guessed);
  /// False: the finding rests on a guess and is dropped, so the location is not yet reported.
  bool stands() const { return Stands; }
  /// The launch or the build fails on the families set when the finding was reported. That is an
  /// error, whatever the severity of the page, and a warning where only some of the selected
  /// families fail.
  Finding &fails();
  /// Message and costs as one sentence. If \p Shown is a single family, its cost is shown without
  /// the family's name.
  std::string text(rules::FamilySet Shown) const;
};

/// Values of options by "<rule>.<Option>"; otherwise the page's default applies.
using Options = std::map<std::string, std::string, std::less<>>;

/// The options of one build of a program.
struct BuildOptions {
  std::string Text;
  model::SourceRange Range; ///< in the host file; not valid: options of the command line
  std::string File;
};

/// The input of a check besides the kernel, and the receiver of its findings.
class Context {
public:
  /// The facts of the current family. A check that does not call this runs once for all families.
  const rules::DeviceFacts &device() const {
    DeviceAsked = true;
    return *Device;
  }
  const rules::Rule &rule() const { return *Rule; }
  const model::Module &module() const { return *M; }
  /// The analysis of the kernel, made on first use and shared by all checks.
  model::KernelAnalysis &analysis();
  /// The options of each build that is known: those of host code in the same run, and those behind
  /// `--`.
  llvm::ArrayRef<BuildOptions> buildOptions() const { return Builds; }
  /// Launches of this kernel in host code; empty if no host code is known.
  llvm::ArrayRef<model::HostLaunch> launches() const { return Launches; }
  /// The host file; for host checks only.
  const model::HostModule &host() const { return *Host; }

  /// The value of an option: as configured, else the page's default.
  int64_t option(llvm::StringRef Name) const;
  /// The source text of a range.
  llvm::StringRef text(model::SourceRange R) const;

  Finding &report(model::SourceRange Place, const llvm::Twine &Message);
  /// Notes, once, a part of the kernel that was not checked.
  void note(const llvm::Twine &Message);

  /// The result of Make, computed once for each kernel and shared by all checks and families. The
  /// type is the key.
  template <typename T, typename Function> T &cached(Function Make) {
    return Cache.get<T>(std::move(Make));
  }
  /// The same for an analysis that is constructed from the kernel's: T(analysis()).
  template <typename T> T &cached() {
    return Cache.get<T>([&] { return T(analysis()); });
  }

private:
  friend class Runner;
  const rules::DeviceFacts *Device = nullptr;
  const rules::Rule *Rule = nullptr;
  model::Module *M = nullptr;
  const model::Kernel *K = nullptr;
  const model::HostModule *Host = nullptr;
  std::vector<model::HostLaunch> Launches;
  std::vector<BuildOptions> Builds;
  std::function<model::KernelAnalysis &()> MakeAnalysis;
  const Options *Configured = nullptr;
  std::deque<Finding> Found;
  std::vector<std::string> Notes;
  model::AnalysisCache Cache;
  mutable bool DeviceAsked = false;
};

using KernelCheck = void (*)(const model::Kernel &, Context &);
using HostCheck = void (*)(const model::HostModule &, Context &);

struct Registered {
  const char *Id;
  KernelCheck OnKernel;
  HostCheck OnHost;
};

/// All checks linked in, sorted by id.
llvm::ArrayRef<Registered> allChecks();

/// Used by the macros below.
struct Registration {
  Registration(const char *Id, KernelCheck Run);
  Registration(const char *Id, HostCheck Run);
};
#define CLMALI_KERNEL_CHECK(ID, FUNCTION)                                                          \
  static const ::clmali::checks::Registration TheRegistration(                                     \
      ID, static_cast<::clmali::checks::KernelCheck>(FUNCTION))
#define CLMALI_HOST_CHECK(ID, FUNCTION)                                                            \
  static const ::clmali::checks::Registration TheRegistration(                                     \
      ID, static_cast<::clmali::checks::HostCheck>(FUNCTION))

class KnownFindings;

struct RunOptions {
  rules::FamilySet Families = 0;                   ///< the selected ones
  std::function<bool(llvm::StringRef Id)> Enabled; ///< null: all
  Options CheckOptions;
  std::string KernelOptions; ///< behind `--`
  /// The host files of the same run; not owned, may be empty.
  std::vector<const model::HostModule *> Hosts;
  /// Findings of earlier runs, for kernels that have not changed since. Null: there are none.
  KnownFindings *Known = nullptr;
};

/// Runs every enabled check on every kernel of \p M. The findings are sorted by location and joined
/// over families.
std::vector<Finding> runKernelChecks(model::Module &M, const RunOptions &O);
/// Runs every enabled host check on \p H.
std::vector<Finding> runHostChecks(const model::HostModule &H, const RunOptions &O);

/// The severity to show for the selected families \p Asked: their common one if they agree, else
/// info.
rules::Severity severity(const Finding &F, rules::FamilySet Asked);

} // namespace clmali::checks

#endif
