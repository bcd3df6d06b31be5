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
#include "llvm/Support/FormatVariadic.h"
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
  /// Completes the help of an option by what is known at run time only; null: it is complete.
  std::string (*Complete)(llvm::StringRef Help) = nullptr;

  std::string help(const Option &O) const { return Complete ? Complete(O.Help) : O.Help.str(); }
};

/// Prints Text behind Column characters of its line, in lines of 80; further ones are indented to
/// Column.
inline void printWrapped(llvm::raw_ostream &Out, llvm::StringRef Text, unsigned Column) {
  constexpr unsigned Width = 80;
  unsigned At = Column;
  while (!Text.empty()) {
    auto [Line, Rest] = Text.split('\n');
    while (!Line.empty()) {
      auto [Word, Others] = Line.split(' ');
      if (At > Column && At + 1 + Word.size() > Width) {
        Out << "\n";
        Out.indent(Column);
        At = Column;
      }
      Out << (At > Column ? " " : "") << Word;
      At += (At > Column) + Word.size();
      Line = Others;
    }
    if (!Rest.empty()) {
      Out << "\n";
      Out.indent(Column);
      At = Column;
    }
    Text = Rest;
  }
  Out << "\n";
}

/// One option of --help.
inline void printOption(llvm::raw_ostream &Out, llvm::StringRef Name, llvm::StringRef Argument,
                        llvm::StringRef Help) {
  constexpr unsigned Column = 26;
  std::string Left = "  " + Name.str();
  if (!Argument.empty())
    Left += (Name.starts_with("--") ? "=" : " ") + Argument.str();
  Out << Left;
  if (Left.size() + 2 > Column)
    Out << "\n";
  Out.indent(Left.size() + 2 > Column ? Column : Column - Left.size());
  printWrapped(Out, Help, Column);
}

inline void printHelp(llvm::raw_ostream &Out, const Program &P) {
  printWrapped(Out, (P.Name + ": " + P.Summary).str(), 0);
  Out << "\nusage: " << P.Name << " [options] " << P.Usage << "\n";
  if (!P.Description.empty()) {
    Out << "\n";
    printWrapped(Out, P.Description, 0);
  }
  Out << "\n";
  for (const Option &O : P.Options)
    printOption(Out, O.Name, O.Argument, P.help(O));
  std::string Codes = "exit codes: ";
  for (const auto &[Code, Meaning] : P.ExitCodes)
    Codes += (Codes.size() > 12 ? ", " : "") + std::to_string(Code) + " " + Meaning.str();
  Out << "\n";
  printWrapped(Out, Codes, 0);
}

inline llvm::json::Object toJson(const Program &P) {
  llvm::json::Array Options, Codes;
  for (const Option &O : P.Options)
    Options.push_back(llvm::json::Object{
        {"name", O.Name}, {"argument", O.Argument}, {"help", P.help(O)}, {"values", O.Values}});
  for (const auto &[Code, Meaning] : P.ExitCodes)
    Codes.push_back(llvm::json::Object{{"code", Code}, {"meaning", Meaning}});
  return llvm::json::Object{{"name", P.Name},
                            {"summary", P.Summary},
                            {"usage", P.Usage},
                            {"description", P.Description},
                            {"options", std::move(Options)},
                            {"exitCodes", std::move(Codes)}};
}

inline void printJson(llvm::raw_ostream &Out, const Program &P) {
  Out << llvm::formatv("{0:2}", llvm::json::Value(toJson(P))) << "\n";
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
