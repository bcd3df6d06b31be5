//===-- checks/model/Beside.h - What the files beside a kernel file define -*- C++ -*-===//
//
// What it is: many hosts paste a kernel's file behind others of its folder (tables, types,
// functions, macros) before they build it. Of names that a file uses and nobody defines, these
// files are asked.
//
//   before: x = rotate_left(y)     "use of undeclared identifier 'rotate_left'"
//   after:  {"kernels/bits.cl", its text}, to stand before the file
//
// Limits: files of the same folder; none that has kernels, or is of the host; none where
// two files define as much of what is missed. What a name means under conditions is not asked.
//
//===----------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_BESIDE_H
#define CLMALI_CHECKS_MODEL_BESIDE_H

#include "checks/model/Frontend.h"
#include "llvm/ADT/StringSet.h"

namespace clmali::model {

struct FileBeside {
  std::string Path, Text; ///< the path as FileName is written; what a string wraps is unwrapped
};

class Beside {
public:
  explicit Beside(llvm::StringRef FileName) : FileName(FileName) {}

  /// Files, not given before and not Included (paths), that define names which the diagnostics miss.
  std::vector<FileBeside> filesFor(llvm::ArrayRef<ParseDiagnostic> Diagnostics, llvm::ArrayRef<std::string> Included);

private:
  struct Candidate {
    FileBeside File;
    llvm::StringSet<> Names;
    bool Given = false;
  };
  std::string FileName;
  bool Read = false;
  std::vector<Candidate> Candidates;

  void read();
};

/// The names that a file of OpenCL C defines for files that include it: macros, functions, types, constants.
/// HasKernels: is there a kernel among them?
llvm::StringSet<> namesDefinedIn(llvm::StringRef Text, bool &HasKernels);

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_BESIDE_H
