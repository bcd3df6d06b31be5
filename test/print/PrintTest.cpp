//===- PrintTest.cpp - the output of the printer ----------------------------------------------===//

#include "rewriters/print/Print.h"
#include "checks/model/analysis/Analysis.h"
#include "checks/model/frontend/Frontend.h"
#include "gtest/gtest.h"
#include <cmath>

using namespace clmali;
using namespace clmali::model;

namespace {

/// Source through the model, and back to text.
std::string printed(const std::string &Source, std::vector<std::string> Args = {}) {
  ParseOptions O;
  O.ClangArgs = std::move(Args);
  ParseResult R = parseOpenCL("test.cl", Source, O);
  if (!R.M || R.M->Kernels.empty())
    return "does not parse";
  for (const ParseDiagnostic &D : R.Diagnostics)
    if (D.IsError)
      return D.Message;
  splitLiveRanges(*R.M, *R.M->Kernels.back());
  return rewrite::printKernel(*R.M, *R.M->Kernels.back(), {});
}

/// The body's lines, for a kernel with these parameters that is indented by 4 columns.
std::string body(const std::string &Body, const std::string &Params = "__global int *a, int n",
                 const std::string &Before = "") {
  std::string Text = printed(Before + "__kernel void k(" + Params + ") {\n  " + Body + "\n}\n");
  size_t Open = Text.find("{\n"), Close = Text.rfind('}');
  return Open == std::string::npos ? Text : Text.substr(Open + 2, Close - Open - 2);
}

TEST(Print, Idioms) {
  EXPECT_EQ(body("  int i = get_global_id(0);\n  if (i >= n) return;\n  // adds one\n  a[i] = a[i] "
                 "+ 1; a[i] = a[i] * 3;"),
            "    int i = get_global_id(0);\n    if (i >= n)\n        return;\n    // adds one\n    "
            "++a[i];\n    a[i] *= 3;\n");
  EXPECT_EQ(body("  if (n == 1) a[0] = 1; else if (n == 2) { a[0] = 2; a[1] = 3; } else a[0] = 4;"),
            "    if (n == 1) {\n        a[0] = 1;\n    } else if (n == 2) {\n        a[0] = 2;\n   "
            "     a[1] = 3;\n"
            "    } else {\n        a[0] = 4;\n    }\n");
  EXPECT_EQ(body("  for (int i = 0, j = n; i < j; i += 2, j--) a[i] -= j;"),
            "    for (int i = 0, j = n; i < j; i += 2, --j)\n        a[i] -= j;\n");
  EXPECT_EQ(body("  int i = 0;\n  do { a[i] = i; i++; } while (i < n);"),
            "    int i = 0;\n    do {\n        a[i] = i;\n        ++i;\n    } while (i < n);\n");
}

TEST(Print, StyleOfTheFile) {
  const std::string Head = "__kernel void k(__global int *a, int n) {\n";
  EXPECT_EQ(printed(Head + "  if (n)\n    a[0] = 1;\n}\n"), Head + "  if (n)\n    a[0] = 1;\n}\n");
  EXPECT_EQ(printed(Head + "\tif (n)\n\t\ta[0] = 1;\n}\n"),
            Head + "    if (n)\n        a[0] = 1;\n}\n");
  EXPECT_EQ(printed("__kernel void k(__global int *a, int n) { if (n) a[0] = 1; }"),
            Head + "    if (n)\n        a[0] = 1;\n}\n");
  // A statement of 110 columns: on one line only if a line of the file is wider than 100.
  std::string Long = "  a[0] = n * 3";
  for (int I = 0; I < 12; ++I)
    Long += " + a[n + " + std::to_string(10 + I) + "]";
  Long = Long.substr(0, 104) + "];\n";
  EXPECT_NE(printed(Head + Long + "}\n").find(Long), std::string::npos);
  std::string Broken = Long;
  Broken.insert(60, "\n  ");
  EXPECT_EQ(printed(Head + Broken + "}\n").find(Long), std::string::npos);
}

/// A kernel of one list of statements over a, an array of T, and i, the id.
struct Made {
  ParseResult R = parseOpenCL("test.cl",
                              "__kernel void k(__global float *a, int n) {\n"
                              "    int i = get_global_id(0);\n    a[i] = 1;\n}\n",
                              {});
  Module &M = *R.M;
  Kernel &K = *M.Kernels.back();
  Stmt *Store = K.Body.back();

  const Expr *variable(const std::string &Name, const Type *Ty, const Expr *Value) {
    Stmt *S = M.newStmt(StmtKind::Decl);
    S->V = M.newVar(Var::Temp, Name, Ty);
    S->E = Value;
    K.Vars.push_back(S->V);
    K.Body.insert(K.Body.end() - 1, S);
    return M.ref(S->V);
  }
  const Type *real(unsigned Lanes = 1) { return M.value(ScalarKind::Float, Lanes); }
  const Expr *load(unsigned Lanes) {
    Access A;
    A.Base = K.Params[0];
    A.Index = {M.ref(K.Vars[0])};
    A.Stride = {4};
    A.Elem = ScalarKind::Float;
    A.Lanes = Lanes;
    A.F = Access::VLoad;
    return M.load(A);
  }
  std::string print(const Expr *Stored) {
    Store->E = Stored;
    std::string Text = rewrite::printKernel(M, K, {});
    size_t Begin = Text.find("(0);\n") + 5;
    return Text.substr(Begin, Text.rfind('}') - Begin);
  }
};

TEST(Print, MadeValuesWhereTheyAreUsed) {
  // A component is printed where it is used, of any vector that keeps its value.
  Made X;
  const Expr *V = X.variable("v", X.real(4), X.load(4));
  const Expr *Y = X.variable("y", X.real(), X.M.swizzle(V, {1}));
  const Expr *Low = X.variable("low", X.real(2), X.M.swizzle(V, {2, 3}));
  const Expr *W = X.variable("w", X.real(), X.M.swizzle(Low, {1}));
  EXPECT_EQ(X.print(X.M.binary(Op::Add, X.M.binary(Op::Add, Y, W), Y)),
            "    float4 v = vload4(0, a + i);\n    a[i] = v.y + v.w + v.y;\n");

  // A sum may move into another sum. A product may not: it could fuse with the sum.
  Made Sum, Product;
  for (Made *P : {&Sum, &Product}) {
    const Expr *V = P->variable("v", P->real(4), P->load(4));
    const Expr *T = P->variable(
        "t", P->real(),
        P->M.binary(P == &Sum ? Op::Add : Op::Mul, P->M.swizzle(V, {0}), P->M.swizzle(V, {1})));
    EXPECT_EQ(P->print(P->M.binary(Op::Add, T, P->M.swizzle(V, {2}))),
              P == &Sum ? "    float4 v = vload4(0, a + i);\n    a[i] = v.x + v.y + v.z;\n"
                        : "    float4 v = vload4(0, a + i);\n    float t = v.x * v.y;\n"
                          "    a[i] = t + v.z;\n");
  }

  // What two statements use keeps its name.
  Made Twice;
  V = Twice.variable("v", Twice.real(4), Twice.load(4));
  const Expr *T = Twice.variable(
      "t", Twice.real(), Twice.M.binary(Op::Add, Twice.M.swizzle(V, {0}), Twice.M.swizzle(V, {1})));
  EXPECT_EQ(Twice.print(Twice.M.binary(Op::Add, T, T)),
            "    float4 v = vload4(0, a + i);\n    float t = v.x + v.y;\n    a[i] = t + t;\n");
}

TEST(Print, LoopsOverTheItemsOfABlock) {
  auto Loop = [](const std::string &Item, const std::string &Guard, const std::string &Use = "") {
    return body("  int i = get_global_id(0) * 8;\n"
                "  for (int lane = 0; lane < 8; ++lane) {\n"
                "    " +
                Item + ";\n    if (" + Guard + ")\n      a[j] = 1" + Use + ";\n  }");
  };
  auto Folded = [](const std::string &Text) { return Text.find("lane") == std::string::npos; };
  EXPECT_EQ(Loop("int j = i + lane", "j < n"),
            "    int i = get_global_id(0) * 8;\n"
            "    for (int j = i; j <= i + 7 && j < n; ++j)\n        a[j] = 1;\n");
  EXPECT_EQ(Loop("int j = i + lane", "a[j] > 2 && n > j"),
            "    int i = get_global_id(0) * 8;\n"
            "    for (int j = i; j <= i + 7 && n > j; ++j)\n"
            "        if (a[j] > 2)\n            a[j] = 1;\n");
  // The counter has another use; no bound ends the loop; the bound is data; another stride; an
  // unsigned number that may wrap.
  EXPECT_FALSE(Folded(Loop("int j = i + lane", "j < n", " + lane")));
  EXPECT_FALSE(Folded(Loop("int j = i + lane", "j > n")));
  EXPECT_FALSE(Folded(Loop("int j = i + lane", "j != n")));
  EXPECT_FALSE(Folded(Loop("int j = i + lane", "j < a[0]")));
  EXPECT_FALSE(Folded(Loop("int j = i + lane * 2", "j < n")));
  EXPECT_FALSE(Folded(Loop("uint k = i - 3, j = k + lane", "j < (uint)n")));
}

TEST(Print, OneVariableAgain) {
  // splitLiveRanges makes two of t, and of i; the text has one, declared where it is first given a
  // value.
  EXPECT_EQ(body("  int t, i;\n  i = get_global_id(0);\n  t = a[i];\n  a[i + 1] = t;\n  t = a[i + "
                 "2];\n  a[i] = t;"),
            "    int i = get_global_id(0);\n    int t = a[i];\n    a[i + 1] = t;\n    t = a[i + "
            "2];\n    a[i] = t;\n");
  EXPECT_EQ(
      body("  for (int i = 0; i < n; ++i) a[i] = 0;\n  for (int i = 0; i < n; ++i) a[i] += i;"),
      "    for (int i = 0; i < n; ++i)\n        a[i] = 0;\n    for (int i = 0; i < n; ++i)\n       "
      " a[i] += i;\n");
}

TEST(Print, MacrosThatAreTypes) {
  // Nothing but the type, in one token or several.
  EXPECT_EQ(body("  T t = a[n]; a[0] = t / 3 + t;", "__global uint *a, int n",
                 "#define T unsigned int\n"),
            "    T t = a[n];\n    a[0] = t / 3 + t;\n");
  // A macro that declares, and one with a qualifier.
  EXPECT_EQ(body("  DECLARE; a[0] = m / 3 + m;", "__global int *a, int n",
                 "#define DECLARE int m = a[n]; if (m > n) m -= n\n"),
            "    int m = a[n];\n    if (m > n)\n        m -= n;\n    a[0] = m / 3 + m;\n");
  EXPECT_EQ(body("  FIXED t = a[n]; a[0] = t / 3 + t;", "__global int *a, int n",
                 "#define FIXED const int\n"),
            "    int t = a[n];\n    a[0] = t / 3 + t;\n");
}

TEST(Print, ConversionsOnlyWhereCNeedsThem) {
  const char *Params = "__global uchar *p, __global float *f, __global short4 *v, uint u, int n";
  EXPECT_EQ(body("  f[0] = p[0] * 9 - p[1];", Params), "    f[0] = p[0] * 9 - p[1];\n");
  EXPECT_EQ(body("  f[0] = (float)p[0] / p[1];", Params), "    f[0] = (float)p[0] / p[1];\n");
  EXPECT_EQ(body("  p[0] = (uchar)(n + 1) + 1;", Params), "    p[0] = (uchar)(n + 1) + 1;\n");
  EXPECT_EQ(body("  f[0] = n < u;", Params), "    f[0] = n < u;\n");
  EXPECT_EQ(body("  v[0] = v[1] * (short)3 + (short4)(n);", Params),
            "    v[0] = v[1] * (short)3 + (short)n;\n");
  EXPECT_EQ(body("  v[0] = v[1] > v[2] ? v[1] : (short4)(0);", Params),
            "    v[0] = v[1] > v[2] ? v[1] : (short4)(0);\n");
  EXPECT_EQ(body("  p[0] += 300;", Params), "    p[0] += 300;\n");
}

TEST(Print, Parentheses) {
  EXPECT_EQ(body("  a[0] = (n & 3) | 4; a[1] = n << (n + 1); a[2] = (n && a[3]) || a[4]; a[5] = n "
                 "- (a[0] - a[1]); a[6] = -(-n);"
                 " a[7] = (n + 1) * 2; a[8] = n * (2 + n) % 3;"),
            "    a[0] = (n & 3) | 4;\n    a[1] = n << (n + 1);\n    a[2] = (n && a[3]) || a[4];\n  "
            "  a[5] = n - (a[0] - a[1]);\n"
            "    a[6] = -(-n);\n    a[7] = (n + 1) * 2;\n    a[8] = n * (2 + n) % 3;\n");
}

TEST(Print, Constants) {
  EXPECT_EQ(body("  a[0] = SIZE * 2; a[1] = 0xff; a[2] = -2147483647 - 1; a[3] = 'x'; a[n] = "
                 "4294967295u >> 1;",
                 "__global int *a, int n", "#define SIZE 16\n"),
            "    a[0] = SIZE * 2;\n    a[1] = 0xff;\n    a[2] = -2147483647 - 1;\n    a[3] = "
            "'x';\n    a[n] = 4294967295u >> 1;\n");
  // A macro that is defined twice may mean something else where the kernel is printed.
  EXPECT_EQ(body("  a[0] = SIZE;\n#undef SIZE\n#define SIZE 8\n  a[1] = SIZE;",
                 "__global int *a, int n", "#define SIZE 16\n"),
            "    a[0] = 16;\n    a[1] = 8;\n");
  Module M;
  auto Float = [&](double V) {
    return rewrite::printExpr(M.floatConst(V, M.value(ScalarKind::Float)));
  };
  EXPECT_EQ(Float(0.1f), "0.1f");
  EXPECT_EQ(Float(1), "1.0f");
  EXPECT_EQ(Float(-0.0), "-0.0f");
  EXPECT_EQ(Float(16777216), "16777216.0f");
  EXPECT_EQ(Float(3e38f), "3e+38f");
  EXPECT_EQ(Float(INFINITY), "INFINITY");
  EXPECT_EQ(rewrite::printExpr(M.floatConst(0.1, M.value(ScalarKind::Double))), "0.1");
  EXPECT_EQ(rewrite::printExpr(M.intConst(INT32_MIN)), "(-2147483647 - 1)");
  EXPECT_EQ(rewrite::printExpr(M.intConst(INT64_MIN, ScalarKind::Long)),
            "(-9223372036854775807L - 1)");
  EXPECT_EQ(rewrite::printExpr(M.intConst(-1, ScalarKind::ULong)), "18446744073709551615UL");
}

TEST(Print, Memory) {
  EXPECT_EQ(body("  __local float t[4][5];\n  t[n][1] = 1;\n  vstore4(vload4(n, f) + vload4(0, f + "
                 "n + 1), 0, &t[1][0]);\n"
                 "  b[0] = *(__global uint *)(p + n);\n  b[1] = ((__global const uint *)p)[n];",
                 "__global float *f, __global uchar *p, __global uint *b, int n"),
            "    __local float t[4][5];\n    t[n][1] = 1;\n    vstore4(vload4(n, f) + vload4(0, f "
            "+ n + 1), 0, &t[1][0]);\n"
            "    b[0] = *(__global uint *)(p + n);\n    b[1] = ((__global uint *)p)[n];\n");
  EXPECT_EQ(body("  s[n].pos.y += s[n].v[2]; s[n].id = 0;", "__global S *s, int n",
                 "typedef struct { float4 pos; float v[3]; int id; } S;\n"),
            "    s[n].pos.y += s[n].v[2];\n    s[n].id = 0;\n");
}

TEST(Print, LengthsAsWritten) {
  EXPECT_EQ(
      body("  __local int t[TILE][TILE + 1], u[4 * TILE], v[OTHER];\n  t[0][n] = u[n] = v[0];",
           "__global int *a, int n", "#define TILE 16\n#define OTHER (TILE + 2)\n"),
      "    __local int t[TILE][TILE + 1];\n    __local int u[4 * TILE];\n    __local int v[18];\n"
      "    int value = v[0];\n    u[n] = value;\n    t[0][n] = value;\n");
}

TEST(Print, ArgumentsThatAreNotNeededAnyMore) {
  ParseResult R = parseOpenCL(
      "t.cl",
      "__kernel void k(__global int *a, __local int *t, int never) { t[0] = 1; a[0] = t[0]; }\n",
      {});
  Kernel &K = *R.M->Kernels.front();
  Stmt *Store = K.Body.back();
  Store->E = R.M->intConst(1);
  K.Body = {Store};
  EXPECT_EQ(rewrite::printKernel(*R.M, K, {}), "__kernel void k(__global int *a, __local int *t, "
                                               "int never) {\n    (void)t;\n    a[0] = 1;\n}\n");
}

TEST(Print, SmallTypesComputeInInt) {
  // A narrowed model computes in short; C does not, so the result is cut where it matters.
  Module M;
  const Type *Short = M.value(ScalarKind::Short), *Int = M.value(ScalarKind::Int);
  Var *A = M.newVar(Var::Temp, "a", Short), *B = M.newVar(Var::Temp, "b", Short);
  const Expr *Sum = M.binary(Op::Add, M.ref(A), M.ref(B));
  EXPECT_EQ(rewrite::printExpr(Sum), "a + b"); // stored in a short
  EXPECT_EQ(rewrite::printExpr(M.binary(Op::Div, M.cast(Sum, Int, true), M.intConst(2))),
            "(short)(a + b) / 2");
  EXPECT_EQ(rewrite::printExpr(M.binary(Op::LT, Sum, M.ref(B))), "(short)(a + b) < b");
  // Vectors do compute in short; a scalar operand may not rank above it.
  const Type *Short8 = M.value(ScalarKind::Short, 8);
  Var *V = M.newVar(Var::Temp, "v", Short8);
  EXPECT_EQ(rewrite::printExpr(M.binary(Op::Mul, M.ref(V), M.intConst(9, Short8))), "v * (short)9");
  EXPECT_EQ(rewrite::printExpr(M.binary(Op::Shl, M.ref(V), M.intConst(2, Short8))), "v << 2");
  EXPECT_EQ(rewrite::printExpr(M.cast(M.ref(V), M.value(ScalarKind::Int, 8), true)),
            "convert_int8(v)");
  EXPECT_EQ(rewrite::printExpr(M.call("clamp", Short8,
                                      {M.ref(V), M.intConst(0, Short8), M.intConst(255, Short8)})),
            "clamp(v, (short)0, (short)255)");
  // A mask as wide as what it chooses from.
  Var *C = M.newVar(Var::Temp, "c", M.value(ScalarKind::Int, 8));
  EXPECT_EQ(rewrite::printExpr(M.select(M.binary(Op::LT, M.ref(C), M.intConst(3, C->Ty)), M.ref(V),
                                        M.intConst(0, Short8))),
            "convert_short8(c < 3) ? v : (short8)(0)");
}

TEST(Print, DeclaredWhereAllUsesSeeIt) {
  // A pass that moves statements may leave a use outside the block of the declaration.
  Module M;
  Kernel *K = M.newKernel("k");
  const Type *Int = M.value(ScalarKind::Int);
  Var *N = M.newVar(Var::Param, "n", Int), *X = M.newVar(Var::Temp, "x", Int);
  Var *A = M.newVar(Var::Param, "a", M.pointer(Int, AddressSpace::Global));
  K->Params = {A, N};
  K->Vars = {X};
  Stmt *If = M.newStmt(StmtKind::If), *Decl = M.newStmt(StmtKind::Decl),
       *Store = M.newStmt(StmtKind::Store);
  If->E = M.ref(N);
  Decl->V = X;
  Decl->E = M.intConst(1);
  If->Body = {Decl};
  Store->Acc.Base = A;
  Store->Acc.Index = {M.intConst(0)};
  Store->Acc.Stride = {4};
  Store->E = M.ref(X);
  K->Body = {If, Store};
  EXPECT_EQ(rewrite::printKernel(M, *K, {}), "__kernel void k(__global int *a, int n) {\n    int "
                                             "x;\n    if (n)\n        x = 1;\n    a[0] = x;\n}\n");
}

TEST(Print, Signature) {
  EXPECT_EQ(printed("__kernel __attribute__((vec_type_hint(float4)))\nvoid k(__global T *restrict "
                    "a, /* how many */ const int n)\n{ a[n] = 1; }\n",
                    {"-DT=float"}),
            "__kernel __attribute__((vec_type_hint(float4))) void k(__global T *restrict a,\n"
            "                                                       /* how many */ const int n) {\n"
            "    a[n] = 1;\n}\n");
  ParseResult R = parseOpenCL("t.cl",
                              "#define WG 16\n__kernel __attribute__((reqd_work_group_size(WG, WG, "
                              "1))) void k(__global int *a) { a[0] = 1; }\n",
                              {});
  Kernel &K = *R.M->Kernels.front();
  K.ReqdWorkGroupSize = {{4, 16, 1}};
  K.Name = "k_v4";
  EXPECT_EQ(rewrite::printKernel(*R.M, K, {"clmali: rewritten from k", "Four work-items in one."}),
            "// clmali: rewritten from k\n// Four work-items in one.\n"
            "__kernel __attribute__((reqd_work_group_size(4, 16, 1))) void k_v4(__global int *a) "
            "{\n    a[0] = 1;\n}\n");
  K.ReqdWorkGroupSize.reset();
  EXPECT_EQ(rewrite::printKernel(*R.M, K, {}),
            "__kernel void k_v4(__global int *a) {\n    a[0] = 1;\n}\n");
  // A signature that a macro makes is printed from its types.
  EXPECT_EQ(printed("#define DEF(T) __kernel void k(__global const T *a, __global T *b, uint n) { "
                    "b[n] = a[n]; }\nDEF(float)\n"),
            "__kernel void k(__global const float *a, __global float *b, uint n) {\n    b[n] = "
            "a[n];\n}\n");
}

TEST(Splice, EverythingElseStays) {
  std::string Source =
      "/* licence */\r\n#include \"nothing.h\"\r\n__kernel void a(__global int *p) { p[0] = 1; "
      "}\r\n\r\n// b\r\n__kernel void b(__global int *p) { p[1] = 2; }\r\n";
  std::string Parsed = Source;
  Parsed.replace(Parsed.find("#include \"nothing.h\""), 20, "//nclude \"nothing.h\"");
  ParseResult R = parseOpenCL("t.cl", Parsed, {});
  ASSERT_TRUE(R.M && R.M->Kernels.size() == 2);
  std::string New = rewrite::spliceFile(*R.M, *R.M->Kernels[0], "// x\nNEW\n", true, {});
  EXPECT_EQ(
      New,
      "/* licence */\r\n//nclude \"nothing.h\"\r\n__kernel void a(__global int *p) { p[0] = 1; "
      "}\r\n\r\n// x\r\nNEW\r\n\r\n// b\r\n__kernel void b(__global int *p) { p[1] = 2; }\r\n");
  ParseResult Tight = parseOpenCL("t.cl",
                                  "__kernel void a(__global int *p) { p[0] = 1; }\n__kernel void "
                                  "b(__global int *p) { p[1] = 2; }",
                                  {});
  EXPECT_EQ(rewrite::spliceFile(*Tight.M, *Tight.M->Kernels[0], "NEW\n", true, {}),
            "__kernel void a(__global int *p) { p[0] = 1; }\n\nNEW\n\n__kernel void b(__global int "
            "*p) { p[1] = 2; }");
  EXPECT_EQ(rewrite::spliceFile(*Tight.M, *Tight.M->Kernels[1], "NEW\n", true, {}),
            "__kernel void a(__global int *p) { p[0] = 1; }\n__kernel void b(__global int *p) { "
            "p[1] = 2; }\n\nNEW\n");
  std::string Other = rewrite::spliceFile(*R.M, *R.M->Kernels[1], "NEW\n", false, {});
  EXPECT_EQ(Other, Parsed.substr(0, Parsed.find("__kernel void b")) + "NEW\r\n");
}

/// Is the spliced file accepted with these defines?
bool builds(const std::string &Text, std::vector<std::string> Args) {
  ParseOptions O;
  O.ClangArgs = std::move(Args);
  ParseResult R = parseOpenCL("t.cl", Text, O);
  bool Good = R.M != nullptr;
  for (const ParseDiagnostic &D : R.Diagnostics)
    Good &= !D.IsError;
  return Good;
}

TEST(Splice, StopsUnderOtherDefines) {
  std::string Source = "#ifndef HALO\n#define HALO 2\n#endif\n__kernel void k(__global T *p) "
                       "{\n#ifdef FAST\n  p[0] = 2;\n#else\n  p[TILE] = HALO;\n#endif\n}\n";
  ParseOptions O;
  O.ClangArgs = {"-DT=float", "-DTILE=16"};
  ParseResult R = parseOpenCL("t.cl", Source, O);
  ASSERT_TRUE(R.M && R.M->Kernels.size() == 1);
  std::string New = rewrite::spliceFile(*R.M, *R.M->Kernels[0],
                                        "__kernel void k2(__global float *p) { p[16] = 2; }\n",
                                        true, {{"T", "float"}, {"TILE", "16"}});
  EXPECT_TRUE(builds(New, {"-DT=float", "-DTILE=16"}));
  EXPECT_TRUE(builds(New, {"-DT=float", "-DTILE=0x10", "-DHALO=2"}));
  EXPECT_FALSE(builds(New, {"-DT=float", "-DTILE=8"}));
  EXPECT_FALSE(builds(New, {"-DT=int", "-DTILE=16"}));
  EXPECT_FALSE(builds(New, {"-DT=float", "-DTILE=16", "-DHALO=3"}));
  EXPECT_FALSE(builds(New, {"-DT=float", "-DTILE=16", "-DFAST"}));
}

TEST(Splice, WhatStandsBehindAKernelIsNotInEffectThere) {
  std::string Source = "__kernel void k(__global int *p) { p[0] = 2; }\n#ifndef HALO\n"
                       "#define HALO 2\n#endif\n__kernel void other(__global int *p) { p[0] = "
                       "HALO; }\n";
  ParseResult R = parseOpenCL("t.cl", Source, {});
  ASSERT_TRUE(R.M && R.M->Kernels.size() == 2);
  auto With = [&](unsigned Kernel) {
    return rewrite::spliceFile(*R.M, *R.M->Kernels[Kernel],
                               "__kernel void k2(__global int *p) { p[0] = 2; }\n", true, {});
  };
  EXPECT_TRUE(builds(With(0), {}));
  EXPECT_TRUE(builds(With(0), {"-DHALO=3"}));
  EXPECT_TRUE(builds(With(1), {}));
  EXPECT_FALSE(builds(With(1), {"-DHALO=3"}));
}

TEST(Print, KnowsItsOwnWork) {
  std::string Source = "__kernel void k(__global int *p) { p[0] = 1; }\n// clmali: rewritten from "
                       "k\n// words\n__kernel void k_v4(__global int *p) { p[0] = 1; }\n__kernel "
                       "void other(__global int *p) { p[0] = 1; }\n";
  ParseResult R = parseOpenCL("t.cl", Source, {});
  ASSERT_TRUE(R.M && R.M->Kernels.size() == 3);
  EXPECT_TRUE(rewrite::isRewritten(*R.M, *R.M->Kernels[0]));
  EXPECT_TRUE(rewrite::isRewritten(*R.M, *R.M->Kernels[1]));
  EXPECT_FALSE(rewrite::isRewritten(*R.M, *R.M->Kernels[2]));
}

} // namespace
