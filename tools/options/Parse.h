//===- Parse.h - reads a command line by a table of options -----------------------------------===//
//
//   options::Parser P("clmali-lint", Known);
//   P.flag("--fix", O.Fix);
//   P.text("--output", O.Output);
//   Expected<options::Arguments> A = P.parse(Args);    // --output=FILE, --output FILE
//
// An option of one letter may be followed by its value at once: -j4. What stands behind -- is not
// read.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_OPTIONS_PARSE_H
#define CLMALI_TOOLS_OPTIONS_PARSE_H

#include "tools/options/Table.h"
#include "tools/version/Version.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <functional>
#include <limits>
#include <string>
#include <vector>

namespace clmali::options {

/// What a command line has besides options, in its order.
struct Arguments {
  std::vector<std::string> Operands; ///< "-" included
  std::vector<std::string> Behind;   ///< behind --
};

class Parser {
public:
  using Setter = std::function<llvm::Error(llvm::StringRef Value)>;

  /// Errors name \p Program.
  Parser(llvm::StringRef Program, llvm::ArrayRef<Option> Known) : Program(Program), Known(Known) {}

  /// Error with the hint to --help.
  llvm::Error usage(const llvm::Twine &Message) const {
    return llvm::createStringError(llvm::inconvertibleErrorCode(),
                                   Message + " (" + Program + " --help)");
  }

  // What an option of the table sets. Each is named once; the last value given counts.

  void flag(llvm::StringRef Name, bool &Into) {
    call(Name, [&Into](llvm::StringRef) {
      Into = true;
      return llvm::Error::success();
    });
  }
  void text(llvm::StringRef Name, std::string &Into) {
    call(Name, [&Into](llvm::StringRef Value) {
      Into = Value.str();
      return llvm::Error::success();
    });
  }
  /// May be repeated.
  void texts(llvm::StringRef Name, std::vector<std::string> &Into) {
    call(Name, [&Into](llvm::StringRef Value) {
      Into.push_back(Value.str());
      return llvm::Error::success();
    });
  }
  /// A whole number in decimal or as C writes it.
  template <typename Number>
  void number(llvm::StringRef Name, Number &Into, uint64_t Least = 0,
              uint64_t Most = std::numeric_limits<Number>::max()) {
    call(Name, [this, Name, &Into, Least, Most](llvm::StringRef Value) -> llvm::Error {
      uint64_t N = 0;
      if (Value.getAsInteger(0, N))
        return usage(Name + ": '" + Value + "' is no whole number");
      if (N < Least || N > Most)
        return usage(Name + ": " + Value + " is not from " + llvm::Twine(Least) + " to " +
                     llvm::Twine(Most));
      Into = Number(N);
      return llvm::Error::success();
    });
  }
  /// Up to 1e6 of them.
  void seconds(llvm::StringRef Name, double &Into) {
    call(Name, [this, Name, &Into](llvm::StringRef Value) -> llvm::Error {
      constexpr double Most = 1e6;
      double N = 0;
      if (!llvm::to_float(Value, N) || !(N >= 0 && N <= Most))
        return usage(Name + ": '" + Value + "' is no number of seconds");
      Into = N;
      return llvm::Error::success();
    });
  }
  /// One of the words that the table lists as Values.
  void word(llvm::StringRef Name, std::string &Into) {
    call(Name, [this, Name, &Into](llvm::StringRef Value) -> llvm::Error {
      llvm::SmallVector<llvm::StringRef, 8> Words;
      find(Known, Name)->Values.split(Words, ' ');
      if (!llvm::is_contained(Words, Value))
        return usage(Name + ": '" + Value + "'; " +
                     (Words.size() > 1 ? "one of " + llvm::join(Words, ", ")
                                       : "there is only " + Name.str() + "=" + Words[0].str()));
      Into = Value.str();
      return llvm::Error::success();
    });
  }
  /// Any other option; a flag is called with an empty value.
  void call(llvm::StringRef Name, Setter Set) { Setters[Name] = std::move(Set); }
  /// For scripts and tests: in no table.
  void hidden(llvm::StringRef Name, bool &Into) { Hidden[Name] = &Into; }
  /// Name alone is Name=\p Value, unless \p IsValue says that the next argument is its value.
  void optional(llvm::StringRef Name, llvm::StringRef Value,
                std::function<bool(llvm::StringRef)> IsValue) {
    Optional[Name] = {Value.str(), std::move(IsValue)};
  }

  llvm::Expected<Arguments> parse(llvm::ArrayRef<const char *> Args) const {
    Arguments Result;
    for (; !Args.empty(); Args = Args.drop_front()) {
      llvm::StringRef Arg = Args.front();
      if (Arg == "--") {
        Result.Behind.assign(Args.begin() + 1, Args.end());
        break;
      }
      if (!Arg.starts_with("-") || Arg == "-")
        Result.Operands.push_back(Arg.str());
      else if (llvm::Error E = option(Args))
        return std::move(E);
    }
    return Result;
  }

private:
  struct Default {
    std::string Value;
    std::function<bool(llvm::StringRef)> IsValue;
  };

  /// Reads Args.front(), and leaves the last argument that belongs to it in front.
  llvm::Error option(llvm::ArrayRef<const char *> &Args) const {
    llvm::StringRef Arg = Args.front();
    if (auto H = Hidden.find(Arg); H != Hidden.end()) {
      *H->second = true;
      return llvm::Error::success();
    }
    auto [Name, Value] = Arg.split('=');
    bool HasValue = Arg.contains('=');
    const Option *Info = find(Known, Name);
    if (const Option *Short = find(Known, Arg.take_front(2)); !Info && !HasValue && Short) {
      Info = Short;
      Name = Arg.take_front(2);
      Value = Arg.drop_front(2);
      HasValue = true;
    }
    if (!Info) {
      llvm::StringRef Best = nearest(Known, Name);
      return usage("unknown option '" + Name + "'" +
                   (Best.empty() ? llvm::Twine() : "; did you mean '" + Best + "'?"));
    }
    bool IsFlag = Info->Argument.empty();
    if (IsFlag && HasValue)
      return usage("the option '" + Name + "' takes no value");
    if (!IsFlag && !HasValue) {
      auto O = Optional.find(Name);
      bool MayBeAlone = O != Optional.end();
      if (Args.size() > 1 && (!MayBeAlone || O->second.IsValue(Args[1]))) {
        Args = Args.drop_front();
        Value = Args.front();
      } else if (MayBeAlone) {
        Value = O->second.Value;
      }
    }
    // Also `--output=`, which would else be ignored silently.
    if (!IsFlag && Value.empty())
      return usage("the option '" + Name + "' needs a value (" + Info->Argument + ")");
    return Setters.find(Info->Name)->second(Value);
  }

  llvm::StringRef Program;
  llvm::ArrayRef<Option> Known;
  llvm::StringMap<Setter> Setters;
  llvm::StringMap<bool *> Hidden;
  llvm::StringMap<Default> Optional;
};

/// --help, --version and the hidden --print-options, which tools/docs reads.
struct Printed {
  bool Help = false, Version = false, Options = false;

  void bind(Parser &P) {
    P.flag("--help", Help);
    P.flag("--version", Version);
    P.hidden("--print-options", Options);
  }
  /// Prints what is asked for. False: nothing is.
  bool print(const Program &P) const {
    if (Help)
      printHelp(llvm::outs(), P);
    else if (Version)
      printVersion(P.Name);
    else if (Options)
      printJson(llvm::outs(), P);
    return Help || Version || Options;
  }
};

} // namespace clmali::options

#endif
