//===- Html.h - the parts of a report page ----------------------------------------------------===//
//
// One self-contained page without scripts, fonts or external resources. Light or dark by the
// reader's setting; two columns where they fit.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_REPORT_HTML_H
#define CLMALI_TOOLS_REPORT_HTML_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <optional>
#include <string>
#include <vector>

namespace clmali::report {

/// Escapes text. The functions below say for each parameter whether it is text or HTML.
std::string escaped(const llvm::Twine &Text);

/// The whole page; \p Body is HTML.
std::string page(llvm::StringRef Title, llvm::StringRef Body);

/// A note at a line of a listing.
struct LineNote {
  unsigned Line = 0;
  std::string Kind; ///< "error", "warning", "info", "refused": the colour and the word in front
  std::string Title, Text;
};

/// OpenCL C or C with line numbers from \p First, highlighted, with notes below their lines. \p
/// Caption is text.
std::string listing(llvm::StringRef Code, unsigned First, llvm::ArrayRef<LineNote> Notes,
                    llvm::StringRef Caption);

/// Code to copy: only its text can be selected.
std::string block(llvm::StringRef Code);

/// A diff with coloured lines.
std::string diff(llvm::StringRef Unified);

/// Collapsed until the reader opens it. \p Inner is HTML.
std::string folded(llvm::StringRef Summary, llvm::StringRef Inner, bool Open = false);

/// A bar for the value before and, if given, one for the value after.
struct Bar {
  std::string Name, Unit;
  double Before = 0;
  std::optional<double> After;
};
std::string bars(llvm::ArrayRef<Bar> Bars);

/// A label in a coloured frame; \p Kind: "good", "bad", "error", "warning", "info".
std::string badge(llvm::StringRef Kind, llvm::StringRef Text);

} // namespace clmali::report

#endif
