//===-- test/model/frontend_test.cpp - Parsing, strict and tolerant -------===//

#include "checks/model/frontend/Frontend.h"
#include "checks/model/ir/Budget.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace clmali::model;

namespace {

ParseResult parse(llvm::StringRef Text, bool Tolerant = false, std::vector<std::string> Args = {}) {
  ParseOptions O;
  O.Tolerant = Tolerant;
  O.ClangArgs = std::move(Args);
  return parseOpenCL("in.cl", Text, O);
}

const ParseDiagnostic *firstError(const ParseResult &R) {
  for (const ParseDiagnostic &D : R.Diagnostics)
    if (D.IsError)
      return &D;
  return nullptr;
}

TEST(Strict, LiftsKernels) {
  ParseResult R = parse("kernel void k(global int *a) { a[0] = 1; }\n"
                        "kernel void l(global int *a) {}\n");
  ASSERT_TRUE(R.M);
  ASSERT_EQ(R.M->Kernels.size(), 2u);
  EXPECT_EQ(R.M->Kernels[0]->Name, "k");
  EXPECT_EQ(R.Dialect, "CL1.2");
  EXPECT_EQ(R.M->Files[0].Name, "in.cl");
  EXPECT_TRUE(R.M->Notes.empty());
}

TEST(Strict, ReportsLineAndColumn) {
  ParseResult R = parse("kernel void k(global int *a) {\n  a[0] = b;\n}\n");
  EXPECT_FALSE(R.M);
  const ParseDiagnostic *D = firstError(R);
  ASSERT_TRUE(D);
  EXPECT_EQ(D->File, "in.cl");
  EXPECT_EQ(D->Line, 2u);
  EXPECT_EQ(D->Column, 10u);
  EXPECT_NE(D->Message.find("undeclared identifier 'b'"), std::string::npos);
}

TEST(Strict, UsesANewerDialectOnlyWhereNeeded) {
  ParseResult R =
      parse("kernel void k(global int *a) { work_group_barrier(CLK_LOCAL_MEM_FENCE); }\n");
  ASSERT_TRUE(R.M);
  EXPECT_EQ(R.Dialect, "CL2.0");
  R = parse("kernel void k(global int *a) { work_group_barrier(CLK_LOCAL_MEM_FENCE); }\n", false,
            {"-cl-std=CL1.2"});
  EXPECT_FALSE(R.M) << "the user's dialect wins";
}

TEST(Strict, AcceptsDefinesAndBuildOptions) {
  ParseResult R = parse("kernel void k(global T *a) { a[N] = 1; }\n", false,
                        {"-DT=short", "-D", "N=3", "-cl-fast-relaxed-math", "-cl-mad-enable",
                         "-cl-nv-verbose", "-w"});
  ASSERT_TRUE(R.M);
  EXPECT_NE(dump(*R.M->Kernels[0]).find("store a[3{N}] = <short>1"), std::string::npos);
  ASSERT_EQ(R.M->Notes.size(), 1u);
  EXPECT_EQ(R.M->Notes[0], "option -cl-nv-verbose ignored");
}

TEST(Strict, AcceptsTheBuildOptionsOfTheSpecification) {
  for (const char *Option :
       {"-cl-single-precision-constant", "-cl-denorms-are-zero",
        "-cl-fp32-correctly-rounded-divide-sqrt", "-cl-opt-disable", "-cl-strict-aliasing",
        "-cl-uniform-work-group-size", "-cl-no-subgroup-ifp", "-cl-mad-enable",
        "-cl-no-signed-zeros", "-cl-unsafe-math-optimizations", "-cl-finite-math-only",
        "-cl-fast-relaxed-math", "-cl-kernel-arg-info", "-cl-std=CL1.2", "-w"}) {
    ParseResult R = parse("kernel void k(global float *a) { a[0] = 1; }\n", false, {Option});
    EXPECT_TRUE(R.M) << Option;
    EXPECT_TRUE(R.M && R.M->Notes.empty()) << Option;
  }
}

TEST(Strict, SinglePrecisionConstantsAreFloat) {
  llvm::StringRef Text = "kernel void k(global float *a) { a[0] = a[1] * 1.5; }\n";
  EXPECT_TRUE(parse(Text).M->Kernels[0]->UsesFp64);
  EXPECT_FALSE(parse(Text, false, {"-cl-single-precision-constant"}).M->Kernels[0]->UsesFp64);
}

TEST(Strict, SizeTMayBe32Bits) {
  ParseOptions O;
  O.SizeTBits = 32;
  ParseResult R =
      parseOpenCL("in.cl", "kernel void k(global size_t *a) { a[0] = get_global_id(0); }", O);
  ASSERT_TRUE(R.M);
  EXPECT_EQ(R.M->Kernels[0]->Params[0]->Ty->Elem->Scalar, ScalarKind::UInt);
}

TEST(Strict, RangesAreInTheUsersText) {
  llvm::StringRef Text = "#define P 1\n// c\n__attribute__((reqd_work_group_size(4, 2, 1)))\n"
                         "kernel void k(global int *a) {\n  a[0] = P;\n}\n";
  ParseResult R = parse(Text);
  ASSERT_TRUE(R.M);
  const Kernel &K = *R.M->Kernels[0];
  auto Slice = [&](SourceRange S) { return Text.slice(S.Begin, S.End); };
  EXPECT_TRUE(Slice(K.Range).starts_with("__attribute__((reqd")) << Slice(K.Range).str();
  EXPECT_TRUE(Slice(K.Range).ends_with("}"));
  EXPECT_EQ(Slice(K.NameRange), "k");
  EXPECT_EQ(Slice(K.BodyRange), "{\n  a[0] = P;\n}");
  ASSERT_EQ(K.Body.size(), 1u);
  EXPECT_EQ(Slice(K.Body[0]->Range), "a[0] = P");
  EXPECT_EQ(Slice(K.Body[0]->E->Range), "P");
  ASSERT_TRUE(K.ReqdWorkGroupSize);
  EXPECT_EQ((*K.ReqdWorkGroupSize)[1], 2u);
}

TEST(Tolerant, InfersOneNameAtATime) {
  ParseResult R = parse("KERNEL_FQ void k(__global REAL4 *x, GLOBAL_MEM DATA_TYPE *y) {\n"
                        "  __local float t[TILE];\n"
                        "  t[0] = y[0] + OFFSET(3);\n"
                        "  x[get_global_id(0)] = t[0] * (REAL)2;\n"
                        "}\n",
                        /*Tolerant=*/true);
  ASSERT_TRUE(R.M);
  ASSERT_EQ(R.M->Kernels.size(), 1u) << (firstError(R) ? firstError(R)->Message : "");
  ASSERT_EQ(R.M->Notes.size(), 1u) << "one note for all of them";
  llvm::StringRef Note = R.M->Notes.front();
  for (const char *Part : {"the host defines macros", "KERNEL_FQ=__kernel", "TILE=16",
                           "REAL4=float4", "DATA_TYPE=float", "GLOBAL_MEM=__global"})
    EXPECT_TRUE(Note.contains(Part)) << Part << " in " << Note.str();
  EXPECT_FALSE(parse("kernel void k(global T *x) {}\n").M) << "strictly, nothing is guessed";
}

/// The note on inferred macros, for a text with one kernel; empty if it did not parse to one.
static std::string guessNote(llvm::StringRef Text) {
  ParseResult R = parse(Text, /*Tolerant=*/true);
  if (!R.M || R.M->Kernels.size() != 1)
    return std::string("no kernel: ") + (firstError(R) ? firstError(R)->Message : "");
  return R.M->Notes.empty() ? "" : R.M->Notes.front();
}

TEST(Tolerant, InfersMacrosThatShowKernels) {
  EXPECT_NE(guessNote("#if defined(TYPE) && defined(LANES)\n"
                      "kernel void k(global TYPE *a) { a[LANES * get_global_id(0)] = 1; }\n"
                      "#endif\n")
                .find("TYPE=float, LANES=4"),
            std::string::npos);
  EXPECT_NE(guessNote("kernel void k(global float *a) { a[0] = a[1] * SCALE(2) + STEP; }\n")
                .find("SCALE(...)=(__VA_ARGS__)"),
            std::string::npos)
      << "a product with a function-like macro is no declaration";
  EXPECT_EQ(guessNote("T *first(global T *a);\nkernel void k(global T *a) { *first(a) = 1; }\n")
                .find("first("),
            std::string::npos)
      << "a function that returns a pointer is no macro";
  EXPECT_NE(guessNote("#if MODE == 2\nkernel void k(global int *a) { a[0] = 1; }\n#endif\n")
                .find("MODE=2"),
            std::string::npos);
  // Not for a variant of a kernel that is shown.
  EXPECT_EQ(guessNote("#ifdef FAST\nkernel void k(global int *a) { a[0] = 2; }\n#else\n"
                      "kernel void k(global int *a) { a[0] = 1; }\n#endif\n"),
            "");
  // Nor for code of C++ or the host compiler.
  EXPECT_NE(
      guessNote("#ifdef __cplusplus\nkernel void k(global int *a) {}\n#endif\n").find("no kernel"),
      std::string::npos);
}

/// The kernels that are shown, and the note on inferred macros, with options of the command line.
static std::string guessedWith(llvm::StringRef Text, std::vector<std::string> Options) {
  ParseOptions O;
  O.Tolerant = true;
  O.ClangArgs = std::move(Options);
  ParseResult R = parseOpenCL("x.cl", Text, O);
  std::string Result;
  if (R.M) {
    for (const auto &K : R.M->Kernels)
      Result += K->Name + " ";
    for (const std::string &N : R.M->Notes)
      Result += N;
  }
  return Result;
}

TEST(Tolerant, GivenMacrosAreNotInferred) {
  const char *Guarded =
      "#if defined(TYPE) && defined(LANES)\n"
      "kernel void k(global TYPE *a) { a[LANES * get_global_id(0)] = 1; }\n#endif\n";
  std::string Note = guessedWith(Guarded, {"-DTYPE=uchar"});
  EXPECT_EQ(Note.find("TYPE="), std::string::npos) << Note;
  EXPECT_NE(Note.find("LANES=4"), std::string::npos) << Note;
  EXPECT_EQ(guessedWith(Guarded, {"-D", "TYPE=uchar", "-DLANES=2"}), "k ");
  // Nor are macros that contradict them.
  EXPECT_EQ(guessedWith("#if MODE == 2\nkernel void a(global int *a) { a[0] = 1; }\n#endif\n"
                        "kernel void b(global int *a) { a[0] = 1; }\n",
                        {"-DMODE=1"}),
            "b ");
}

TEST(Tolerant, AlternativesAreNotDefinedTogether) {
  const char *Two = "#ifdef ONE\nkernel void a(global int *a) { a[0] = 1; }\n"
                    "#elif defined(OTHER)\nkernel void b(global int *a) { a[0] = 1; }\n#endif\n";
  std::string Note = guessedWith(Two, {});
  EXPECT_EQ(Note.find("OTHER"), std::string::npos) << Note;
  EXPECT_EQ(guessedWith(Two, {"-DOTHER"}), "b ");
  // A macro that shows one kernel and changes two others selects a variant of the file.
  EXPECT_EQ(guessedWith("#ifdef NARROW\nkernel void a(global int *a) { a[0] = 1; }\n#endif\n"
                        "kernel void b(global int *a) {\n#ifdef NARROW\n  a[0] = 1;\n#endif\n}\n"
                        "kernel void c(global int *a) {\n#ifdef NARROW\n  a[0] = 1;\n#endif\n}\n",
                        {}),
            "b c ");
}

TEST(Tolerant, ErrorDirectivesShowMissingMacros) {
  EXPECT_NE(guessNote("#ifndef VALUE\n#error \"VALUE is missing\"\n#endif\n"
                      "kernel void k(global VALUE *a) { a[0] = 1; }\n")
                .find("VALUE=float"),
            std::string::npos);
}

TEST(Tolerant, ReachesDefinitionsUnderConditions) {
  EXPECT_NE(guessNote("#ifdef SINGLE\n#define REAL float\n#elif defined(DOUBLE)\n"
                      "#define REAL double\n#endif\n"
                      "kernel void k(global REAL *a) { a[0] = 1; }\n")
                .find("SINGLE="),
            std::string::npos);
  // Names of the host may begin with CL_.
  EXPECT_NE(guessNote("#ifdef CL_KIND_float\n#define CL_KIND float\n#endif\n"
                      "#ifdef CL_KIND_half\n#define CL_KIND half\n#endif\n"
                      "kernel void k(global CL_KIND *a) { a[0] = 1; }\n")
                .find("CL_KIND_float="),
            std::string::npos);
  // Of alternative types, float.
  std::string Note = guessNote("#if USE_FP16 == 1\n#define REAL half\n#endif\n#if USE_FP32 == "
                               "1\n#define REAL float\n#endif\n"
                               "kernel void k(global REAL *a) { a[0] = 1; }\n");
  EXPECT_NE(Note.find("USE_FP32=1"), std::string::npos) << Note;
  Note = guessNote(
      "#ifdef IS_HALF\ntypedef half real;\n#elif defined(IS_FLOAT)\ntypedef float real;\n#endif\n"
      "kernel void k(global real *a) { a[0] = 1; }\n");
  EXPECT_NE(Note.find("IS_FLOAT="), std::string::npos) << Note;
}

TEST(Tolerant, InfersNumbersThatKernelsUse) {
  auto Kernel = [](llvm::StringRef Condition, llvm::StringRef Length) {
    return ("kernel void k(global int *p) {\n#if " + Condition + "\n  local int part[" + Length +
            "];\n  part[get_local_id(0)] = p[get_global_id(0)];\n#endif\n  p[0] = 1; }\n")
        .str();
  };
  EXPECT_NE(guessNote(Kernel("GROUP > 0", "GROUP")).find("GROUP=16"), std::string::npos);
  EXPECT_NE(guessNote(Kernel("GROUP >= 32", "GROUP")).find("GROUP=33"), std::string::npos);
  // Not if the number is not used, if the file defines it, or if there is an #else.
  EXPECT_EQ(guessNote(Kernel("GROUP > 0", "64")), "");
  EXPECT_EQ(guessNote("#ifndef GROUP\n#define GROUP 0\n#endif\n" + Kernel("GROUP > 0", "GROUP")),
            "");
  EXPECT_EQ(guessNote(Kernel("defined(GROUP)", "GROUP")), "");
  EXPECT_EQ(guessNote("kernel void k(global int *p) {\n#if GROUP > 0\n  local int part[GROUP];\n  "
                      "part[0] = 1;\n  p[0] = part[0];\n"
                      "#else\n  p[0] = 2;\n#endif\n}\n"),
            "");
}

TEST(Tolerant, SplitsPastedNames) {
  std::string Note = guessNote("#define CAT(a, b) a##b\n#define PASTE(a, b) CAT(a, b)\n"
                               "kernel void k(global float *a) {\n"
                               "  PASTE(float, WIDTH) v = PASTE(vload, WIDTH)(0, a);\n"
                               "  PASTE(vstore, WIDTH)(v, 0, a);\n}\n");
  EXPECT_NE(Note.find("WIDTH=4"), std::string::npos) << Note;
}

TEST(Tolerant, CallsWithImagesReadOrWrite) {
  std::string Note =
      guessNote("kernel void k(read_only image2d_t from, write_only image2d_t to) {\n"
                "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
                "  PIXEL4 p = FETCH(KIND, from, SAMPLER, at);\n"
                "  PUT(KIND, to, at, p);\n}\n");
  EXPECT_NE(Note.find("read_imagef"), std::string::npos) << Note;
  EXPECT_NE(Note.find("write_imagef"), std::string::npos) << Note;
}

TEST(Tolerant, InfersAConstantUsedInAMacro) {
  // The error is reported at the use of C, not of N.
  std::string Note = guessNote("#define C(q) a[(q) * N]\n"
                               "kernel void k(global float *a) { float x = C(1); a[0] = x; }\n");
  EXPECT_NE(Note.find("N=16"), std::string::npos) << Note;
}

TEST(Tolerant, ATypeMayPrecedeItsQualifier) {
  std::string Note =
      guessNote("kernel void k(global ELEMENT const *a, global ELEMENT *b) { b[0] = a[0]; }\n");
  EXPECT_NE(Note.find("ELEMENT=float"), std::string::npos) << Note;
}

TEST(Tolerant, AQualifierMayPrecedeAPointersType) {
  ParseResult R = parse("kernel void k(MAYBE_CONSTANT float *a, global float *b) {\n"
                        "  MAYBE_CONSTANT float *c = a;\n"
                        "  b[0] = c[1];\n"
                        "}\n",
                        true);
  ASSERT_TRUE(R.M);
  EXPECT_EQ(R.Guesses, std::vector<std::string>{"MAYBE_CONSTANT=__constant"});
}

TEST(Tolerant, AnUnknownMacroInAConditionIsFalse) {
  ParseResult R = parse("#if USE_IT && made_by(VENDOR)\n"
                        "#error not here\n"
                        "#endif\n"
                        "kernel void k(global float *a) { a[0] = 1.0f; }\n",
                        true);
  ASSERT_TRUE(R.M);
  EXPECT_EQ(R.M->Kernels.size(), 1u);
}

TEST(Tolerant, InfersIntegerTypesFromOperations) {
  std::string Note = guessNote("kernel void k(global T *a) { a[0] = a[1] % 3 << 2; }\n");
  EXPECT_NE(Note.find("T=int"), std::string::npos) << Note;
}

TEST(Strict, AStructureMayPointToItsOwnType) {
  ParseResult R = parse("struct Node { global struct Node *next; int value; };\n"
                        "kernel void k(global struct Node *n) { n->value = 1; }\n");
  ASSERT_TRUE(R.M);
  EXPECT_EQ(R.M->Kernels.size(), 1u);
}

TEST(Tolerant, InfersStructuresFromMembers) {
  // The host adds the definition before the file.
  std::string Note =
      guessNote("kernel void k(global float *a, Shape s) {\n"
                "  int x = get_global_id(0);\n"
                "  if (x < s.dims[0])\n    a[x * s.strides[1] + s.offset] = 1;\n}\n");
  EXPECT_NE(Note.find("Shape=struct { int dims[16]; int strides[16]; int offset; }"),
            std::string::npos)
      << Note;
  // Components are no members, and a type named float4 is a vector.
  EXPECT_NE(
      guessNote("kernel void k(global PIXEL4 *a) { PIXEL4 v = a[0]; v.xy = v.zw; a[1] = v; }\n")
          .find("PIXEL4=float4"),
      std::string::npos);
  EXPECT_NE(
      guessNote("kernel void k(global FLOAT4 *a) { FLOAT4 v = a[0]; v.s0123 = v; a[1] = v; }\n")
          .find("FLOAT4=float4"),
      std::string::npos);
}

TEST(Tolerant, ADeclarationMaySpanLines) {
  std::string Note = guessNote("kernel void k(global ELEMENT *a, int n) {\n  int i = "
                               "get_global_id(0);\n  PACK v,\n       w = 0;\n"
                               "  v = *(global PACK *)(a + 8 * i);\n"
                               "  v = (PACK)(a[i], a[i + n], a[i + 2 * n], a[i + 3 * n], a[i], a[i "
                               "+ n], a[i + 2 * n], a[i]);\n"
                               "  w.s7 += v.s6;\n  a[i] = w.s7;\n}\n");
  EXPECT_NE(Note.find("ELEMENT=float, PACK=float8"), std::string::npos) << Note;
}

TEST(Tolerant, InfersAnOperatorBetweenValues) {
  std::string Note = guessNote("kernel void k(global float4 *a) {\n  float4 v = a[0], w = a[1];\n"
                               "  a[2].x = fabs(v.x COMBINE w.x);\n}\n");
  EXPECT_NE(Note.find("COMBINE=+"), std::string::npos) << Note;
}

TEST(Tolerant, CaseLabelsAreDistinct) {
  std::string Note =
      guessNote("kernel void k(global int *a, int how) {\n  switch (how) {\n"
                "  case NEAREST: a[0] = 1; break;\n  case LINEAR: a[0] = 2; break;\n  }\n}\n");
  EXPECT_NE(Note.find("NEAREST="), std::string::npos) << Note;
}

TEST(Tolerant, APastedNameIsOneThatTheFileDefines) {
  std::string Note = guessNote("#define relu_op(x) max(x, 0.0f)\n#define APPLY_(op, x) op##_op(x)\n"
                               "#define APPLY(op, x) APPLY_(op, x)\n"
                               "kernel void k(global float *a) { a[0] = APPLY(ACT, a[1]); }\n");
  EXPECT_NE(Note.find("ACT=relu"), std::string::npos) << Note;
}

TEST(Tolerant, AConditionMayDependOnAnother) {
  std::string Note =
      guessNote("#ifdef SQUARE\n#define APPLY(x) (x * x)\n#elif defined CUBE\n"
                "#define APPLY(x) (x * x * x)\n#endif\n"
                "#ifdef APPLY\nkernel void k(global float *a) { a[0] = APPLY(a[1]); }\n#endif\n");
  EXPECT_NE(Note.find("SQUARE="), std::string::npos) << Note;
  // An include guard defines its name.
  EXPECT_EQ(guessNote("#ifndef ONCE\n#define ONCE\n#endif\n#ifdef ONCE\n"
                      "kernel void k(global float *a) { a[0] = 1; }\n#endif\n"),
            "");
}

TEST(Tolerant, ANumberThatAnErrorExcludesIsReplaced) {
  std::string Note = guessNote("#if defined(STRIDE)\nkernel void k(global float *a) {\n"
                               "#if STRIDE == 1\n  a[STRIDE] = 1;\n#elif STRIDE == 2\n  a[0] = 2;\n"
                               "#else\n#error \"stride not supported\"\n#endif\n}\n#endif\n");
  EXPECT_NE(Note.find("STRIDE=1"), std::string::npos) << Note;
}

TEST(Tolerant, ParsedKernelsAreKeptOverMoreKernels) {
  ParseResult R = parse("kernel void seen(global int *a) { a[0] = 1; }\n"
                        "#ifdef EXTRA\nkernel void more(global int *a) { a[0] = b.c; }\n#endif\n",
                        true);
  ASSERT_TRUE(R.M);
  EXPECT_EQ(R.M->Kernels.size(), 1u);
  EXPECT_FALSE(firstError(R));
}

TEST(Tolerant, LeavesOutBrokenKernelsWithANote) {
  ParseResult R = parse("kernel void bad(global int *a) { a[0] = a.b.c; }\n"
                        "kernel void good(global int *a) { a[0] = 1; }\n",
                        true);
  ASSERT_TRUE(R.M);
  ASSERT_EQ(R.M->Kernels.size(), 1u);
  EXPECT_EQ(R.M->Kernels[0]->Name, "good");
  EXPECT_TRUE(llvm::is_contained(R.M->Notes, "kernel bad left out: it did not parse"));
}

TEST(Tolerant, LeavesOutMissingIncludes) {
  llvm::StringRef Text = "#include \"nowhere.h\"\nkernel void k(global int *a) { a[0] = 1; }\n";
  ParseResult R = parse(Text, true);
  ASSERT_TRUE(R.M);
  EXPECT_EQ(R.M->Kernels.size(), 1u);
  EXPECT_TRUE(llvm::is_contained(R.M->Notes, "include nowhere.h not found and left out"));
  EXPECT_EQ(R.M->Files[0].Text, Text);
  EXPECT_EQ(parse("#include <there/nowhere.h>\n#include \"../up.h\"\n#include \"/no/where.h\"\n"
                  "kernel void k(global int *a) { a[0] = 1; }\n",
                  true)
                .M->Notes.size(),
            3u);
  R = parse(Text, false);
  EXPECT_FALSE(R.M);
  EXPECT_NE(firstError(R)->Message.find("'nowhere.h' file not found"), std::string::npos);
}

TEST(Tolerant, ReadsKernelsInStrings) {
  llvm::StringRef Raw =
      "const char *src = R\"CL(\nkernel void k(global int *a) { a[0] = 1; }\n)CL\";\n";
  ParseResult R = parse(Raw, true);
  ASSERT_TRUE(R.M);
  ASSERT_EQ(R.M->Kernels.size(), 1u);
  SourceRange N = R.M->Kernels[0]->NameRange;
  EXPECT_EQ(Raw.slice(N.Begin, N.End), "k");
  llvm::StringRef Lines = "\"kernel void k(global int *a) {\\n\"\n\"  a[0] = 1;\\n\"\n\"}\\n\"\n";
  R = parse(Lines, true);
  ASSERT_TRUE(R.M);
  EXPECT_EQ(R.M->Kernels.size(), 1u);
  // Several strings.
  ParseResult Parts =
      parse("R\"(\n#define ONE 1\n)\"\n\nR\"(\nkernel void k(global int *a) { a[0] = ONE; }\n)\"\n",
            true);
  ASSERT_TRUE(Parts.M);
  EXPECT_EQ(Parts.M->Kernels.size(), 1u);
  // Sources of which a script makes strings.
  llvm::StringRef Sections =
      "static const char * first = \"\nkernel void k(global int *a) { a[0] = 1; }\n\";\n"
      "static const char * second = \"\nkernel void l(global int *a) { a[1] = 1; }\n\";\n";
  R = parse(Sections, true);
  ASSERT_TRUE(R.M);
  EXPECT_EQ(R.M->Kernels.size(), 2u);
  // A string with an end is none of these.
  R = parse("constant char name[] = \"\";\nkernel void k(global char *a) { a[0] = name[0]; }\n",
            true);
  ASSERT_TRUE(R.M);
  EXPECT_EQ(R.M->Kernels.size(), 1u);
}

TEST(Tolerant, ReadsKernelsInStringifyingMacros) {
  llvm::StringRef Text = "#define STRINGIFY(A) #A\nstd::string kernel_source = STRINGIFY(\n"
                         "kernel void k(global float *x) { x[0] = 1.0f; }\n);";
  ParseResult R = parse(Text, true);
  ASSERT_TRUE(R.M);
  ASSERT_EQ(R.M->Kernels.size(), 1u);
  EXPECT_EQ(R.M->Files[0].Text, Text);
  // A macro of that name inside code wraps nothing.
  R = parse("#define STRINGIFY(A) #A\nkernel void k(global float *x) { x[0] = 1.0f; }\n"
            "constant char name[] = STRINGIFY(k);",
            true);
  ASSERT_TRUE(R.M);
  EXPECT_EQ(R.M->Kernels.size(), 1u);
}

TEST(Tolerant, PlaceholdersBecomeNames) {
  llvm::StringRef Text =
      "kernel void k(global int *x) {\n  int width = %d, d = 3; // = %d\n  x[width] = x[1] %d;\n"
      "  printf(\"= %d\", x[0]);\n}\n";
  ParseResult R = parse(Text, true);
  ASSERT_TRUE(R.M);
  ASSERT_EQ(R.M->Kernels.size(), 1u);
  EXPECT_EQ(R.M->Files[0].Text, Text);
  ASSERT_EQ(R.M->Notes.size(), 1u);
  EXPECT_NE(R.M->Notes[0].find("_d=16"), std::string::npos) << R.M->Notes[0];
}

TEST(Tolerant, AcceptsLocalVariablesAnywhere) {
  ParseResult R = parse("float sum(global const float *in) {\n"
                        "  local float part[64];\n"
                        "  part[get_local_id(0)] = in[get_global_id(0)];\n"
                        "  barrier(CLK_LOCAL_MEM_FENCE);\n"
                        "  return part[0] + part[1];\n"
                        "}\n"
                        "kernel void k(global float *a, int n) {\n"
                        "  float s = sum(a);\n"
                        "  if (n) {\n"
                        "    local float more[64];\n"
                        "    more[get_local_id(0)] = s;\n"
                        "    s = more[0];\n"
                        "  }\n"
                        "  a[get_global_id(0)] = s;\n"
                        "}\n",
                        true);
  ASSERT_TRUE(R.M);
  ASSERT_EQ(R.M->Kernels.size(), 1u);
  EXPECT_TRUE(R.M->Kernels[0]->Opaques.empty());
  EXPECT_EQ(llvm::count_if(
                R.M->Kernels[0]->Vars,
                [](const Var *V) { return V->isMemory() && V->space() == AddressSpace::Local; }),
            2);
  EXPECT_EQ(R.M->Notes.size(), 1u);
  EXPECT_FALSE(
      parse("void f(void) { local int a[2]; }\nkernel void k(global int *a) { a[0] = 1; }\n").M)
      << "strictly, it is an error";
}

TEST(Tolerant, AcceptsCodeOfOtherCompilers) {
  auto Clean = [](llvm::StringRef Text, llvm::StringRef Note) {
    ParseResult R = parse(Text, true);
    return R.M && R.M->Kernels.size() == 1 && R.M->Kernels[0]->Opaques.empty() &&
           R.Guesses.empty() &&
           (Note.empty() ||
            llvm::any_of(R.M->Notes, [&](llvm::StringRef N) { return N.contains(Note); }));
  };
  EXPECT_TRUE(Clean("kernel void main(global int *a) { a[0] = 1; }\n", "'main'"));
  EXPECT_TRUE(Clean("kernel void k(global *a) { a[0] = 1; }\n", ""));
  EXPECT_TRUE(Clean("kernel void k(global int *a) { a[0] = pow(a[1], 2); }\n", "arguments of pow"));
  EXPECT_TRUE(
      Clean("kernel void k(global uint *a) { a[0] = min(a[1], 255); }\n", "arguments of min"));
  EXPECT_TRUE(Clean("kernel void k(global int *a) { a[0] = log2(a[1]); }\n", "arguments of log2"));
  EXPECT_TRUE(Clean("kernel void k(global float *a, int n) { a[0] = clamp(a[1], 0, n); }\n",
                    "arguments of clamp"));
  EXPECT_TRUE(Clean("kernel void k(global float *a) { a[0] = abs(a[1]); }\n", "arguments of abs"));
  EXPECT_TRUE(Clean("kernel void k(global half *a) { a[0] = a[1] * 2; }\n", "cl_khr_fp16"));
  EXPECT_TRUE(Clean("kernel void k(global float *a) { half x = 0; a[0] = x; }\n", "cl_khr_fp16"));
  EXPECT_TRUE(Clean("kernel void k(global float *a) { auto x = a[1]; a[0] = x; }\n", "auto"));
  EXPECT_TRUE(Clean("kernel void k(global float4 *a) { a[0] = a[1] * 0.5; }\n", "taken as float"));
  EXPECT_TRUE(Clean(
      "kernel void k(global float *a) { a[0] = f(a[1]); }\nfloat f(float x) { return x * 2; }\n",
      "function f"));
  EXPECT_TRUE(Clean("kernel void k(global float *a) { local float s = 0; s = a[1]; a[0] = s; }\n",
                    "initialised"));
  EXPECT_TRUE(Clean("kernel void k(global float2 *a) { a[0] = float2(1.0f, 2.0f); }\n", "float2"));
  EXPECT_FALSE(parse("kernel void k(global uint *a) { a[0] = min(a[1], 255); }\n").M)
      << "strictly, it is an error";
}

TEST(Tolerant, InfersDeclarationsOfMissingHeaders) {
  auto Guessed = [](llvm::StringRef Text) {
    ParseResult R = parse(Text, true);
    return R.M && R.M->Kernels.size() == 1 && R.M->Kernels[0]->Opaques.empty()
               ? R.Guesses
               : std::vector<std::string>();
  };
  EXPECT_EQ(
      Guessed("kernel void k(global struct Node *n, global float *a) { a[0] = n[1].weight; }\n")
          .size(),
      1u);
  EXPECT_EQ(
      Guessed("#ifndef COUNT\n#define COUNT -1\n#endif\ntypedef struct { float at[COUNT]; } P;\n"
              "kernel void k(global P *p) { p->at[0] = p->at[1]; }\n"),
      std::vector<std::string>{"COUNT=16"});
  EXPECT_EQ(Guessed("int f(int a) { return a; }\nKERNELS_OF(add, a + b)\nkernel void "
                    "k(global int *a) { a[0] = f(1); }\n")
                .size(),
            1u);
}

TEST(Tolerant, RemovesConstOfLaterAssignedVariables) {
  ParseResult R = parse("kernel void k(global int *a) {\n  const int2 at;\n  const int one = 1;\n  "
                        "at.x = one;\n  at.y = 2;\n  a[0] = at.x + at.y;\n}\n",
                        true);
  ASSERT_TRUE(R.M);
  ASSERT_EQ(R.M->Kernels.size(), 1u);
  EXPECT_TRUE(R.M->Kernels[0]->Opaques.empty());
  R = parse("kernel void k(global int *a) {\n  const int at = 1;\n  at = 2;\n  a[0] = at;\n}\n",
            true);
  EXPECT_TRUE(llvm::any_of(R.Diagnostics, [](const ParseDiagnostic &D) { return D.IsError; }))
      << "it has a value";
}

TEST(Tolerant, RemovesUnknownQualifiers) {
  auto Whole = [](llvm::StringRef Text) {
    ParseResult R = parse(Text, true);
    return R.M && R.M->Kernels.size() == 1 && R.M->Kernels[0]->Opaques.empty();
  };
  EXPECT_TRUE(Whole("kernel void k(global float *a, float x) {\n  a[0] = x ? a[1] : 2;\n  a[1] = "
                    "(a[2] + x) ? -a[1] : 2;\n}\n"))
      << "a condition in float";
  EXPECT_TRUE(Whole("float f(float x) { return x ? 1.0f : 0.0f; }\nkernel void k(global float *a) "
                    "{ a[0] = f(a[1]); }\n"))
      << "behind return";
  EXPECT_TRUE(Whole(
      "kernel void k(global float restrict *a, global const float restrict *b) { a[0] = b[0]; }\n"))
      << "restrict before the star";
  EXPECT_TRUE(Whole("kernel void k(global float *a) {\n  __attribute__((opencl_unroll_hint))\n  "
                    "first:for (int i = 0; i < 4; ++i)\n    a[i] = 0;\n}\n"))
      << "a hint before a label";
  EXPECT_TRUE(Whole("kernel void k(global float *a) {\n  __attribute__((opencl_unroll_hint(2)))\n  "
                    "first:for (int i = 0; i < 4; ++i)\n    a[i] = 0;\n}\n"))
      << "a hint with a number";
  // Parts of other words stay: constab is not const.
  ParseResult R = parse("kernel void k(global int *a) {\n  int constab;\n  const int ab = 1;\n  "
                        "constab = 2;\n  ab = 3;\n  a[0] = constab + ab;\n}\n",
                        true);
  EXPECT_TRUE(llvm::any_of(R.Diagnostics, [](const ParseDiagnostic &D) { return D.IsError; }));
}

TEST(Tolerant, ErrorDirectivesShowWantedNumbers) {
  auto Guesses = [](llvm::StringRef Conditions) {
    ParseResult R =
        parse((Conditions + "\nkernel void k(global int *a) { a[WIDE] = a[HIGH]; }\n").str(), true);
    return R.M && R.M->Kernels.size() == 1 ? R.Guesses : std::vector<std::string>();
  };
  EXPECT_EQ(Guesses("#if (WIDE != 4 && WIDE != 8) || (HIGH != 2 && HIGH != 4)\n#error WIDE and "
                    "HIGH are missing\n#endif"),
            (std::vector<std::string>{"WIDE=4", "HIGH=2"}));
  EXPECT_EQ(
      Guesses(
          "#ifndef WIDE\n#error no WIDE\n#endif\n#ifndef HIGH\n#error no HIGH\n#endif\n"
          "#if (HIGH > WIDE) || (HIGH != 2 && HIGH != 4)\n#error HIGH is no power of two\n#endif"),
      (std::vector<std::string>{"WIDE=16", "HIGH=2"}));
}

TEST(Tolerant, TemplateEnginesTextBecomesNames) {
  ParseResult R = parse("kernel void k(global int *a) {\n"
                        "  {% for i in rounds %}\n"
                        "  a[{{i}}] = a[1] % {{ cfg.size }};\n"
                        "  {% endfor %}\n"
                        "}\n",
                        true);
  ASSERT_TRUE(R.M);
  EXPECT_EQ(R.M->Kernels.size(), 1u);
  R = parse("constant int t[1][1] = {{N}};\nkernel void k(global int *a) { a[0] = t[0][0]; }\n",
            true);
  ASSERT_TRUE(R.M);
  EXPECT_EQ(R.Guesses, std::vector<std::string>{"N=16"}) << "a list in a list";
  R = parse(
      "constant float step = {{cfg.step}}f;\nconstant float4 axis = (float4)({{ x }}f, {{y}}f, "
      "{{y}}f, 0.0f);\n"
      "kernel void scale_{{name}}(global float *a) { a[0] *= step * axis.x; a[1] /= {{count}}; }\n",
      true);
  ASSERT_TRUE(R.M);
  ASSERT_EQ(R.M->Kernels.size(), 1u);
  EXPECT_EQ(R.M->Kernels[0]->Name, "scale___name__")
      << "what is filled in, and what stands around it, are one word";
  EXPECT_TRUE(R.M->Kernels[0]->Opaques.empty()) << "a number with its suffix";
  R = parse("str(\nkernel void k(global int *a) { a[0] = (1); }\n);\n", true);
  ASSERT_TRUE(R.M);
  EXPECT_EQ(R.M->Kernels.size(), 1u);
}

TEST(Tolerant, FlattensTemplates) {
  llvm::StringRef Source = R"cl(template <typename T, int N>
inline T times(T x) { return x * N; }
template <class T> kernel void scale(global T *a) {
  int i = get_global_id(0);
  a[i] = times<T, N>(a[i]) + static_cast<float>(i);
}
template __attribute__((mangled_name(scale_float))) kernel void scale<float>(global float *a);
)cl";
  ParseResult R = parse(Source, true);
  ASSERT_TRUE(R.M);
  ASSERT_EQ(R.M->Kernels.size(), 1u);
  EXPECT_TRUE(R.M->Kernels[0]->Opaques.empty());
  EXPECT_EQ(R.M->Files[0].Text, Source);
  EXPECT_TRUE(llvm::is_contained(R.M->Notes, "templates are taken for one type each"));
  // Not for a class.
  EXPECT_FALSE(parse("template <class T> struct Pair { T a, b; };\nkernel void k(global Pair<int> "
                     "*p) { p[0].a = 1; }\n",
                     true)
                   .M);
}

TEST(Tolerant, InfersTablesAndComponents) {
  auto Whole = [](llvm::StringRef Source) {
    ParseResult R = parse(Source, true);
    return R.M && R.M->Kernels.size() == 1 &&
           llvm::none_of(R.M->Notes, [](llvm::StringRef N) { return N.contains("did not parse"); });
  };
  EXPECT_TRUE(Whole("kernel void k(global int *a) { int i = get_global_id(0); a[i] = Sbox[a[i] & "
                    "255] ^ pairs[i & 7].zw.x; }\n"));
  EXPECT_TRUE(
      Whole("kernel void k(global int *a) { int i = get_global_id(0); a[i] = grid[i][1]; }\n"));
  EXPECT_TRUE(Whole(
      "kernel void k(global float *a) { int i = get_global_id(0); a[i] = FETCH(a, i).x; }\n"));
  EXPECT_TRUE(Whole("kernel void k(global float *a, global float *b) { int i = get_global_id(0); "
                    "float x = load_at(i, a); b[i] = x; }\n"));
  EXPECT_TRUE(Whole("kernel void k(global float *a) { float s = 0;\n#pragma unroll(TIMES)\n for "
                    "(int i = 0; i < 8; i++) s += a[i]; a[0] = s; }\n"));
  EXPECT_TRUE(Whole("#define ROWS (SIDE * y + x)\nkernel void k(global float *a, int x, int y) { "
                    "a[ROWS] = 0; }\n"));
  EXPECT_TRUE(Whole("#define SPEED PACE\nkernel void k(global float *a) { int i = "
                    "get_global_id(0); a[i] = SPEED; }\n"));
  EXPECT_TRUE(Whole("KERNEL void k(GLOBAL_MEM const SCALAR *a, GLOBAL_MEM SCALAR *b) { int i = "
                    "get_global_id(0); b[i] = a[i]; }\n"));
  EXPECT_TRUE(Whole("kernel void k(global float *a LOGGING) { int i = get_global_id(0); a[i] = 1 / "
                    "float(i); }\n"));
  EXPECT_TRUE(
      Whole("#if defined(SINGLE)\ntypedef float real;\n#elif defined(WIDE)\ntypedef double "
            "real;\n#else\n#error SINGLE or WIDE\n"
            "#endif\nkernel void k(global real *a) { int i = get_global_id(0); a[i] = 1; }\n"));
  EXPECT_TRUE(Whole(
      "#if ORDER == 1\n#define STEP(v) (v)\n#elif ORDER == 2\n#define STEP(v) ((v) * 2)\n#endif\n"
      "kernel void k(global float *a) { int i = get_global_id(0) + ORDER; a[i] = STEP(a[i]); }\n"));
  EXPECT_TRUE(Whole("float at(float *p, int i) { return p[i]; }\nkernel void k(global float *a) { "
                    "int i = get_global_id(0); a[i] = at(a, SHIFT); }\n"))
      << "generic pointers";
  EXPECT_TRUE(Whole("#ifndef __OPENCL_VERSION__\n#define SPACE\n#else\n#define SPACE "
                    "global\n#endif\nkernel void k(SPACE float *a) { a[0] = 1; }\n"));
  EXPECT_FALSE(Whole("kernel void k(global int *a) { int row = 1; a[0] = row[1]; }\n"))
      << "what is declared is no table";
}

TEST(Tolerant, FixesParameterLists) {
  llvm::StringRef Source = R"cl(sampler_t near = CLK_FILTER_NEAREST;
kernel void add(global float cells[CELLS], local float *t,
                global int flags[CELLS],
) {
  int i = get_global_id(0);
  cells[i] += flags[i];
}
kernel void look(read_only image2d_t in, global float *out) { out[0] = read_imagef(in, near, (int2)(0, 1)).x; }
kernel void sum_of(float *sum, int kernelSize) { *sum += kernelSize; }
kernel void user(global float *out) { float s = 0; sum_of(&s, 3); out[0] = s; }
)cl";
  ParseResult R = parse(Source, true);
  ASSERT_TRUE(R.M);
  ASSERT_EQ(R.M->Kernels.size(), 3u);
  EXPECT_TRUE(
      llvm::none_of(R.M->Notes, [](llvm::StringRef N) { return N.contains("did not parse"); }));
  EXPECT_EQ(R.M->Files[0].Text, Source);
  // A kernel that is not called stays a kernel.
  ParseResult Wrong = parse("kernel void alone(float *sum) { *sum = 1; }\n", true);
  EXPECT_FALSE(Wrong.M && Wrong.M->Notes.empty());
}

TEST(Tolerant, IgnoresCommentsBeforeARawString) {
  ParseResult R = parse("// The kernels { all } of it.\nR\"(\nkernel void k(global float *a) { "
                        "a[get_global_id(0)] = 1; }\n)\"\n",
                        true);
  ASSERT_TRUE(R.M);
  EXPECT_EQ(R.M->Kernels.size(), 1u);
}

TEST(Tolerant, LongLongIsAsWideAsLong) {
  ParseResult R =
      parse("typedef unsigned long long u64;\nkernel void k(global uchar *p, global T *q) {\n"
            "  u64 x = 7; uchar8 y = as_uchar8(x); p[0] = y.s0; }\n",
            true);
  ASSERT_TRUE(R.M);
  EXPECT_EQ(R.M->Kernels.size(), 1u);
}

TEST(Tolerant, AProductInParenthesesIsNoPointer) {
  EXPECT_EQ(guessNote("kernel void k(global int *p) {\n  uint at = get_global_id(0) * "
                      "(N_LOCAL_MAPS * N_STACKS);\n  p[at] = 1; }\n")
                .find("=float"),
            std::string::npos);
  EXPECT_NE(
      guessNote(
          "kernel void k(global int *p) {\n  global DATA *q = (global DATA *)p;\n  q[0] = 1; }\n")
          .find("DATA=float"),
      std::string::npos);
}

TEST(Tolerant, AProductInAMacroIsNoPointer) {
  ParseResult R = parse("#define SIZE GROUPS*LANES\nkernel void k(global int *p) {\n"
                        "  int line[SIZE]; line[0] = p[0]; p[0] = line[0]; }\n",
                        true);
  ASSERT_TRUE(R.M);
  EXPECT_EQ(R.M->Kernels.size(), 1u);
}

TEST(Tolerant, AcceptsCarriageReturnsAndOtherBytes) {
  ParseResult R = parse(
      "// caf\xe9\r\nkernel void k(global int *a)\r\n{\r\n  a[0] = 1; // \xff\r\n}\r\n", true);
  ASSERT_TRUE(R.M);
  EXPECT_EQ(R.M->Kernels.size(), 1u);
}

TEST(Tolerant, AReachedErrorDirectiveComesFirst) {
  // Names that depend on BITS are not inferred.
  ParseResult R = parse("#ifndef BITS\n#error no BITS\n#endif\n"
                        "#if BITS == 16\n#define V short2\n#elif BITS == 32\n#define V "
                        "int2\n#else\n#error no such BITS\n#endif\n"
                        "#define swap(v0, v1, t) { t = v0; v0 = v1; v1 = t; }\n"
                        "kernel void k(global V *a) {\n  V t, v0 = a[0], v1 = a[1];\n  swap(v0, "
                        "v1, t);\n  a[0] = v0;\n}\n",
                        true);
  ASSERT_TRUE(R.M);
  EXPECT_EQ(R.M->Kernels.size(), 1u);
  EXPECT_EQ(R.Guesses, std::vector<std::string>{"BITS=16"});
}

TEST(Tolerant, SurvivesCrashesOfTheParser) {
  // Clang 19 crashes where a pointer is cast to a vector.
  ParseResult R = parse("kernel void k(global float4 *a, global float *b) {\n"
                        "  float4 x = (float4)(READ((global int *)(b + 4)));\n"
                        "  float4 y = convert_float4(READ4((global int *)(b + 8)));\n"
                        "  a[0] = x + y;\n}\n"
                        "kernel void l(global float *a) { a[0] = 1; }\n",
                        true);
  ASSERT_TRUE(R.M);
  EXPECT_EQ(R.M->Kernels.size(), 2u);
  EXPECT_FALSE(firstError(R));
  // Without a name to replace, it is an error with its line.
  R = parse("kernel void k(global float4 *a, global float *b) {\n  a[0] = (float4)(b + 4);\n}\n",
            true);
  const ParseDiagnostic *D = firstError(R);
  ASSERT_TRUE(D);
  EXPECT_EQ(D->Line, 2u);
}

TEST(Tolerant, AnEmptyFileIsNoError) {
  ParseResult R = parse("", true);
  ASSERT_TRUE(R.M);
  EXPECT_TRUE(R.M->Kernels.empty());
}

TEST(Files, UnreadableFilesAreErrors) {
  auto Message = [](llvm::StringRef Name) {
    llvm::Expected<ParseResult> R = parseOpenCLFile(Name, {});
    return R ? std::string() : llvm::toString(R.takeError());
  };
  EXPECT_NE(Message("does/not/exist.cl").find("No such file"), std::string::npos);
  llvm::SmallString<128> Dir;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("clmali-model", Dir));
  EXPECT_NE(Message(Dir).find("is a directory"), std::string::npos);
  llvm::SmallString<128> File(Dir);
  llvm::sys::path::append(File, "binary.cl");
  {
    std::error_code EC;
    llvm::raw_fd_ostream OS(File, EC);
    OS << llvm::StringRef("\x7f"
                          "ELF\0\0\1",
                          7);
  }
  EXPECT_NE(Message(File).find("is not text"), std::string::npos);
  llvm::sys::fs::remove_directories(Dir);
}

TEST(Files, IncludeFilesOfTheirFolder) {
  llvm::SmallString<128> Dir;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("clmali-model", Dir));
  auto Write = [&](llvm::StringRef Name, llvm::StringRef Text) {
    llvm::SmallString<128> Path(Dir);
    llvm::sys::path::append(Path, Name);
    std::error_code EC;
    llvm::raw_fd_ostream OS(Path, EC);
    OS << Text;
    return std::string(Path);
  };
  Write("half.h", "float half_of(float x) { return x / 2; }\n");
  std::string Main = Write(
      "main.cl", "#include \"half.h\"\nkernel void k(global float *a) { a[0] = half_of(a[1]); }\n");
  llvm::Expected<ParseResult> R = parseOpenCLFile(Main, {});
  ASSERT_TRUE(bool(R));
  ASSERT_TRUE(R->M);
  EXPECT_EQ(R->M->Kernels[0]->Helpers, std::vector<std::string>{"half_of"});
  EXPECT_EQ(R->M->Files.size(), 2u) << "the helper's places are in the header";
  llvm::sys::fs::remove_directories(Dir);
}

// A parse that finds the name missing, and one with its definition: no other dialect has it.
TEST(Frontend, OneMissingNameTakesTwoParses) {
  for (llvm::StringRef Uses : {"x[0] * FACTOR", "(T)x[0]", "OP(x[0])", "helper(x[0], 2)"}) {
    ParseOptions O;
    O.Tolerant = true;
    auto Before = Work.Parses;
    ParseResult R = parseOpenCL(
        "in.cl", ("kernel void k(global float *x, int n) { x[n] = " + Uses + "; }\n").str(), O);
    EXPECT_TRUE(R.M && R.M->Kernels.size() == 1) << Uses.str();
    EXPECT_EQ(Work.Parses - Before, 2u) << Uses.str();
  }
}

} // namespace
