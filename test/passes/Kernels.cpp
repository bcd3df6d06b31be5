//===-- test/passes/Kernels.cpp --------------------------------------------===//

#include "Kernels.h"

namespace clmali::testing {

using namespace model;

Source parse(llvm::StringRef Text, std::vector<std::string> Args) {
  Source S;
  ParseOptions O;
  O.ClangArgs = std::move(Args);
  S.Parsed = parseOpenCL("test.cl", Text, O);
  for (const ParseDiagnostic &D : S.Parsed.Diagnostics)
    if (D.IsError)
      ADD_FAILURE() << D.Line << ": " << D.Message;
  if (!S.Parsed.M || S.Parsed.M->Kernels.empty()) {
    ADD_FAILURE() << "no kernel";
    return S;
  }
  S.New = S.Parsed.M->Kernels[0].get();
  splitLiveRanges(*S.Parsed.M, *S.New);
  S.Old = rewrite::cloneKernel(*S.Parsed.M, *S.New, S.New->Name);
  return S;
}

Both expectSame(const Source &S, const Launch &L) { return expectSame(S, L, L); }

Both expectSame(const Source &S, const Launch &L, const Launch &OfNew, bool IsBlock) {
  Both R{run(*S.Old, L), run(*S.New, OfNew)};
  EXPECT_EQ(R.Old.Unknown, "");
  EXPECT_EQ(R.Old.Wrong, "");
  EXPECT_EQ(R.New.Unknown, "");
  EXPECT_EQ(R.New.Wrong, "") << S.text();
  for (auto &[Name, Bytes] : R.Old.Buffers)
    EXPECT_TRUE(Bytes == R.New.Buffers[Name]) << Name << " differs\n" << S.text();
  std::set<std::pair<std::string, uint64_t>> Accessed = R.Old.Reads;
  if (IsBlock)
    Accessed.insert(R.Old.Writes.begin(), R.Old.Writes.end());
  auto Between = [&](const std::pair<std::string, uint64_t> &Read) {
    auto After = Accessed.lower_bound(Read);
    return Accessed.contains(Read) ||
           (After != Accessed.begin() && After != Accessed.end() && After->first == Read.first &&
            std::prev(After)->first == Read.first);
  };
  for (auto &Read : R.New.Reads)
    if (!R.Old.Reads.contains(Read) && !(IsBlock && Between(Read))) {
      ADD_FAILURE() << "byte " << Read.second << " of " << Read.first << " is read\n" << S.text();
      break;
    }
  // Lane 0's value of a sum stands for all lanes, also where only others use it.
  if (!R.Old.Overflowed && !IsBlock) {
    EXPECT_FALSE(R.New.Overflowed) << S.text();
  }
  return R;
}

} // namespace clmali::testing
