//===- Cost.cpp - costs of kernels, by the cost model and by malioc ---------------------------===//

#include "tools/lint/Cost.h"
#include "rewriters/plan/Rewrite.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;

static Error failure(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

Expected<CostSource> lint::parseCostSource(StringRef Name) {
  if (Name == "model")
    return CostSource::Model;
  if (Name == "malioc") {
    if (!sys::findProgramByName("malioc"))
      return failure("--cost=malioc: Arm's offline compiler is not on PATH; install Arm "
                     "Performance Studio, or use --cost=model");
    return CostSource::Malioc;
  }
  if (Name == "mesa")
    return failure("--cost=mesa is not available in this build, which has no Mesa compiler in it; "
                   "use --cost=model");
  return failure("--cost: '" + Name + "' is none of model, malioc");
}

static std::vector<model::Kernel *> kernelsOf(model::Module &M) {
  std::vector<model::Kernel *> All;
  for (const auto &K : M.Kernels)
    if (K->NameRange.File == 0)
      All.push_back(K.get());
  return All;
}

static unsigned lineOf(const model::Module &M, const model::Kernel &K) {
  return StringRef(M.Files[0].Text).take_front(K.NameRange.Begin).count('\n') + 1;
}

std::vector<KernelCost> lint::kernelCosts(model::Module &M, StringRef File,
                                          rules::FamilySet Families) {
  std::vector<KernelCost> All;
  for (model::Kernel *K : kernelsOf(M)) // a copy: the planner adds kernels to the module
    for (const rules::DeviceFacts &F : rules::families()) {
      if (!((Families >> F.Index) & 1))
        continue;
      KernelCost C;
      C.File = File.str();
      C.Kernel = K->Name;
      C.Family = F.Name;
      C.Line = lineOf(M, *K);
      rewrite::RewriteOptions O;
      O.Device = F.Name;
      O.MaxCandidates = 1;
      if (K->Opaques.empty()) {
        rewrite::RewriteResult R = rewrite::rewriteKernel(M, *K, O);
        C.Before = R.Before;
        if (!R.Candidates.empty()) {
          C.After = R.Candidates.front().After;
          C.Items = R.Candidates.front().Items;
          C.Passes = R.Candidates.front().Passes;
        }
      } else {
        C.Before = model::cost(M, *K, F);
      }
      All.push_back(std::move(C));
    }
  return All;
}

/// The core for malioc: the model that the user named, or a typical one of the family.
static std::string coreOf(StringRef Device, const rules::DeviceFacts &F) {
  std::string Name = Device.lower();
  StringRef Model = Name;
  Model.consume_front("mali-");
  bool IsModel = Model.size() > 1 && (Model[0] == 'g' || Model[0] == 't') && isDigit(Model[1]);
  if (!IsModel)
    Model = F.Name == "mali-midgard" ? "t880" : F.Name == "mali-bifrost" ? "g76" : "g78";
  return "Mali-" + Model.upper();
}

/// Runs malioc and returns its standard output.
static Expected<std::string> runMalioc(ArrayRef<StringRef> Args, const Twine &What) {
  SmallString<128> Out, Err;
  for (auto [Suffix, Path] : {std::pair{"out", &Out}, std::pair{"err", &Err}})
    if (std::error_code EC = sys::fs::createTemporaryFile("clmali-malioc", Suffix, *Path))
      return failure("cannot make a temporary file: " + EC.message());
  FileRemover RemoveOut(Out), RemoveErr(Err);
  std::optional<StringRef> Redirects[] = {StringRef(""), Out.str(), Err.str()};
  std::string Message;
  int Status = sys::ExecuteAndWait(Args[0], Args, std::nullopt, Redirects,
                                   /*SecondsToWait=*/60, 0, &Message);
  auto Read = [](StringRef P) {
    auto B = MemoryBuffer::getFile(P);
    return B ? (*B)->getBuffer().trim().str() : std::string();
  };
  if (Status)
    return failure("malioc failed on " + What + ": " +
                   (Message.empty() ? Read(Err) + " " + Read(Out) : Message));
  return Read(Out);
}

Expected<std::vector<KernelCost>> lint::maliocCosts(model::Module &M, StringRef File,
                                                    StringRef Device, rules::FamilySet Families,
                                                    ArrayRef<std::string> ClangArgs) {
  ErrorOr<std::string> Program = sys::findProgramByName("malioc");
  if (!Program)
    return failure("malioc is not on PATH");
  std::vector<KernelCost> All;
  for (model::Kernel *K : kernelsOf(M))
    for (const rules::DeviceFacts &F : rules::families()) {
      if (!((Families >> F.Index) & 1) || F.Group != "mali")
        continue;
      KernelCost C;
      C.File = File.str();
      C.Kernel = K->Name;
      C.Family = coreOf(Device, F);
      C.Line = lineOf(M, *K);
      std::vector<StringRef> Args = {*Program, "--opencl", "--core", C.Family, "--name", K->Name};
      for (const std::string &A : ClangArgs)
        if (StringRef(A).starts_with("-D"))
          Args.push_back(A);
      Args.push_back(C.File);
      Expected<std::string> Report =
          runMalioc(Args, File + ", kernel " + K->Name + ", " + C.Family);
      if (!Report)
        return Report.takeError();
      C.Text = std::move(*Report);
      All.push_back(std::move(C));
    }
  return All;
}

static std::string pipes(const model::Cost &C, double Items) {
  return formatv("A {0:f2}, L/S {1:f2}, T {2:f2} ({3}), {4:f1} memory operations",
                 C.Arithmetic / Items, C.LoadStore / Items, C.Texture / Items, C.bound() + " bound",
                 C.MemoryOps / Items);
}

static std::string threads(const model::Cost &C) {
  return formatv("{0:f0} registers, {1} work-items at once", C.Registers, C.Threads);
}

std::string lint::costsText(ArrayRef<KernelCost> Costs) {
  std::string S;
  raw_string_ostream OS(S);
  for (const KernelCost &C : Costs) {
    OS << C.File << ":" << C.Line << ": cost of '" << C.Kernel << "' on " << C.Family;
    if (!C.Text.empty()) {
      OS << ":\n" << C.Text << "\n";
      continue;
    }
    OS << ", cycles for each work-item:\n  as it is:  " << pipes(C.Before, 1) << "; "
       << threads(C.Before) << "\n";
    if (C.After)
      OS << "  rewritten: " << pipes(*C.After, C.Items) << "; " << threads(*C.After)
         << formatv("; each does {0:f0} [{1}]\n", C.Items, join(C.Passes, ", "));
    else
      OS << "  rewritten: nothing is predicted to pay\n";
  }
  return S;
}

json::Array lint::costsJson(ArrayRef<KernelCost> Costs) {
  auto Object = [](const model::Cost &C) {
    return json::Object{{"arithmetic", C.Arithmetic}, {"loadStore", C.LoadStore},
                        {"texture", C.Texture},       {"branch", C.Branch},
                        {"bound", C.bound()},         {"registers", C.Registers},
                        {"threads", C.Threads},       {"memoryOperations", C.MemoryOps}};
  };
  json::Array All;
  for (const KernelCost &C : Costs) {
    json::Object X{{"file", json::fixUTF8(C.File)},
                   {"line", C.Line},
                   {"kernel", C.Kernel},
                   {"device", C.Family}};
    if (!C.Text.empty()) {
      X["report"] = json::fixUTF8(C.Text);
    } else {
      X["before"] = Object(C.Before);
      X["after"] = nullptr;
      if (C.After) {
        json::Object After = Object(*C.After);
        After["workItems"] = C.Items;
        After["passes"] = json::Array(C.Passes);
        X["after"] = std::move(After);
      }
    }
    All.push_back(std::move(X));
  }
  return All;
}
