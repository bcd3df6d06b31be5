//===- Check.h - what a check is
//---------------------------------------------------------------===//
//
// A rule in one sitting: three files, no edits elsewhere.
//   rules/<id>.md        what it says, for whom, how severe; Bad and Good blocks (run as tests)
//   checks/<id>.cpp      a function over the model, registered by its last line
//   test/rules/<id>.cl   hits and near misses
//
//   static void run(const model::Kernel &K, Context &C) {
//     for (const model::AccessSite &A : C.analysis().accesses())
//       if (...)
//         C.report(A.A->Range, "what is bad, by the names of the source")
//             .cost("what it costs on this family, in numbers")
//             .note(Other, "the other access");
//   }
//   CLMALI_KERNEL_CHECK("integer-division", run);
//
// A check is called once for each family on which its page has a severity, with that family's
// facts in C.device(). It asks facts, never names: no family name and no threshold stands in a
// check. Findings of several families at one place are joined; their costs are kept apart.
// A check includes no other check, and is silent wherever the model is unsure.
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

/// How a fix may be applied (design: safe is proved and leaves the launch alone; verify goes
/// through the rewriter and the judge; unsafe needs an assumption).
enum class Applicability { Safe, Verify, Unsafe };
llvm::StringRef name(Applicability A);

/// Replace the bytes of a range by Text.
struct Edit {
  model::SourceRange Range;
  std::string Text;
  bool Shared = false; ///< fixes of several findings need it, and it is made once
};

struct Fix {
  Applicability How = Applicability::Safe;
  std::string Message;     ///< "use clamp"
  std::vector<Edit> Edits; ///< none where a rewriter does it
};

struct Note {
  model::SourceRange Range;
  std::string Message;
  std::string File; ///< set where Range lies in a file of the host's model
};

struct Finding {
  const rules::Rule *Rule = nullptr;
  model::SourceRange Range;
  std::string Kernel;  ///< empty for host code outside a kernel
  std::string Message; ///< what and where, the same for all families
  /// What it costs: text by family; joined when the finding is shown.
  std::vector<std::pair<std::string, rules::FamilySet>> Costs;
  rules::FamilySet Families = 0;
  rules::Severity AtMost = rules::Severity::Error; ///< a check may lower the page's severity
  /// Where host code is to be mended, the place there: shown as the finding's, with Range as the
  /// first note.
  std::optional<Note> Host;
  std::vector<Note> Notes;
  std::vector<Fix> Fixes;

  Finding &cost(llvm::StringRef Text); ///< for the families set when it was reported
  Finding &note(model::SourceRange Place, const llvm::Twine &Text);
  /// Moves it to the host's code; \p Here says what stands at its place in the kernel.
  Finding &inHost(const model::SourceRange &Place, llvm::StringRef File, const llvm::Twine &Here);
  Finding &fix(Applicability How, const llvm::Twine &Text, std::vector<Edit> Edits = {});
  Finding &atMost(rules::Severity S);
  /// Message and costs as one sentence. With \p Shown of one family its cost needs no name.
  std::string text(rules::FamilySet Shown) const;
};

/// Values of options by "<rule>.<Option>"; a page's default holds otherwise.
using Options = std::map<std::string, std::string, std::less<>>;

/// What a check sees besides the kernel.
class Context {
public:
  /// Whoever does not ask for it is run once for all families.
  const rules::DeviceFacts &device() const {
    DeviceAsked = true;
    return *Device;
  }
  const rules::Rule &rule() const { return *Rule; }
  const model::Module &module() const { return *M; }
  /// Of the kernel; made when first asked for, and shared by all checks.
  model::KernelAnalysis &analysis();
  /// Launches of this kernel that host code shows; empty where no host was seen.
  llvm::ArrayRef<model::HostLaunch> launches() const { return Launches; }
  /// Of a host file; only for host checks.
  const model::HostModule &host() const { return *Host; }

  /// An option's value: as configured, else the page's default.
  int64_t option(llvm::StringRef Name) const;
  /// The bytes of the source.
  llvm::StringRef text(model::SourceRange R) const;

  Finding &report(model::SourceRange Place, const llvm::Twine &Message);
  /// Says, once, what of a kernel was not looked at.
  void note(const llvm::Twine &Message);

  /// What Make returns, computed once for each kernel and shared by all checks and families. The
  /// type is the key.
  template <typename T, typename Function> T &cached(Function Make) {
    return Cache.get<T>(std::move(Make));
  }
  /// The same of an analysis that is made from the kernel's: T(analysis()).
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
  std::function<model::KernelAnalysis &()> MakeAnalysis;
  const Options *Configured = nullptr;
  std::deque<Finding> Found;
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

struct RunOptions {
  rules::FamilySet Families = 0;                   ///< the ones asked for
  std::function<bool(llvm::StringRef Id)> Enabled; ///< null: all
  Options CheckOptions;
  /// What host files of the same run show; not owned, may be empty.
  std::vector<const model::HostModule *> Hosts;
};

/// Runs every enabled check over every kernel of \p M. Sorted by place, joined over families.
std::vector<Finding> runKernelChecks(model::Module &M, const RunOptions &O);
/// Runs every enabled host check over \p H.
std::vector<Finding> runHostChecks(const model::HostModule &H, const RunOptions &O);

/// The severity to show when \p Asked families were asked for: theirs if they agree, else info.
rules::Severity severity(const Finding &F, rules::FamilySet Asked);

} // namespace clmali::checks

#endif
