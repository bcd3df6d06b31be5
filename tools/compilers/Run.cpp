//===- Run.cpp - child processes of the compilers ---------------------------------------------===//

#include "tools/compilers/Run.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::compilers;

Error compilers::failure(const Twine &Message) {
  return createStringError(inconvertibleErrorCode(), Message);
}

Expected<Output> compilers::runProgram(ArrayRef<StringRef> Args, StringRef Input,
                                       unsigned Seconds) {
  SmallString<128> In, Out, Err;
  for (auto [Suffix, Path] : {std::pair{"in", &In}, std::pair{"out", &Out}, std::pair{"err", &Err}})
    if (std::error_code EC = sys::fs::createTemporaryFile("clmali", Suffix, *Path))
      return failure("cannot make a temporary file: " + EC.message());
  FileRemover RemoveIn(In), RemoveOut(Out), RemoveErr(Err);
  {
    std::error_code EC;
    raw_fd_ostream File(In, EC);
    if (!EC)
      File << Input;
    File.close();
    if (EC || File.has_error()) {
      File.clear_error();
      return failure("cannot write a temporary file");
    }
  }
  std::optional<StringRef> Redirects[] = {In.str(), Out.str(), Err.str()};
  Output Done;
  Done.Status =
      sys::ExecuteAndWait(Args[0], Args, std::nullopt, Redirects, Seconds, 0, &Done.Message);
  for (auto [Path, Text] :
       {std::pair{StringRef(Out), &Done.Out}, std::pair{StringRef(Err), &Done.Err}})
    if (auto Buffer = MemoryBuffer::getFile(Path))
      *Text = (*Buffer)->getBuffer().str();
  return Done;
}
