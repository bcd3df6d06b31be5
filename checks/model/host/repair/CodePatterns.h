//===-- checks/model/host/repair/CodePatterns.h - How code uses a name ----*- C++ -*-===//
//
// What the text of a host file says about a name whose declaration is missing: found by words and
// punctuation, without a parse.
//
//===----------------------------------------------------------------------===//
#ifndef CLMALI_CHECKS_MODEL_HOST_REPAIR_CODEPATTERNS_H
#define CLMALI_CHECKS_MODEL_HOST_REPAIR_CODEPATTERNS_H

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include <set>
#include <string>

namespace clmali::model {

inline bool isWord(char C) { return llvm::isAlnum(C) || C == '_'; }
/// The first word of Line that begins at Column (from 1) or later.
llvm::StringRef wordAt(llvm::StringRef Line, unsigned Column);
/// The last word of Line that ends before Column.
llvm::StringRef wordBefore(llvm::StringRef Line, unsigned Column);
/// Name has no lower case letter, and more than three characters: it may be a macro.
bool isAllCapitals(llvm::StringRef Name);

/// The integer type that a name like u8 or DWORD usually has; empty: none.
llvm::StringRef integerType(llvm::StringRef Name);
/// Name is an empty macro before a type: `LIBRARY_EXPORT int scale(`. Rest: the text after it.
bool standsBeforeType(llvm::StringRef Name, llvm::StringRef Rest);
/// Name, in capitals, is a number: it is never called and has no members.
bool isNumberByUse(llvm::StringRef Name, llvm::StringRef Code);
/// The type of the API that Name has by `Name = clCreateKernel(..)` and the like; empty: none, or
/// several.
std::string apiType(llvm::StringRef Name, llvm::StringRef Code, bool IsCpp);
/// The offset of Name in the definition of a member of a class template, `template <class T> void
/// Name<T>::run(`; npos: there is none. Parameters: those of the template.
size_t memberOfTemplate(llvm::StringRef Name, llvm::StringRef Code, llvm::StringRef &Parameters);
/// The namespaces around an offset: "a::b::".
std::string namespacesAround(llvm::StringRef Code, size_t Offset);
/// The macro of `class LIBRARY_EXPORT Scaler : public Filter {`; empty: none. Rest: the next line.
/// Message: the diagnostic, which may name the macro: `variable has incomplete type 'class
/// LIBRARY_EXPORT'`.
llvm::StringRef exportMacroOf(llvm::StringRef Line, llvm::StringRef Rest, llvm::StringRef Message);
/// The undefined macro in capitals in whose arguments Offset is; empty: none. Later: not in the
/// first argument.
llvm::StringRef macroAround(llvm::StringRef Code, size_t Offset, bool &Later);
/// The macros that head functions, outside of functions and classes: `BENCHMARK(scale) {`.
std::set<std::string> functionHeadMacros(llvm::StringRef Code);
/// The text opens a namespace of that name.
bool isNamespace(llvm::StringRef Name, llvm::StringRef Code);

} // namespace clmali::model
#endif
