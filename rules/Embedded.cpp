//===- Embedded.cpp - rules/*.md and devices.yaml as data -------------------------------------===//
//
// cmake/EmbedRules.cmake writes RuleTexts.inc whenever a page changes.
//
//===------------------------------------------------------------------------------------------===//

#include "rules/Embedded.h"
#include "RuleTexts.inc"

using namespace clmali::rules;

const llvm::StringRef embedded::DevicesYaml(DevicesText, sizeof(DevicesText) - 1);
const llvm::ArrayRef<embedded::Page> embedded::Pages(PageTexts);
