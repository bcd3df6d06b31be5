//===- Table.h - options as data --------------------------------------------------------------===//
//
// Each program has one table of its options. --help, the suggestion for a misspelt option, and
// (through the hidden --print-options) the manual page and shell completions are generated from it.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_OPTIONS_TABLE_H
#define CLMALI_TOOLS_OPTIONS_TABLE_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace clmali::options {

struct Option {
  llvm::StringLiteral Name;     ///< "--device", "-p"
  llvm::StringLiteral Argument; ///< placeholder shown by --help; empty: a flag
  llvm::StringLiteral Help;
  /// What a shell may complete: words separated by spaces, or @file, @folder, @device, @rule.
  llvm::StringLiteral Values = "";
};

struct Program {
  llvm::StringRef Name, Summary, Usage; ///< Usage: what follows the options
  llvm::ArrayRef<Option> Options;
  llvm::StringRef Description; ///< paragraphs
  llvm::ArrayRef<std::pair<int, llvm::StringLiteral>> ExitCodes;
};

inline void printHelp(llvm::raw_ostream &Out, const Program &P) {
  Out << P.Name << ": " << P.Summary << "\n\nusage: " << P.Name << " [options] " << P.Usage << "\n";
  if (!P.Description.empty())
    Out << P.Description << "\n";
  Out << "\n";
  for (const Option &O : P.Options) {
    std::string Left = O.Name.str();
    if (!O.Argument.empty())
      Left += (O.Name.starts_with("--") ? "=" : " ") + O.Argument.str();
    Out << "  " << llvm::left_justify(Left, 26) << (Left.size() >= 26 ? " " : "") << O.Help << "\n";
  }
  Out << "\nexit codes:";
  const char *Separator = " ";
  for (const auto &[Code, Meaning] : P.ExitCodes) {
    Out << Separator << Code << " " << Meaning;
    Separator = ", ";
  }
  Out << "\n";
}

inline llvm::json::Object toJson(const Program &P) {
  llvm::json::Array Options, Codes;
  for (const Option &O : P.Options)
    Options.push_back(llvm::json::Object{
        {"name", O.Name}, {"argument", O.Argument}, {"help", O.Help}, {"values", O.Values}});
  for (const auto &[Code, Meaning] : P.ExitCodes)
    Codes.push_back(llvm::json::Object{{"code", Code}, {"meaning", Meaning}});
  return llvm::json::Object{{"name", P.Name},
                            {"summary", P.Summary},
                            {"usage", P.Usage},
                            {"description", P.Description},
                            {"options", std::move(Options)},
                            {"exitCodes", std::move(Codes)}};
}

/// The option whose name is \p Name, or null.
inline const Option *find(llvm::ArrayRef<Option> Options, llvm::StringRef Name) {
  for (const Option &O : Options)
    if (O.Name == Name)
      return &O;
  return nullptr;
}

/// The known name nearest to a misspelt one, or empty.
inline llvm::StringRef nearest(llvm::ArrayRef<Option> Options, llvm::StringRef Name) {
  llvm::StringRef Best;
  unsigned Least = 4;
  for (const Option &O : Options)
    if (unsigned D = Name.edit_distance(O.Name, true, Least); D < Least) {
      Least = D;
      Best = O.Name;
    }
  return Best;
}

} // namespace clmali::options

#endif
