//===- Identity.cpp - When two sources are one program ----------------------------------------===//

#include "tools/layer/text/Identity.h"
#include <algorithm>
#include <cctype>
#include <map>

namespace clmali::layer {

static bool isWord(char C) { return std::isalnum(static_cast<unsigned char>(C)) || C == '_'; }

/// Where the UUID of Word, an identifier or a number, begins; its length: it has none.
static size_t uuidOf(std::string_view Word) {
  constexpr size_t Digits = 32;
  if (Word.size() < Digits + 1 || std::isdigit(static_cast<unsigned char>(Word[0])))
    return Word.size();
  const std::string_view Last = Word.substr(Word.size() - Digits);
  const bool Is = Word[Word.size() - Digits - 1] == '_' &&
                  std::all_of(Last.begin(), Last.end(),
                              [](unsigned char C) { return std::isxdigit(C) && !std::isupper(C); });
  return Is ? Word.size() - Digits : Word.size();
}

std::string withoutRandomNames(std::string_view Source) {
  std::map<std::string_view, size_t> Known;
  std::string Text;
  for (size_t At = 0; At < Source.size();) {
    size_t End = At;
    while (End < Source.size() && isWord(Source[End]))
      ++End;
    if (End == At) {
      Text += Source[At++];
      continue;
    }
    // The digits of 0.25 behind its point are no identifier.
    const std::string_view Word = Source.substr(At, End - At);
    const size_t Uuid = uuidOf(Word);
    Text += Word.substr(0, Uuid);
    if (Uuid < Word.size())
      Text += "#" + std::to_string(Known.emplace(Word.substr(Uuid), Known.size()).first->second);
    At = End;
  }
  return Text;
}

} // namespace clmali::layer
