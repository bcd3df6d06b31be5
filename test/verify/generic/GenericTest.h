// Short forms of requests, for the tests of the rung "generic".
#ifndef CLMALI_TEST_VERIFY_GENERIC_GENERICTEST_H
#define CLMALI_TEST_VERIFY_GENERIC_GENERICTEST_H

#include "rewriters/verify/generic/Generic.h"
#include "rewriters/verify/symbolic/Symbolic.h"

#include <gtest/gtest.h>

#include <iostream>

namespace clmali::verify::test {

inline std::string everywhere(std::string Text, const std::string &From, const std::string &To) {
  for (size_t At = 0; (At = Text.find(From, At)) != std::string::npos; At += To.size())
    Text.replace(At, From.size(), To);
  return Text;
}

/// Launches of kernel k_v of which each work-item does N x Rows of those of k, whole blocks first.
inline std::string blocksOf(unsigned N, unsigned Rows = 1) {
  std::string All = R"json(
{"kernel": "k_v", "when": "WHEN", "global": ["gx / COLS", "gy / ROWS"], "local": null,
 "offset": ["ox / COLS", "oy / ROWS"]},
{"kernel": "k", "when": "WHEN && gx % COLS != 0", "global": ["gx % COLS", "gy"], "local": null,
 "offset": ["ox + gx - gx % COLS", "oy"]},
{"kernel": "k", "when": "WHEN && gy % ROWS != 0", "global": ["gx - gx % COLS", "gy % ROWS"],
 "local": null, "offset": ["ox", "oy + gy - gy % ROWS"]},
{"kernel": "k", "when": "(WHEN) == 0", "global": ["gx", "gy", "gz"],
 "local": ["lx", "max(ly, min(lx, 1))", "max(lz, min(lx, 1))"], "offset": ["ox", "oy", "oz"]})json";
  All = everywhere(All, "WHEN",
                   "gx + ox < 2147483648 && gy + oy < 2147483648 && gx >= COLS && gy >= ROWS && "
                   "ox % COLS == 0 && oy % ROWS == 0 && gz == 1");
  return everywhere(everywhere(All, "COLS", std::to_string(N)), "ROWS", std::to_string(Rows));
}

/// A kernel k, and its rewritten form k_v.
struct Case {
  std::string Original, Rewritten;
  std::string Args;             ///< of the launch file, one line each
  std::string Global = "\"n\""; ///< of the launch file
  std::string Sizes = "{ n: 100 }";
  std::string More;                   ///< lines of the launch file
  std::string Launches = blocksOf(4); ///< of the manifest
  std::string Options;
  double Seconds = 10;

  GenericProof prove() const {
    const std::string Yaml = "kernel: k\n" +
                             (Options.empty() ? "" : "options: \"" + Options + "\"\n") + "args:\n" +
                             Args + "global: [ " + Global + " ]\nsizes: [ " + Sizes + " ]\n" + More;
    const std::string Json =
        R"json({"version": 1, "kernels": [{"original": "k", "launches": [)json" + Launches +
        R"json(], "require": [], "obligations": [], "options": "", "defines": {},
               "source": "sha256:0", "tool": "", "passes": []}]})json";
    llvm::Expected<launch::LaunchFile> File = launch::parseLaunchFile(Yaml, "k.launch.yaml");
    llvm::Expected<launch::Manifest> Manifest = launch::parseManifest(Json, "k.json");
    if (!File || !Manifest) {
      ADD_FAILURE() << (File ? "" : llvm::toString(File.takeError()))
                    << (Manifest ? "" : llvm::toString(Manifest.takeError()));
      llvm::consumeError(File.takeError());
      llvm::consumeError(Manifest.takeError());
      return {};
    }
    SymbolicProgram From, To;
    From.Source = Original;
    // The rewritten program holds the original, for the remainders.
    To.Source = Original + "\n" + Rewritten;
    From.Options = To.Options = Options;
    GenericRequest R{From, To, *File, Manifest->Kernels.front(), Seconds, 64, {}};
    GenericProof P = proveForEverySize(R);
    std::cout << "  " << toString(P.Result).str() << " " << toString(P.Why).str() << ": "
              << P.Detail << " [" << P.Seconds << " s]\n";
    return P;
  }
};

inline void expectProved(const Case &C) { EXPECT_TRUE(C.prove().proved()); }

/// Not proved, for one of \p Reasons.
inline void expectReason(const Case &C, std::initializer_list<GenericProof::Reason> Reasons) {
  GenericProof P = C.prove();
  EXPECT_FALSE(P.proved());
  bool Known = false;
  for (GenericProof::Reason R : Reasons)
    Known |= P.Why == R;
  EXPECT_TRUE(Known) << toString(P.Why).str();
}

inline std::string replaced(std::string Text, const std::string &From, const std::string &To) {
  size_t At = Text.find(From);
  EXPECT_NE(At, std::string::npos) << From;
  return At == std::string::npos ? Text : Text.replace(At, From.size(), To);
}

} // namespace clmali::verify::test

#endif
