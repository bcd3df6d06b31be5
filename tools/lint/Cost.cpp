//===- Cost.cpp - costs of kernels, by the cost model and by real compilers -------------------===//

#include "tools/lint/Cost.h"
#include "rewriters/plan/Rewrite.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::lint;

static Error failure(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

bool lint::isCostSource(StringRef Name) {
  return Name == "model" || Name == "mesa" || Name == "malioc";
}

Expected<CostSource> lint::parseCostSource(StringRef Name) {
  if (Name == "model")
    return CostSource::Model;
  if (Name == "mesa" || Name == "malioc") {
    bool Mesa = Name == "mesa";
    Expected<std::string> Program = Mesa ? compilers::findMesa() : compilers::findMalioc();
    if (!Program)
      return failure("--cost=" + Name + ": " + toString(Program.takeError()));
    return Mesa ? CostSource::Mesa : CostSource::Malioc;
  }
  return failure("--cost: '" + Name + "' is none of model, mesa, malioc");
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

/// The models that a compiler is run for: those that --device names, else one for each family.
static std::vector<std::string> modelsOf(CostSource Source, StringRef Device,
                                         rules::FamilySet Families) {
  auto Typical = [&](StringRef Family) -> StringRef {
    bool Malioc = Source == CostSource::Malioc;
    return Family == "mali-midgard"    ? (Malioc ? "mali-t880" : "mali-t860")
           : Family == "mali-bifrost"  ? (Malioc ? "mali-g76" : "mali-g52")
           : Family == "mali-valhall"  ? (Malioc ? "mali-g78" : "mali-g610")
           : Family == "powervr-rogue" ? "powervr-bxs-4-64"
                                       : "";
  };
  std::vector<std::string> Models;
  SmallVector<StringRef> Parts;
  Device.split(Parts, ',', -1, /*KeepEmpty=*/false);
  if (Parts.empty())
    Parts.push_back(""); // the families of the configuration, or all
  for (StringRef Part : Parts) {
    std::string Name = Part.trim().lower();
    // A model has a digit in its name, a family has none.
    if (any_of(Name, isDigit)) {
      Models.push_back(Name);
      continue;
    }
    rules::FamilySet Of = Families;
    if (!Name.empty()) {
      Expected<rules::FamilySet> Set = rules::resolveDevice(Name);
      if (!Set) {
        consumeError(Set.takeError()); // the command line was checked before
        continue;
      }
      Of = *Set;
    }
    for (const rules::DeviceFacts &F : rules::families())
      if ((Of >> F.Index) & 1)
        if (StringRef Model = Typical(F.Name); !Model.empty() && !is_contained(Models, Model))
          Models.push_back(Model.str());
  }
  if (Source == CostSource::Malioc)
    erase_if(Models, [](StringRef Model) { return !Model.starts_with("mali-"); });
  return Models;
}

Expected<std::vector<KernelCost>> lint::compiledCosts(CostSource Source, model::Module &M,
                                                      StringRef File, StringRef Text,
                                                      StringRef Device, rules::FamilySet Families,
                                                      ArrayRef<std::string> ClangArgs) {
  std::vector<std::string> Models = modelsOf(Source, Device, Families);
  if (Models.empty())
    return failure("no device of this run has a compiler for --cost");
  std::vector<std::string> Options = compilers::buildOptions(ClangArgs);
  std::vector<compilers::Cost> Costs;
  if (Source == CostSource::Mesa) {
    compilers::Source Job{File.str(), Text.str(), Options, {}, {}};
    Expected<std::vector<compilers::Cost>> Done = compilers::runMesa(Job, join(Models, ","));
    if (!Done)
      return Done.takeError();
    Costs = std::move(*Done);
  } else {
    for (model::Kernel *K : kernelsOf(M))
      for (const std::string &Model : Models) {
        Expected<compilers::Cost> Done = compilers::runMalioc(File, K->Name, Model, Options);
        if (!Done)
          return Done.takeError();
        Costs.push_back(std::move(*Done));
      }
  }
  std::vector<KernelCost> All;
  for (compilers::Cost &C : Costs) {
    KernelCost X;
    X.File = File.str();
    X.Kernel = C.Kernel;
    X.Family = C.Device;
    X.Line = 1;
    for (model::Kernel *K : kernelsOf(M))
      if (K->Name == C.Kernel)
        X.Line = lineOf(M, *K);
    X.Compiled = std::move(C);
    All.push_back(std::move(X));
  }
  stable_sort(All, [](const KernelCost &A, const KernelCost &B) { return A.Line < B.Line; });
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
    OS << C.File << ":" << C.Line << ": cost of ";
    if (C.Compiled) {
      const compilers::Cost &X = *C.Compiled;
      OS << (C.Kernel.empty() ? "the file" : "'" + C.Kernel + "'") << " on " << C.Family;
      if (!X.CompiledFor.empty())
        OS << " (compiled for " << X.CompiledFor << ")";
      OS << ", by " << X.Compiler << " " << X.Version << ":\n  " << compilers::costText(X) << "\n";
      continue;
    }
    OS << "'" << C.Kernel << "' on " << C.Family;
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
    json::Object X;
    if (C.Compiled) {
      X = compilers::costJson(*C.Compiled);
    } else {
      X = json::Object{{"kernel", C.Kernel},
                       {"device", C.Family},
                       {"before", Object(C.Before)},
                       {"after", nullptr}};
      if (C.After) {
        json::Object After = Object(*C.After);
        After["workItems"] = C.Items;
        After["passes"] = json::Array(C.Passes);
        X["after"] = std::move(After);
      }
    }
    X["file"] = json::fixUTF8(C.File);
    X["line"] = C.Line;
    All.push_back(std::move(X));
  }
  return All;
}
