//===- Options.cpp
//-----------------------------------------------------------------------------===//

#include "tools/layer/Options.h"
#include <algorithm>

namespace clmali::layer {

/// Words of build options; quotes keep a word together.
static std::vector<std::string> words(const std::string &Options) {
  std::vector<std::string> All;
  std::string Word;
  char Quote = 0;
  bool Any = false;
  for (char C : Options) {
    if (Quote ? C == Quote : C == '"' || C == '\'') {
      Quote = Quote ? 0 : C;
      Any = true;
    } else if (!Quote && (C == ' ' || C == '\t' || C == '\n' || C == '\r')) {
      if (Any)
        All.push_back(std::move(Word));
      Word.clear();
      Any = false;
    } else if (C != 0) {
      Word += C;
      Any = true;
    }
  }
  if (Any)
    All.push_back(std::move(Word));
  return All;
}

std::vector<std::string> normalizedOptions(const std::string &Options) {
  std::vector<std::string> Result;
  std::vector<std::string> All = words(Options);
  for (size_t I = 0; I < All.size(); ++I) {
    std::string Word = All[I];
    if ((Word == "-D" || Word == "-I") && I + 1 < All.size())
      Word += All[++I];
    if (Word == InfoOption || Word.starts_with("-I"))
      continue;
    if (Word.starts_with("-D") && Word.find('=') == std::string::npos)
      Word += "=1";
    Result.push_back(std::move(Word));
  }
  std::sort(Result.begin(), Result.end());
  Result.erase(std::unique(Result.begin(), Result.end()), Result.end());
  return Result;
}

std::vector<std::string> includeFolders(const std::string &Options) {
  std::vector<std::string> Result, All = words(Options);
  for (size_t I = 0; I < All.size(); ++I)
    if (All[I] == "-I" && I + 1 < All.size())
      Result.push_back(All[++I]);
    else if (All[I].starts_with("-I"))
      Result.push_back(All[I].substr(2));
  return Result;
}

} // namespace clmali::layer
