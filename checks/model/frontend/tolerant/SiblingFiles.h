//===-- checks/model/frontend/tolerant/SiblingFiles.h - What the files beside a kernel file define
//-*- C++ -*-===//
//
// What it is: many hosts paste a kernel's file behind others of its folder (tables, types,
// functions, macros) before they build it. Of names that a file uses and nobody defines (a function
// may be declared), these files are asked.
//
//   before: x = rotate_left(y)     "use of undeclared identifier 'rotate_left'"
//   after:  {"kernels/bits.cl", its text}, to stand before the file
//
// A file that includes this one brings what it has before that line.
//
// Limits: files of the same folder, and where these do not have it, of the next folders above and
// of those there that are named as folders of kernels or headers are; none of the host; none where
// two files define as much of what is missed. Kernels are left out of them, and a file with kernels
// has to miss nothing that is this file's, too. What a name means under conditions is not asked.
//
//===----------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_SIBLINGFILES_H
#define CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_SIBLINGFILES_H

#include "checks/model/frontend/Frontend.h"
#include "llvm/ADT/StringSet.h"

namespace clmali::model {

struct SiblingFile {
  std::string Path, Text; ///< the path as FileName is written; what a string wraps is unwrapped
};

class SiblingFiles {
public:
  /// Alone: files that include this one are not asked.
  SiblingFiles(llvm::StringRef FileName, llvm::StringRef Text, bool Alone)
      : FileName(FileName), Own(Text), Alone(Alone) {}

  /// Are there files, not given before and not Included (paths), that define names which the
  /// diagnostics miss? All that were given, each behind those that it needs; empty: no more than
  /// before.
  std::vector<SiblingFile> filesFor(llvm::ArrayRef<ParseDiagnostic> Diagnostics,
                                    llvm::ArrayRef<std::string> Included);
  /// Is the text before the line that includes this file among what was given?
  bool isIncluded() const;

private:
  struct Candidate {
    SiblingFile File;
    llvm::StringSet<> Names, Words; ///< that it defines; that stand in it
    bool HasKernels = false, Includes = false, Given = false;
  };
  std::string FileName;
  llvm::StringRef Own;
  bool Alone;
  unsigned Level = 0; ///< how many folders were read: its own, then those above
  std::vector<Candidate> Candidates;

  bool readFarther();
  void read(llvm::StringRef Folder, bool Above);
  bool choose(const llvm::StringSet<> &Missed, llvm::ArrayRef<std::string> Included);
  std::vector<SiblingFile> given() const;
};

/// How a file that FileName takes something from is named in a note.
std::string siblingName(llvm::StringRef FileName, llvm::StringRef Path);

/// The names that a file of OpenCL C defines for files that include it: macros, functions, types,
/// constants. HasKernels: is there a kernel among them? Words: all names in it.
llvm::StringSet<> namesDefinedIn(llvm::StringRef Text, bool &HasKernels,
                                 llvm::StringSet<> *Words = nullptr);

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_SIBLINGFILES_H
