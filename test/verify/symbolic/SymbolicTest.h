// Short forms of requests, for the tests of the symbolic rung.
#ifndef CLMALI_TEST_VERIFY_SYMBOLIC_SYMBOLICTEST_H
#define CLMALI_TEST_VERIFY_SYMBOLIC_SYMBOLICTEST_H

#include "rewriters/verify/symbolic/Symbolic.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <iostream>

namespace clmali::verify::test {

inline SymbolicArgument buffer(const char *Name, uint64_t Count) {
  SymbolicArgument A;
  A.Name = Name;
  A.K = SymbolicArgument::Kind::Buffer;
  A.Count = Count;
  return A;
}

inline SymbolicArgument scalar(const char *Name, int64_t Value) {
  SymbolicArgument A;
  A.Name = Name;
  A.Values = {Value};
  return A;
}

inline SymbolicArgument freeScalar(const char *Name) {
  SymbolicArgument A;
  A.Name = Name;
  return A;
}

inline SymbolicArgument local(const char *Name, uint64_t Bytes) {
  SymbolicArgument A;
  A.Name = Name;
  A.K = SymbolicArgument::Kind::Local;
  A.LocalBytes = Bytes;
  return A;
}

inline SymbolicArgument image(const char *Name, const char *Format,
                              std::array<uint64_t, 3> Extents) {
  SymbolicArgument A;
  A.Name = Name;
  A.K = SymbolicArgument::Kind::Image;
  A.Format = Format;
  A.Extents = Extents;
  A.Count = Extents[0] * Extents[1] * Extents[2];
  return A;
}

inline SymbolicArgument sampler(const char *Name, launch::SamplerSpec Is) {
  SymbolicArgument A;
  A.Name = Name;
  A.K = SymbolicArgument::Kind::Sampler;
  A.Sampler = Is;
  return A;
}

inline launch::Geometry shape(std::array<uint64_t, 3> Global,
                              std::array<uint64_t, 3> Local = {0, 0, 0},
                              std::array<uint64_t, 3> Offset = {0, 0, 0}) {
  launch::Geometry G;
  G.Dimensions = Global[2] > 1 ? 3 : Global[1] > 1 ? 2 : 1;
  G.Global = Global;
  G.Local = Local;
  G.Offset = Offset;
  return G;
}

/// Two programs, their arguments and their launches.
struct Pair {
  std::string Original, Rewritten;
  std::vector<SymbolicArgument> Args;
  SymbolicLaunch From;
  std::vector<SymbolicLaunch> To;
  std::string Options;
  unsigned AddressBits = 64;
  SymbolicLimits Limits;

  SymbolicResult prove() const {
    SymbolicRequest R;
    R.Original.Source = Original;
    R.Rewritten.Source = Rewritten;
    R.Original.Options = R.Rewritten.Options = Options;
    R.Args = Args;
    R.OriginalLaunch = From;
    R.RewrittenLaunches = To;
    R.AddressBits = AddressBits;
    R.Limits = Limits;
    SymbolicResult Result = proveEquivalent(R);
    std::cout << "  " << toString(Result.Outcome).str() << ": " << Result.Detail << " ["
              << Result.Instructions << " instructions, " << Result.Seconds << " s]\n";
    for (const std::string &A : Result.Assumptions)
      std::cout << "    assumes: " << A << "\n";
    return Result;
  }
};

} // namespace clmali::verify::test

#endif
