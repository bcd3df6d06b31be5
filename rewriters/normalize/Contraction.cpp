//===-- rewriters/normalize/Contraction.cpp - Where x * y + z may fuse --------------===//

#include "rewriters/normalize/Contraction.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace clmali::rewrite {

using namespace model;

namespace {

struct Pragma {
  llvm::StringRef Says; ///< "OFF"
  bool Outside = false; ///< of every function
  bool First = false;   ///< no function precedes it
  SourceRange Range;
};

/// The pragmas of one file, up to End, outside comments and strings.
void findPragmas(llvm::StringRef Text, uint32_t File, size_t End, std::vector<Pragma> &Out) {
  unsigned Depth = 0;
  bool Functions = false;
  for (size_t I = 0; I < std::min(End, Text.size()); ++I) {
    llvm::StringRef Rest = Text.substr(I);
    char C = Text[I];
    if (Rest.starts_with("//")) {
      I += std::min(Rest.find('\n'), Rest.size()) - 1;
    } else if (Rest.starts_with("/*")) {
      I = std::min(Text.find("*/", I + 2), Text.size() - 2) + 1;
    } else if (C == '"' || C == '\'') {
      for (++I; I < Text.size() && Text[I] != C && Text[I] != '\n'; ++I)
        if (Text[I] == '\\')
          ++I;
    } else if (C == '{') {
      ++Depth;
      Functions = true;
    } else if (C == '}' && Depth) {
      --Depth;
    } else if (C == '#' || Rest.starts_with("_Pragma")) {
      // To the end of the line, which a backslash may continue.
      size_t Stop = I;
      do
        Stop = std::min(Text.find('\n', Stop + 1), Text.size());
      while (Stop < Text.size() && Text.take_front(Stop).rtrim('\r').ends_with("\\"));
      llvm::StringRef Line = Text.slice(I, Stop);
      bool Contract = Line.contains("FP_CONTRACT") ||
                      (Line.contains("clang") && Line.contains("fp") && Line.contains("contract"));
      if (Line.contains(C == '#' ? "pragma" : "_Pragma") && Contract)
        Out.push_back({Line.contains("OFF") || Line.contains("off") ? "OFF"
                       : Line.contains("fast")                      ? "FAST"
                                                                    : "ON",
                       Depth == 0 && C == '#' && Line.drop_front().ltrim().starts_with("pragma"),
                       !Functions,
                       {File, uint32_t(I), uint32_t(Stop)}});
      if (C == '#')
        I = Stop - 1;
    }
  }
}

} // namespace

std::optional<SourceRange> contractionSwitch(const Module &M, const Kernel &K) {
  std::vector<Pragma> Found;
  for (uint32_t F = 0; F < M.Files.size(); ++F)
    findPragmas(M.Files[F].Text, F,
                F == K.Range.File && K.Range.isValid() ? K.Range.End : M.Files[F].Text.size(),
                Found);
  // Without a pragma the setting is ON.
  if (llvm::all_of(Found, [](const Pragma &P) { return P.Says == "ON"; }))
    return std::nullopt;
  for (const Pragma &P : Found)
    if (!P.Outside || P.Says != Found.front().Says || (!Found.front().First && !K.Helpers.empty()))
      return P.Range;
  return std::nullopt;
}

} // namespace clmali::rewrite
