// The parts of the layer that need no device: expressions, JSON, hashes, build options, private
// files; and the expressions that are found for recorded numbers.
#include "rewriters/launch/Expression.h"
#include "tools/layer/Files.h"
#include "tools/layer/Formula.h"
#include "tools/layer/Options.h"
#include "tools/layer/text/Identity.h"
#include "tools/layer/text/Json.h"
#include "tools/layer/text/Sha256.h"
#include "tools/record/Fit.h"

#include "gtest/gtest.h"

#include <filesystem>
#include <sys/stat.h>
#include <unistd.h>

using namespace clmali;
using namespace clmali::layer;

namespace {

TEST(Sha256, KnownTexts) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  // Lengths around the end of a block.
  EXPECT_EQ(sha256(std::string(55, 'a')),
            "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(sha256(std::string(56, 'a')),
            "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(sha256(std::string(64, 'a')),
            "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

TEST(Identity, SourcesThatDifferInRandomNames) {
  const std::string A = "0123456789abcdef0123456789abcdef", B = "fedcba9876543210fedcba9876543210";
  auto Same = [](const std::string &X, const std::string &Y) {
    return withoutRandomNames(X) == withoutRandomNames(Y);
  };
  EXPECT_TRUE(
      Same("__constant int no_cache_" + A + " = 0;", "__constant int no_cache_" + B + " = 0;"));
  EXPECT_TRUE(Same("int f_" + A + "; int g_" + B + ";", "int f_" + B + "; int g_" + A + ";"));
  // Another order, a number, another length, no underscore, capitals, another name.
  EXPECT_FALSE(Same("int f_" + A + ", f_" + B + ", f_" + A + ";",
                    "int f_" + A + ", f_" + B + ", f_" + B + ";"));
  EXPECT_FALSE(Same("float x = 0.1_" + A + ";", "float x = 0.1_" + B + ";"));
  EXPECT_FALSE(Same("float x = 0.12345678901234567890123456789012;",
                    "float x = 0.12345678901234567890123456789013;"));
  EXPECT_FALSE(Same("int f_" + A.substr(1) + ";", "int f_" + B.substr(1) + ";"));
  EXPECT_FALSE(Same("int f" + A + ";", "int f" + B + ";"));
  EXPECT_FALSE(
      Same("int f_0123456789ABCDEF0123456789ABCDEF;", "int f_0123456789ABCDEF0123456789ABCDE0;"));
  EXPECT_FALSE(Same("int f_" + A + ";", "int g_" + A + ";"));
}

TEST(Json, ReadsAndRefuses) {
  auto J = parseJson(R"j({"a": [1, -2.5, true, null, "x\u00e9\n\ud83d\ude00"], "b": {"c": "d"}})j");
  ASSERT_TRUE(J);
  EXPECT_EQ((*J)["a"].Array.size(), 5u);
  EXPECT_EQ((*J)["a"].Array[0].Integer, 1);
  EXPECT_EQ((*J)["a"].Array[1].Number, -2.5);
  EXPECT_EQ((*J)["a"].Array[4].String, "x\xc3\xa9\n\xf0\x9f\x98\x80");
  EXPECT_EQ((*J)["b"]["c"].String, "d");
  EXPECT_EQ((*J)["none"]["deeper"].String, "");
  for (const char *Bad :
       {"", "{", "[1,]", "{\"a\" 1}", "\"x", "tru", "1 2", "{\"a\":1,}", "\"\\q\"", "\"\\ud800\""})
    EXPECT_FALSE(parseJson(Bad)) << Bad;
  EXPECT_FALSE(parseJson(std::string(10000, '['))); // no deep recursion
  EXPECT_EQ(parseJson(quoted("a\"\\\n\tb"))->String, "a\"\\\n\tb");
}

/// The layer and the judge must read the same language.
TEST(Formula, AgreesWithLaunchExpressions) {
  const std::vector<std::string> Names{"gx", "n", "step"};
  auto slotOf = [&](const std::string &Name) -> int {
    auto It = std::find(Names.begin(), Names.end(), Name);
    return It == Names.end() ? -1 : It - Names.begin();
  };
  const char *Texts[] = {"gx / 4",           "gx % 4 != 0 && n > 3",      "(n + 15) / 16 * 16",
                         "roundup(n, step)", "min(gx, n) - max(step, 3)", "-n / 2",
                         "n - -step",        "n == 0 || gx / n > 2",      "n > 0 && gx % n == 0",
                         "0x10 + 010",       "1 + 2 * 3 < 4 == 0",        "9223372036854775807 + n",
                         "gx / (n - n)",     "roundup(gx, n - 5)",        "+n"};
  for (const char *Text : Texts) {
    std::optional<Formula> F = Formula::parse(Text, slotOf);
    llvm::Expected<launch::Expression> E = launch::Expression::parse(Text);
    ASSERT_TRUE(F && E) << Text;
    for (int64_t G : {0, 1, 7, 64})
      for (int64_t N : {-3, 0, 1, 5, 100})
        for (int64_t S : {1, 4}) {
          std::optional<int64_t> A = F->evaluate({G, N, S});
          llvm::Expected<int64_t> B = E->evaluate({{"gx", G}, {"n", N}, {"step", S}});
          EXPECT_EQ(A.has_value(), bool(B)) << Text << " " << G << " " << N << " " << S;
          if (A && B)
            EXPECT_EQ(*A, *B) << Text;
          llvm::consumeError(B.takeError());
        }
  }
  for (const char *Bad : {"", "1 +", "other", "(1", "f(1, 2)", "1 2", "12x", "min(1)"}) {
    EXPECT_FALSE(Formula::parse(Bad, slotOf)) << Bad;
    llvm::Expected<launch::Expression> E = launch::Expression::parse(Bad);
    EXPECT_TRUE(!E || std::string(Bad) == "other") << Bad;
    llvm::consumeError(E.takeError());
  }
}

TEST(Options, OneForm) {
  auto same = [](const char *A, const char *B) {
    return normalizedOptions(A) == normalizedOptions(B);
  };
  EXPECT_TRUE(same("-D A -DB=2 -cl-mad-enable", " -cl-mad-enable -D B=2  -DA=1 "));
  EXPECT_TRUE(same("-DA -I folder", "-DA -cl-kernel-arg-info"));
  EXPECT_TRUE(same("-D \"A=1 2\"", "-DA='1 2'"));
  EXPECT_FALSE(same("-DA", "-DA=2"));
  EXPECT_FALSE(same("-DA", "-DA="));
  EXPECT_FALSE(same("-DA", "-DA -cl-fast-relaxed-math"));
  EXPECT_EQ(includeFolders("-I a -Ib \"-Ic d\""), (std::vector<std::string>{"a", "b", "c d"}));
}

TEST(Files, ArePrivateAndSafe) {
  std::string Folder = ::testing::TempDir() + "clmali-layer-" + std::to_string(getpid());
  ASSERT_TRUE(makeFolder(Folder + "/inner"));
  ASSERT_TRUE(writeFile(Folder + "/inner/a", "text"));
  struct stat S;
  ASSERT_EQ(stat((Folder + "/inner/a").c_str(), &S), 0);
  EXPECT_EQ(S.st_mode & 0777, 0600u);
  ASSERT_EQ(stat(Folder.c_str(), &S), 0);
  EXPECT_EQ(S.st_mode & 0777, 0700u);
  std::string Why;
  EXPECT_EQ(readSafely(Folder + "/inner/a", Why), "text");
  chmod((Folder + "/inner/a").c_str(), 0622);
  EXPECT_FALSE(readSafely(Folder + "/inner/a", Why));
  EXPECT_EQ(Why, "others may write to it");
  EXPECT_EQ(symlink((Folder + "/inner").c_str(), (Folder + "/link").c_str()), 0);
  EXPECT_FALSE(readSafely(Folder + "/link", Why));
  EXPECT_TRUE(matches("a*c?", "abbcd"));
  EXPECT_FALSE(matches("a*c", "abbcd"));
  std::filesystem::remove_all(Folder);
}

std::string sizeOf(const std::vector<int64_t> &Values, const char *Hint = "") {
  record::Fitter F({"cols", "rows", "step"}, {{{"cols", 640}, {"rows", 480}, {"step", 1920}},
                                              {{"cols", 97}, {"rows", 33}, {"step", 291}},
                                              {{"cols", 320}, {"rows", 240}, {"step", 960}}});
  return F.size(Values, Hint, {8, 16, 256}).value_or("none");
}

TEST(Fit, Sizes) {
  EXPECT_EQ(sizeOf({640, 97, 320}), "cols");
  EXPECT_EQ(sizeOf({768, 256, 512}), "roundup(cols, 256)");
  EXPECT_EQ(sizeOf({160, 25, 80}), "(cols + 3) / 4");
  EXPECT_EQ(sizeOf({656, 112, 336}), "(cols + 16) / 16 * 16");
  EXPECT_EQ(sizeOf({64, 64, 64}), "64");
  EXPECT_EQ(sizeOf({1, 2, 3}), "none"); // so few work-items say nothing
  EXPECT_EQ(sizeOf({1000, 3, 12345}), "none");
  // What the kernel says comes first.
  EXPECT_EQ(sizeOf({480, 33, 240}, "rows"), "rows");
}

TEST(Fit, SizesOfOtherVariables) {
  const std::set<int64_t> Sizes{8, 16, 32, 256};
  record::Fitter One({"cols", "rows"}, {{{"cols", 128}, {"rows", 96}}});
  // Exactly another variable, before any rounding of the first; a constant before a rounding.
  EXPECT_EQ(One.size({96}, "", Sizes), "rows");
  EXPECT_EQ(One.size({136}, "", Sizes), "136");
  EXPECT_EQ(One.size({136}, "cols", Sizes), "136");
  EXPECT_EQ(One.size({256}, "cols", Sizes), "roundup(cols, 256)");
  EXPECT_EQ(One.size({64}, "", Sizes), "64"); // not (cols + 1) / 2
  record::Fitter Two({"cols", "rows"},
                     {{{"cols", 100}, {"rows", 96}}, {{"cols", 300}, {"rows", 96}}});
  EXPECT_EQ(Two.size({104, 304}, "", Sizes), "roundup(cols, 8)");
  EXPECT_EQ(Two.size({96, 96}, "", Sizes), "rows"); // equal until a launch shows otherwise
  EXPECT_EQ(Two.size({104, 104}, "", Sizes), "104");
}

TEST(Fit, SettingsAreConstantsWhereTheyAreEqual) {
  record::Fitter F({"n"}, {{{"n", 1024}}, {{"n", 2048}}});
  EXPECT_EQ(F.setting({128, 128}, {8}), "128");
  EXPECT_EQ(F.setting({128, 256}, {8}), "(n + 7) / 8");
  EXPECT_EQ(record::Fitter({"n"}, {{{"n", 1024}}}).setting({128}, {8}), "128");
}

std::string countOf(const std::vector<int64_t> &Values, const char *Hint = "") {
  record::Fitter F({"cols", "rows", "step"}, {{{"cols", 640}, {"rows", 480}, {"step", 1920}},
                                              {{"cols", 97}, {"rows", 33}, {"step", 291}}});
  return F.count(Values, Hint).value_or("none");
}

TEST(Fit, Counts) {
  EXPECT_EQ(countOf({1920 * 480, 291 * 33}), "rows * step");
  EXPECT_EQ(countOf({1920 * 480, 291 * 33}, "(rows - 1) * step + 3 * cols"),
            "(rows - 1) * step + 3 * cols");
  // The program's buffer may be larger than what the kernel needs.
  EXPECT_EQ(countOf({2000000, 20000}, "(rows - 1) * step + 3 * cols"),
            "(rows - 1) * step + 3 * cols");
  EXPECT_EQ(countOf({307200, 4096}), "roundup(cols * rows, 1024)");
  EXPECT_EQ(countOf({77, 77}), "77");
  EXPECT_EQ(countOf({1920, 291}), "step"); // not 3 * cols
  EXPECT_EQ(countOf({2 * 480, 2 * 33}), "2 * rows");
  EXPECT_EQ(countOf({2 * 480, 2 * 33 + 1}), "none");
  EXPECT_EQ(countOf({123457, 7}), "none");
}

} // namespace
