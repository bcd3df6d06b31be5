//===-- checks/model/frontend/Frontend.cpp - Parse OpenCL C in process -------------===//
//
// What it does: parses a file with Clang, in this process, and lifts its kernels.
//
// Strictly, the file must parse as it is: with the user's -cl-std, or with the first of CL1.2,
// CL2.0, CL3.0 that has no errors. Tolerantly (the linter), see tolerant/TolerantParse.h.
//
// Limits: options that only a device compiler knows (-cl-nv-...) are dropped.
//
//===----------------------------------------------------------------------===//

#include "checks/model/frontend/Frontend.h"
#include "checks/model/frontend/ClangParse.h"
#include "checks/model/frontend/tolerant/TolerantParse.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using llvm::StringRef;

namespace clmali::model {

/// The first dialect without errors; else the diagnostics of the first dialect.
static ParseResult parseStrictly(StringRef FileName, StringRef Text, const ClangArguments &Args,
                                 StringRef Triple, llvm::ArrayRef<std::string> Dialects) {
  std::optional<ParseResult> First;
  for (const std::string &Std : Dialects) {
    ClangParse P =
        parseOnce(FileName, Text, Args, {}, Std, Triple, /*Tolerant=*/false, /*Limit=*/true);
    bool Clean = P.Errors == 0, Fatal = P.Fatal;
    if (Clean || !First)
      First = toResult(std::move(P), Std);
    if (Clean) {
      if (First->M)
        for (const std::string &Option : Args.Dropped)
          First->M->Notes.push_back("option " + Option + " ignored");
      return std::move(*First);
    }
    if (Fatal && &Std == &Dialects.front())
      break; // a missing include is missing in every dialect
  }
  First->M.reset();
  return std::move(*First);
}

ParseResult parseOpenCL(StringRef FileName, StringRef Text, const ParseOptions &O) {
  ClangArguments Args = readArguments(O.ClangArgs);
  Args.Before = O.Before;
  std::string Triple = !Args.Triple.empty() ? Args.Triple
                       : O.SizeTBits == 32  ? std::string("spir")
                                            : std::string("spir64");
  std::vector<std::string> Dialects{"CL1.2", "CL2.0", "CL3.0"};
  if (!Args.Std.empty())
    Dialects = {Args.Std};
  return O.Tolerant ? parseTolerantly(FileName, Text, O, std::move(Args), Triple, Dialects)
                    : parseStrictly(FileName, Text, Args, Triple, Dialects);
}

std::vector<KernelLeftOut> kernelsLeftOut(StringRef FileName, StringRef Text, const ParseOptions &O,
                                          const ParseResult &Seen) {
  if (!Text.contains("#"))
    return {};
  llvm::StringMap<std::string> Inferred, Given = macrosOf(O.ClangArgs);
  for (StringRef G : Seen.Guesses)
    Inferred[G.split('=').first.split('(').first] = G.split('=').second.str();
  TokenScan T(Text, Given);
  std::vector<KernelLeftOut> Out;
  for (unsigned Line : T.kernelsLeftOut(Inferred))
    Out.push_back({Line, {}});
  // #define METHOD 1, in the file or in one of its headers: a number that users edit.
  std::string Headers = Seen.SiblingText;
  for (const IncludedFile &H : headersOf(FileName, Text, O.ClangArgs))
    Headers += H.Text + "\n";
  std::vector<std::string> Settings = T.settings(TokenScan(Headers, Given));
  if (Settings.empty())
    return Out;
  llvm::StringSet<> Unset;
  for (StringRef Name : Settings)
    Unset.insert(Name);
  for (unsigned Line : TokenScan(withoutDefines(Text, Unset), Given).kernelsThatTest(Settings)) {
    auto Same = llvm::find_if(Out, [&](const KernelLeftOut &K) { return K.Line == Line; });
    if (Same == Out.end())
      Out.push_back({Line, Settings});
    else
      Same->Unset = Settings;
  }
  return Out;
}

static bool looksLikeText(StringRef Text) {
  if (Text.starts_with("\xFF\xFE") || Text.starts_with("\xFE\xFF"))
    return false;
  return Text.take_front(65536).find('\0') == StringRef::npos;
}

llvm::Expected<ParseResult> parseOpenCLFile(StringRef FileName, const ParseOptions &O) {
  auto Error = [&](const llvm::Twine &Why) {
    return llvm::createStringError(llvm::inconvertibleErrorCode(), "%s: %s", FileName.str().c_str(),
                                   Why.str().c_str());
  };
  llvm::sys::fs::file_status Status;
  if (std::error_code EC = llvm::sys::fs::status(FileName, Status))
    return Error(EC.message());
  if (llvm::sys::fs::is_directory(Status))
    return Error("is a directory, not an OpenCL C file");
  auto Buffer = llvm::MemoryBuffer::getFile(FileName, /*IsText=*/false,
                                            /*RequiresNullTerminator=*/true, /*IsVolatile=*/true);
  if (!Buffer)
    return Error(Buffer.getError().message());
  StringRef Text = (*Buffer)->getBuffer();
  if (!looksLikeText(Text))
    return Error("is not text: a binary, or text that is not UTF-8");
  return parseOpenCL(FileName, Text, O);
}

} // namespace clmali::model
