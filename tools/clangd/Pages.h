//===- Pages.h - a rule's page, for people at an editor
//-----------------------------------------===//

#ifndef CLMALI_TOOLS_CLANGD_PAGES_H
#define CLMALI_TOOLS_CLANGD_PAGES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace clmali::editor {

/// Markdown: the page of the first rule, and the summaries of the others.
std::string pagesFor(llvm::ArrayRef<std::string> Ids);

/// The file of a rule's page, where it was installed with Program or stands in the checkout that
/// Program was built from; empty if there is none.
std::string pageFile(llvm::StringRef Id, llvm::StringRef Program);

} // namespace clmali::editor

#endif
