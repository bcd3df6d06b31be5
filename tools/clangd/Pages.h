//===- Pages.h - rule pages as Markdown for editors -------------------------------------------===//

#ifndef CLMALI_TOOLS_CLANGD_PAGES_H
#define CLMALI_TOOLS_CLANGD_PAGES_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace clmali::editor {

/// Markdown: the page of the first rule and the summaries of the others.
std::string pagesFor(llvm::ArrayRef<std::string> Ids);

/// The path of a rule's page in the installation or the checkout that Program belongs to; empty if
/// there is none.
std::string pageFile(llvm::StringRef Id, llvm::StringRef Program);

} // namespace clmali::editor

#endif
