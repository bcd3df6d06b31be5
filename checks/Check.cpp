//===- Check.cpp - runs the checks and joins their findings -----------------------------------===//

#include "checks/Check.h"
#include "checks/KnownFindings.h"
#include "checks/Unfinished.h"
#include "checks/model/host/RecordedLaunches.h"
#include "checks/model/ir/Budget.h"
#include "checks/model/launch/Rewritten.h"
#include "checks/query/Evidence.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>
#include <cmath>
#include <map>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;

StringRef checks::name(Applicability A) {
  switch (A) {
  case Applicability::Safe:
    return "safe";
  case Applicability::Verify:
    return "verify";
  case Applicability::Unsafe:
    return "unsafe";
  }
  return "";
}

//===------------------------------------------------------------------------------------------===//
// Registry
//===------------------------------------------------------------------------------------------===//

static std::vector<Registered> &registry() {
  static std::vector<Registered> All;
  return All;
}

// Static objects of different files are constructed in unspecified order: keep the list sorted.
static void add(Registered R) {
  std::vector<Registered> &All = registry();
  auto At = std::lower_bound(All.begin(), All.end(), R, [](const auto &A, const auto &B) {
    return StringRef(A.Id) < StringRef(B.Id);
  });
  All.insert(At, R);
}

Registration::Registration(const char *Id, KernelCheck Run) { add({Id, Run, nullptr}); }
Registration::Registration(const char *Id, HostCheck Run) { add({Id, nullptr, Run}); }

ArrayRef<Registered> checks::allChecks() { return registry(); }

//===------------------------------------------------------------------------------------------===//
// Findings
//===------------------------------------------------------------------------------------------===//

Finding &Finding::cost(StringRef Text) {
  Costs.emplace_back(Text.str(), Families);
  return *this;
}

Finding &Finding::note(model::SourceRange Place, const Twine &Text) {
  Notes.push_back({Place, Text.str(), ""});
  return *this;
}

Finding &Finding::inHost(const model::SourceRange &Place, StringRef File, const Twine &Here) {
  Host = Note{Place, Here.str(), File.str()};
  Message = "kernel '" + std::exchange(Kernel, "") + "': " + Message;
  return *this;
}

Finding &Finding::fix(Applicability How, const Twine &Text, std::vector<Edit> Edits) {
  Fixes.push_back({How, Text.str(), std::move(Edits)});
  return *this;
}

Finding &Finding::atMost(rules::Severity S) {
  AtMost = std::min(AtMost, S);
  return *this;
}

/// Findings below the least share are information. Where only all of one rule together are above
/// it, the largest stands for them, with the others as notes. New: those of one rule, kernel and
/// family.
static void applyShares(std::deque<Finding> &Found, size_t New, double Least) {
  std::vector<Finding *> Below;
  double Sum = 0;
  bool Any = false; // is large enough alone
  for (size_t I = New; I < Found.size(); ++I)
    if (Finding &F = Found[I]; F.Share && F.Stands) {
      Any |= 100 * *F.Share >= Least;
      if (100 * *F.Share < Least)
        Below.push_back(&F);
      Sum += *F.Share;
    }
  if (Any || Below.size() < 2 || 100 * Sum < Least) {
    for (Finding *F : Below)
      F->atMost(rules::Severity::Info);
    return;
  }
  Finding *First = *llvm::max_element(
      Below, [](const Finding *A, const Finding *B) { return *A->Share < *B->Share; });
  // A helper that is inlined several times has its findings at one place.
  std::set<std::pair<uint32_t, uint32_t>> Noted{{First->Range.File, First->Range.Begin}};
  for (Finding *F : Below)
    if (F != First && *F->Share > 0) {
      if (Noted.insert({F->Range.File, F->Range.Begin}).second)
        First->note(F->Range, "another one");
      F->Stands = false;
    } else if (F != First) {
      F->atMost(rules::Severity::Info);
    }
  if (!First->Notes.empty())
    First->cost("all of them take " + std::to_string(std::lround(100 * std::min(Sum, 1.0))) +
                " % of the kernel's work");
}

/// The policy for evidence that was guessed; no other place lowers or drops findings for it.
Finding &Finding::restsOnGuess(bool Guessed) {
  if (Guessed && Rule->Guessed == rules::OnGuess::Drop)
    Stands = false;
  if (Guessed && Rule->Guessed == rules::OnGuess::Info)
    atMost(rules::Severity::Info);
  return *this;
}

Finding &Finding::restsOn(const model::Expr *Value) {
  return restsOnGuess(guessed(*From).isGuessed(Value));
}

Finding &Finding::restsOn(const model::Access &Address) {
  return restsOnGuess(guessed(*From).isGuessed(Address));
}

Finding &Finding::restsOn(const model::AccessSite &AddressAndGuards) {
  return restsOnGuess(guessed(*From).isGuessed(AddressAndGuards));
}

Finding &Finding::restsOn(const model::Var &Declaration) {
  return restsOnGuess(guessed(*From).hasGuessedSize(Declaration));
}

Finding &Finding::restsOn(model::SourceRange Text) {
  return restsOnGuess(model::mentions(guessed(*From).names().Numbers, From->text(Text)));
}

Finding &Finding::fails() {
  Failing = Families;
  return *this;
}

std::string Finding::text(rules::FamilySet Shown) const {
  std::string Result = Message;
  bool One = (Shown & (Shown - 1)) == 0;
  bool Same = Costs.size() == 1 && (Costs.front().second & Shown) == (Families & Shown);
  bool First = true;
  for (const auto &[Text, Set] : Costs) {
    if (!(Set & Shown))
      continue;
    Result += (First ? ": " : "; ") + Text;
    First = false;
    if (!One && !Same)
      Result += " (" + rules::familyNames(Set & Shown) + ")";
  }
  return Result;
}

rules::Severity checks::severity(const Finding &F, rules::FamilySet Asked) {
  std::optional<rules::Severity> Common;
  StringRef Group;
  bool Agree = true, OneGroup = true, Fails = false;
  for (const rules::DeviceFacts &Family : rules::families()) {
    // The generic family is no GPU: it counts only if it is the only one selected.
    if (!(Asked & (1u << Family.Index)) ||
        (Family.Name == "generic" && Asked != (1u << Family.Index)))
      continue;
    rules::Severity S = F.Failing & (1u << Family.Index) ? rules::Severity::Error
                        : F.Families & (1u << Family.Index)
                            ? std::min(F.AtMost, F.Rule->severity(Family))
                            : rules::Severity::None;
    Agree &= !Common || *Common == S;
    OneGroup &= Group.empty() || Group == Family.Group;
    Fails |= S == rules::Severity::Error && F.Failing;
    Common = S;
    Group = Family.Group;
  }
  if (!Agree)
    return Fails && OneGroup ? rules::Severity::Warning : rules::Severity::Info;
  return Common.value_or(rules::Severity::None);
}

//===------------------------------------------------------------------------------------------===//
// Context
//===------------------------------------------------------------------------------------------===//

model::KernelAnalysis &Context::analysis() { return MakeAnalysis(); }

int64_t Context::option(StringRef Name) const {
  const rules::Option *O = Rule->option(Name);
  assert(O && "a check asks for an option that its page does not have");
  int64_t Value = 0;
  if (auto At = Configured->find(Rule->Id + "." + Name.str()); At != Configured->end())
    if (!StringRef(At->second).getAsInteger(0, Value))
      return Value;
  StringRef(O->Default).getAsInteger(0, Value);
  return Value;
}

StringRef Context::text(model::SourceRange R) const {
  const std::vector<model::SourceFile> &Files = M ? M->Files : Host->Files;
  if (!R.isValid() || R.File >= Files.size() || R.End > Files[R.File].Text.size() ||
      R.Begin > R.End)
    return "";
  return StringRef(Files[R.File].Text).slice(R.Begin, R.End);
}

Finding &Context::report(model::SourceRange Place, const Twine &Message) {
  Finding &F = Found.emplace_back();
  F.Rule = Rule;
  F.From = this;
  F.Range = Place;
  F.Kernel = K ? K->Name : "";
  F.Message = Message.str();
  F.Families = 1u << Device->Index;
  return F;
}

void Context::note(const Twine &Message) { Notes.push_back(Message.str()); }

//===------------------------------------------------------------------------------------------===//
// Running
//===------------------------------------------------------------------------------------------===//

namespace clmali::checks {

class Runner {
public:
  explicit Runner(const RunOptions &O) : O(O) {
    if (!O.KernelOptions.empty())
      Builds.push_back({O.KernelOptions, {}, ""});
    for (const model::HostModule *H : O.Hosts)
      for (const model::HostCall &Call : H->Calls)
        for (const model::HostArgument &A : Call.Args)
          if (isBuild(Call) && A.Options && StringRef(*A.Options).ltrim().starts_with("-"))
            Builds.push_back({*A.Options, A.Range, H->Files[A.Range.File].Name});
  }

  static bool isBuild(const model::HostCall &Call) {
    StringRef Name = StringRef(Call.Name).rsplit(':').second;
    return Call.Name == "clBuildProgram" || Call.Name == "clCompileProgram" || Name == "build";
  }

  /// Calls Run for each selected family that the page of the rule has a severity for.
  void forEachFamily(const Registered &Check, Context &C, function_ref<void()> Run) {
    if (O.Enabled && !O.Enabled(Check.Id))
      return;
    const rules::Rule *Rule = rules::findRule(Check.Id);
    assert(Rule && "a check without a page");
    C.Rule = Rule;
    rules::FamilySet Wanted = O.Families & Rule->familySet();
    for (const rules::DeviceFacts &Family : rules::families()) {
      if (!(Wanted & (1u << Family.Index)))
        continue;
      C.Device = &Family;
      C.DeviceAsked = false;
      size_t Before = C.Found.size();
      Run();
      if (Rule->option("LeastShare"))
        applyShares(C.Found, Before, double(C.option("LeastShare")));
      if (C.DeviceAsked)
        continue;
      // The check did not use the family's facts: its findings hold for all families.
      for (size_t I = Before; I < C.Found.size(); ++I) {
        if (C.Found[I].Failing)
          C.Found[I].Failing = Wanted;
        C.Found[I].Families = Wanted;
        for (auto &Cost : C.Found[I].Costs)
          Cost.second = Wanted;
      }
      return;
    }
  }

  /// False: the time was over; the kernel has no findings.
  bool kernel(model::Module &M, const model::Kernel &K) {
    KnownFindings::OfKernel Found;
    std::optional<KnownFindings::OfKernel> Before;
    if (O.Known)
      Before = O.Known->find(K);
    if (Before)
      Found = std::move(*Before);
    else if (!check(M, K, Found))
      return false;
    else if (O.Known)
      O.Known->add(K, Found);
    for (const std::string &Note : Found.Notes)
      if (!is_contained(M.Notes, Note))
        M.Notes.push_back(Note);
    Kernels.push_back(&K);
    dropOfRemainder(M, K, Found.Findings);
    take(std::move(Found.Findings));
    return true;
  }

  /// Runs the rules on one kernel. False: the time was over.
  bool check(model::Module &M, const model::Kernel &K, KnownFindings::OfKernel &Found) {
    // The kernel as it was launched: the group size that a recording shows is as good as a required
    // one. Rules about the attribute look at K.
    model::Kernel Launched;
    std::unique_ptr<model::KernelAnalysis> Analysis;
    Context C;
    C.M = &M;
    C.K = &K;
    C.Configured = &O.CheckOptions;
    C.MakeAnalysis = [&]() -> model::KernelAnalysis & {
      if (!Analysis) {
        Launched = K;
        if (!K.ReqdWorkGroupSize)
          Launched.ReqdWorkGroupSize = model::recordedLocalSize(C.Launches);
        Analysis = std::make_unique<model::KernelAnalysis>(M, Launched, model::NarrowIds::Fit);
      }
      return *Analysis;
    };
    for (const model::HostModule *H : O.Hosts)
      for (const model::HostLaunch &L : H->Launches)
        if (L.Kernel == K.Name)
          C.Launches.push_back(L);
    C.Builds = Builds;
    try {
      for (const Registered &Check : allChecks())
        if (Check.OnKernel)
          forEachFamily(Check, C, [&] {
            model::readClock();
            Check.OnKernel(K, C);
          });
    } catch (const model::OutOfTime &) {
      return false;
    }
    Found = {findings(C), C.Notes};
    return true;
  }

  void host(const model::HostModule &H) {
    Context C;
    C.Host = &H;
    C.Configured = &O.CheckOptions;
    for (const Registered &Check : allChecks())
      if (Check.OnHost)
        forEachFamily(Check, C, [&] { Check.OnHost(H, C); });
    take(findings(C));
  }

  std::vector<Finding> finish() {
    auto Key = [](const Finding &F) {
      return std::make_tuple(F.Range.File, F.Range.Begin, F.Range.End, StringRef(F.Rule->Id),
                             StringRef(F.Message), F.Host ? F.Host->Range.Begin : 0u);
    };
    std::stable_sort(All.begin(), All.end(),
                     [&](const Finding &A, const Finding &B) { return Key(A) < Key(B); });
    std::vector<Finding> Result;
    for (size_t I = 0, End; I < All.size(); I = End) {
      for (End = I + 1; End < All.size() && Key(All[End]) == Key(All[I]);)
        ++End;
      if (std::optional<Finding> F = joined(MutableArrayRef(All).slice(I, End - I)))
        Result.push_back(std::move(*F));
    }
    return Result;
  }

private:
  const RunOptions &O;
  std::vector<BuildOptions> Builds;
  std::vector<Finding> All;
  std::vector<const model::Kernel *> Kernels; ///< checked so far
  /// The kernels for which a rule reports something at a location.
  std::map<std::tuple<const rules::Rule *, uint32_t, uint32_t>, std::set<std::string>> Reporting;

  /// Next to its rewritten form, a kernel runs only the remainder of the launch, so its speed does
  /// not matter.
  static void dropOfRemainder(model::Module &M, const model::Kernel &K,
                              std::vector<Finding> &Found) {
    std::string Form = model::rewrittenForm(M, K);
    if (Form.empty())
      return;
    auto IsSlow = [](const Finding &F) { return F.Rule->Group == "performance"; };
    if (any_of(Found, IsSlow))
      M.Notes.push_back("kernel '" + K.Name + "' runs only the remainder of the launch of '" +
                        Form + "': findings of performance rules are dropped");
    erase_if(Found, IsSlow);
  }

  static std::vector<Finding> findings(Context &C) {
    std::vector<Finding> Result;
    for (Finding &F : C.Found) {
      if (!F.stands())
        continue;
      F.From = nullptr;
      if (C.K)
        F.Message = bySourceNames(F.Message, *C.K, C);
      Result.push_back(std::move(F));
    }
    return Result;
  }

  void take(std::vector<Finding> Found) {
    for (Finding &F : Found) {
      Reporting[{F.Rule, F.Range.File, F.Range.Begin}].insert(F.Kernel);
      All.push_back(std::move(F));
    }
  }

  /// A helper that is inlined twice has variables 'x' and 'x_1': both are the source's 'x'.
  static std::string bySourceNames(std::string Message, const model::Kernel &K, const Context &C) {
    for (const model::Var *V : K.Vars) {
      StringRef Name = V->Name, Plain = Name.rtrim("0123456789");
      if (!V->FromHelper || Plain.size() == Name.size() || !Plain.consume_back("_") ||
          Plain.empty())
        continue;
      std::string Quoted = "'" + Name.str();
      size_t At = Message.find(Quoted);
      if (At == std::string::npos || At + Quoted.size() >= Message.size())
        continue;
      char Next = Message[At + Quoted.size()];
      if ((Next != '\'' && Next != '.' && Next != '[') || C.text(V->Range).contains(Name))
        continue;
      Message.replace(At + 1, Name.size(), Plain.str());
    }
    return Message;
  }

  /// The kernels that inline the function at R, and for which F's rule has nothing to report there.
  std::vector<std::string> otherCallers(const Finding &F) const {
    std::vector<std::string> Result;
    const std::set<std::string> &Known = Reporting.at({F.Rule, F.Range.File, F.Range.Begin});
    for (const model::Kernel *K : Kernels)
      if (!Known.count(K->Name) && any_of(K->HelperRanges, [&](const model::SourceRange &R) {
            return R.File == F.Range.File && R.Begin <= F.Range.Begin && F.Range.End <= R.End;
          }))
        Result.push_back(K->Name);
    return Result;
  }

  /// Equal findings, on several families or of several kernels that inline the same function, as
  /// one that names all kernels. Nothing, if it advises a change of that function which does not
  /// hold for all of its callers.
  std::optional<Finding> joined(MutableArrayRef<Finding> Equal) {
    Finding F = std::move(Equal.front());
    // The lowest severity of a kernel's families, the highest of several kernels.
    std::vector<std::pair<std::string, rules::Severity>> Of{{F.Kernel, F.AtMost}};
    for (const Finding &Next : Equal.drop_front()) {
      join(F, Next);
      auto At = find_if(Of, [&](const auto &X) { return X.first == Next.Kernel; });
      if (At == Of.end())
        Of.emplace_back(Next.Kernel, Next.AtMost);
      else
        At->second = std::min(At->second, Next.AtMost);
    }
    for (const auto &[Kernel, Severity] : Of)
      F.AtMost = &Kernel == &Of.front().first ? Severity : std::max(F.AtMost, Severity);
    if (F.Kernel.empty())
      return F;
    std::vector<std::string> Others = otherCallers(F);
    bool Edits = any_of(F.Fixes, [](const Fix &X) {
      return !X.Edits.empty() || !StringRef(X.Message).starts_with("clmali-rewrite");
    });
    if (!Others.empty() && Edits) {
      if (F.Rule->Group != "correctness")
        return std::nullopt;
      F.Fixes.clear();
    }
    std::string Also, Not;
    for (const auto &[Kernel, Severity] : ArrayRef(Of).drop_front())
      Also += (Also.empty() ? "'" : ", '") + Kernel + "'";
    for (const std::string &Kernel : Others)
      Not += (Not.empty() ? "'" : ", '") + Kernel + "'";
    if (!Also.empty())
      F.Message += " (also in kernel " + Also + ")";
    // A rule may report one of several like places, for each kernel another one.
    bool Elsewhere = any_of(Others, [&](const std::string &Kernel) {
      return any_of(Reporting, [&](const auto &R) {
        return std::get<0>(R.first) == F.Rule && R.second.count(Kernel);
      });
    });
    if (!Not.empty() && !Elsewhere && F.Rule->Group != "correctness") {
      F.Message += " (not in kernel " + Not + ", which calls this function, too)";
      F.AtMost = std::min(F.AtMost, rules::Severity::Info);
    }
    return F;
  }

  static void join(Finding &Into, const Finding &F) {
    Into.Families |= F.Families;
    for (const auto &[Text, Set] : F.Costs) {
      auto At = find_if(Into.Costs, [&, &Text = Text](const auto &X) { return X.first == Text; });
      if (At == Into.Costs.end())
        Into.Costs.emplace_back(Text, Set);
      else
        At->second |= Set;
    }
    Into.Failing |= F.Failing;
  }
};

} // namespace clmali::checks

std::vector<Finding> checks::runKernelChecks(model::Module &M, const RunOptions &O) {
  std::vector<const model::Kernel *> Unfinished;
  return runKernelChecks(M, O, Unfinished);
}

std::vector<Finding> checks::runKernelChecks(model::Module &M, const RunOptions &O,
                                             std::vector<const model::Kernel *> &Unfinished) {
  Runner R(O);
  if (O.Known)
    O.Known->begin(M, O);
  for (const std::unique_ptr<model::Kernel> &K : M.Kernels)
    if (!R.kernel(M, *K) && !is_contained(Unfinished, K.get()))
      Unfinished.push_back(K.get());
  return R.finish();
}

std::vector<Finding> checks::runHostChecks(const model::HostModule &H, const RunOptions &O) {
  Runner R(O);
  R.host(H);
  return R.finish();
}
