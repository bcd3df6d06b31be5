//===-- checks/model/frontend/Arguments.cpp - The command line of a parse ---------===//

#include "checks/model/frontend/ClangParse.h"
#include "checks/model/frontend/tolerant/MacroInference.h"

using llvm::StringRef;

namespace clmali::model {
namespace {

/// Options of Clang that -cc1 knows and the parse accepts.
bool isLanguageOption(StringRef Arg) {
  return Arg == "-cl-single-precision-constant" || Arg == "-cl-fast-relaxed-math" ||
         Arg == "-cl-mad-enable" || Arg == "-cl-opt-disable" || Arg == "-cl-finite-math-only" ||
         Arg == "-cl-unsafe-math-optimizations" || Arg == "-cl-no-signed-zeros" ||
         Arg == "-cl-denorms-are-zero" || Arg == "-cl-strict-aliasing" ||
         Arg == "-cl-kernel-arg-info" || Arg == "-cl-fp32-correctly-rounded-divide-sqrt" ||
         Arg == "-cl-uniform-work-group-size" || Arg == "-cl-no-subgroup-ifp" ||
         Arg.starts_with("-cl-ext=");
}

/// -std=CL1.2, -std=clc++2021: no standard of the host's language.
bool isKernelStandard(StringRef Arg) {
  return Arg.consume_front("-std=") && Arg.starts_with_insensitive("cl");
}

} // namespace

std::string builtInHeader(StringRef Name) { return (BuiltInFolder + "/include/" + Name).str(); }

ClangArguments readArguments(llvm::ArrayRef<std::string> Args) {
  ClangArguments A;
  for (size_t I = 0; I < Args.size(); ++I) {
    StringRef Arg = Args[I];
    auto Next = [&]() -> std::string { return I + 1 < Args.size() ? Args[++I] : std::string(); };
    if (Arg.consume_front("-cl-std=") || (isKernelStandard(Arg) && Arg.consume_front("-std=")))
      A.Std = Arg.str();
    else if (Arg.starts_with("-std="))
      continue; // of the host's compiler
    else if (Arg.consume_front("--target="))
      A.Triple = Arg.str();
    else if (Arg == "-target" || Arg == "-triple")
      A.Triple = Next();
    else if (Arg == "-x" || Arg == "-o" || Arg == "-Xclang")
      Next(); // the language is known, and nothing is written
    else if (Arg == "-D" || Arg == "-I" || Arg == "-U" || Arg == "-include" || Arg == "-isystem" ||
             Arg == "-iquote") {
      A.Pass.push_back(Arg.str());
      A.Pass.push_back(Next());
    } else if (Arg.starts_with("-D") || Arg.starts_with("-I") || Arg.starts_with("-U") ||
               Arg.starts_with("-W") || Arg == "-w") {
      A.Pass.push_back(Arg.str());
    } else if (isLanguageOption(Arg)) {
      // Of the device alone: nothing that the parse sees depends on them, or -cc1 has no such
      // option.
      if (Arg != "-cl-opt-disable" && Arg != "-cl-kernel-arg-info" &&
          Arg != "-cl-strict-aliasing" && Arg != "-cl-mad-enable" &&
          Arg != "-cl-denorms-are-zero" && Arg != "-cl-no-subgroup-ifp")
        A.Pass.push_back(Arg.str());
    } else if (Arg.starts_with("-")) {
      A.Dropped.push_back(Arg.str());
    }
  }
  return A;
}

std::vector<std::string> commandLine(StringRef FileName, StringRef Text, const ClangArguments &A,
                                     llvm::ArrayRef<std::string> Extra, StringRef Std,
                                     StringRef Triple, bool Tolerant, bool Limit,
                                     std::string &Prelude) {
  std::vector<std::string> Args = {"-triple",
                                   Triple.str(),
                                   "-x",
                                   "cl",
                                   "-cl-std=" + Std.str(),
                                   "-finclude-default-header",
                                   "-fdeclare-opencl-builtins",
                                   "-fsyntax-only",
                                   "-ffp-contract=on",
                                   "-resource-dir",
                                   BuiltInFolder.str(),
                                   "-nostdsysteminc", // those are the host's headers
                                   "-internal-isystem",
                                   (BuiltInFolder + "/include").str(),
                                   "-ferror-limit",
                                   Limit ? "100" : "0"};
  auto Include = [&](std::string Path) {
    Args.push_back("-include");
    Args.push_back(std::move(Path));
  };
  // Every device defines its OpenCL version; Clang leaves the macro to the device.
  StringRef Version = Std;
  if (Version.consume_front_insensitive("CL") && !Version.empty())
    Args.push_back("-D__OPENCL_VERSION__=" + Version.take_front(1).str() +
                   (Version.size() > 2 ? Version.substr(2, 1).str() : "0") + "0");
  // Clang's target has every extension; those of AMD and Intel are on none of the GPUs that are
  // judged here, and code under their names is for other devices. Intel's functions stay declared:
  // code that calls them without a condition parses.
  Args.push_back("-cl-ext=-cl_amd_media_ops,-cl_amd_media_ops2");
  for (StringRef Foreign : {"cl_intel_subgroups", "cl_intel_subgroups_short",
                            "cl_intel_device_side_avc_motion_estimation"})
    Args.push_back("-U" + Foreign.str());
  // OpenCL C has `__asm__` only; legacy code uses `asm` where its vendor's compiler accepted it.
  if (Text.contains("asm"))
    Args.push_back("-fgnu-keywords");
  if (Tolerant)
    Args.push_back("-Wno-error=implicit-int"); // __global *buffer
  if (!A.SuggestNames)
    Args.push_back("-fno-spell-checking");
  if (Tolerant && !A.Partial)
    Args.push_back("-fno-recovery-ast"); // Clang 19 crashes on its recovery nodes in vector casts
  if (llvm::any_of(Extra, [](StringRef E) { return E.ends_with("=" + SamplerName.str()); }))
    Include(builtInHeader("sampler.h"));
  if (llvm::any_of(Extra, [](StringRef E) { return E.contains(UnknownName); }))
    Args.push_back("-D" + UnknownName.str() + "=((int)native_exp2((float)get_global_id(0)))");
  if (A.DeclareVendorBuiltins)
    Include(builtInHeader("vendor.h"));
  Args.insert(Args.end(), A.Pass.begin(), A.Pass.end());
  for (size_t I = 0; I < Extra.size(); ++I) {
    if (Extra[I] == PreludeOption && I + 1 < Extra.size())
      Prelude += Extra[++I] + "\n";
    else
      Args.push_back(Extra[I]);
  }
  if (!Prelude.empty())
    Include(builtInHeader("prelude.h"));
  for (const SiblingFile &B : A.Before)
    Include(B.Path);
  Args.push_back(FileName.str());
  return Args;
}

} // namespace clmali::model
