//===-- checks/model/frontend/tolerant/SiblingFiles.h - Other files of the folder -*- C++ -*-===//
//
// Many hosts join a kernel file with other files of its folder (tables, types, functions, macros)
// before they build it. Names that a file uses and does not define (or only declares) are sought
// in these files.
//
//   before: x = rotate_left(y)     "use of undeclared identifier 'rotate_left'"
//   after:  {"kernels/bits.cl", its text}, to be included before the file
//
// A file that includes this one gives its text before that line.
//
// Limits: files of the same folder; without success there, of the next folders above and of their
// subfolders with names that kernels and headers usually have. Host files are left out, and so are
// two files that define equally many of the missing names. The kernels of a sibling file are
// removed; a file with kernels must not define a name that this file defines. Conditions are not
// evaluated.
//
//===----------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_SIBLINGFILES_H
#define CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_SIBLINGFILES_H

#include "checks/model/frontend/Frontend.h"
#include "llvm/ADT/StringSet.h"

namespace clmali::model {

class SiblingFiles {
public:
  /// IgnoreIncluders: leave out files that include this one.
  SiblingFiles(llvm::StringRef FileName, llvm::StringRef Text, bool IgnoreIncluders)
      : FileName(FileName), Own(Text), IgnoreIncluders(IgnoreIncluders) {}

  /// Files that define names which the diagnostics miss, with all files that were returned before,
  /// each after those that it needs. Empty: no new file, that is not among Included (paths),
  /// defines one.
  std::vector<SiblingFile> filesFor(llvm::ArrayRef<ParseDiagnostic> Diagnostics,
                                    llvm::ArrayRef<std::string> Included);
  /// A file that includes this one is among those that were returned.
  bool isIncluded() const;

private:
  /// What a text defines and uses. Each text is scanned once for all files that may use it.
  struct Scan {
    bool IsCode = true;             ///< false: a binary, or a header of the host
    std::string Text;               ///< unwrapped
    llvm::StringSet<> Names, Words; ///< that it defines; that it uses
    bool HasKernels = false;
    std::string WithoutKernels;
    void find(); ///< sets the last three from Text
  };
  struct Candidate {
    SiblingFile File;
    std::shared_ptr<const Scan> Of;
    bool Includes = false; ///< it includes this file
    bool Chosen = false;
  };
  static std::shared_ptr<const Scan> scanOf(llvm::StringRef Text);
  std::string FileName;
  std::string Own; ///< the text of FileName
  bool IgnoreIncluders;
  unsigned Level = 0; ///< how many folders were read: its own, then those above
  std::vector<Candidate> Candidates;

  bool readNextFolder();
  void read(llvm::StringRef Folder, bool Above);
  bool choose(const llvm::StringSet<> &Missed, llvm::ArrayRef<std::string> Included);
  std::vector<SiblingFile> chosen() const;
};

/// The name of a sibling file of FileName in a note.
std::string siblingName(llvm::StringRef FileName, llvm::StringRef Path);

/// The names that a file of OpenCL C defines for files that include it: macros, functions, types,
/// constants. HasKernels: it defines a kernel. Words: all names in it.
llvm::StringSet<> namesDefinedIn(llvm::StringRef Text, bool &HasKernels,
                                 llvm::StringSet<> *Words = nullptr);

} // namespace clmali::model

#endif // CLMALI_CHECKS_MODEL_FRONTEND_TOLERANT_SIBLINGFILES_H
