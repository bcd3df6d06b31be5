//===- Contract.cpp - launches of a rewrite as a comment in the source ------------------------===//

#include "tools/clangd/Contract.h"

using namespace llvm;
using namespace clmali;

/// The end of the rewriter's line about the launch.
static constexpr StringLiteral SeeManifest = "; see the manifest for the remainder.";

static std::string list(ArrayRef<launch::Expression> Sizes) {
  std::string S;
  for (const launch::Expression &E : Sizes)
    S += (S.empty() ? "" : ", ") + E.text();
  return "(" + S + ")";
}

static std::string contract(const launch::ManifestKernel &Kernel) {
  const launch::ManifestKernel M = launch::withRequireInWhen(Kernel);
  std::string S =
      "// The host launches, in place of one launch of " + M.Original +
      " (global size gx, gy, gz; local size lx, ly,\n"
      "// lz, 0 for NULL; offset ox, oy, oz), in this order, each where its condition holds:\n";
  for (const launch::ManifestLaunch &L : M.Launches) {
    S += "//   " + L.Kernel + ": global " + list(L.Global);
    S += L.Local ? ", local " + list(*L.Local) : ", local NULL";
    if (!L.Offset.empty())
      S += ", offset " + list(L.Offset);
    for (const auto &[Argument, Bytes] : L.LocalBytes)
      S += ", " + Bytes.text() + " bytes for " + Argument;
    if (L.When.text() != "1")
      S += "\n//     if " + L.When.text();
    S += "\n";
  }
  for (const launch::Obligation &O : M.Obligations)
    S += "// " + launch::toString(O.State).str() + ": " + O.Text + "\n";
  return S;
}

std::string editor::withContract(StringRef Text, const launch::ManifestKernel &M) {
  // Match up to the end of the line: "scale" is a prefix of "scale_rows".
  std::string Mark = "// clmali: rewritten from " + M.Original;
  size_t At = 0;
  do {
    At = Text.find(Mark, At);
    if (At == StringRef::npos)
      return Text.str();
    At += Mark.size();
  } while (At < Text.size() && Text[At] != '\n' && Text[At] != '\r');
  // After the comment, whose "see the manifest" refers to a file that an editor does not write.
  size_t Line = Text.find('\n', At);
  size_t Start = Line;
  bool Returns = At < Text.size() && Text[At] == '\r';
  while (Line != StringRef::npos && Text.drop_front(Line + 1).starts_with("//"))
    Line = Text.find('\n', Line + 1);
  if (Line == StringRef::npos)
    return Text.str();
  std::string More;
  for (char C : contract(M))
    More += (C == '\n' && Returns ? "\r" : "") + std::string(1, C);
  std::string Before = Text.take_front(Line + 1).str();
  if (size_t See = Before.find(SeeManifest, Start); See != std::string::npos)
    Before.replace(See, SeeManifest.size(), "; the remainder is below.");
  return Before + More + Text.drop_front(Line + 1).str();
}
