//===- LaunchList.cpp -------------------------------------------------------------------------===//

#include "tools/record/LaunchList.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/StringSaver.h"

using namespace llvm;

namespace clmali::record {
namespace {

struct Counts {
  uint64_t Launches = 0, Nanoseconds = 0;
};

std::string list(ArrayRef<uint64_t> Values) {
  std::string Text;
  for (uint64_t V : Values)
    Text += (Text.empty() ? "[" : ", ") + std::to_string(V);
  return Text + "]";
}

/// The text of a launch up to its counts: what makes it a shape of its own for the linter.
std::string shapeOf(const RecordedKernel &K, const Point &X) {
  std::string Text =
      formatv("{{\"kernel\": {0}, \"global\": {1}", json::Value(K.Name), list(X.Global));
  if (!X.Local.empty())
    Text += ", \"local\": " + list(X.Local);
  if (!X.Offset.empty())
    Text += ", \"offset\": " + list(X.Offset);
  std::string Local, Buffers;
  for (size_t I = 0; I < X.Arguments.size(); ++I) {
    const PointArgument &A = X.Arguments[I];
    auto entry = [I](std::string &Into, uint64_t Value) {
      Into += formatv("{0}\"{1}\": {2}", Into.empty() ? "" : ", ", I, Value);
    };
    if (A.K == PointArgument::Kind::Local)
      entry(Local, A.Size);
    else if (A.K == PointArgument::Kind::Buffer)
      entry(Buffers, A.Same < 0 ? I : A.Same);
  }
  if (!Local.empty())
    Text += ", \"localBytes\": {" + Local + "}";
  // Which of them are the same one.
  if (!Buffers.empty())
    Text += ", \"buffers\": {" + Buffers + "}";
  return Text;
}

/// The options of the language and of arithmetic. Macros and include folders are in .clmali.yaml.
std::string languageOptions(StringRef Options) {
  BumpPtrAllocator Memory;
  StringSaver Saver(Memory);
  SmallVector<const char *, 8> Words;
  cl::TokenizeGNUCommandLine(Options, Saver, Words);
  std::string Text;
  for (StringRef Word : Words)
    if (Word.starts_with("-cl-") && Word != "-cl-kernel-arg-info")
      Text += (Text.empty() ? "" : " ") + Word.str();
  return Text;
}

} // namespace

std::string launchList(const RecordedProgram &P) {
  std::string Text =
      formatv("{{\"options\": {0}, \"launches\": [", json::Value(languageOptions(P.Options))).str();
  bool First = true;
  for (const auto &[Name, K] : P.Kernels) {
    std::vector<std::pair<std::string, Counts>> Shapes;
    for (const std::vector<Point> *All : {&K.Points, &K.Others})
      for (const Point &X : *All) {
        std::string Shape = shapeOf(K, X);
        auto It = find_if(Shapes, [&](const auto &S) { return S.first == Shape; });
        if (It == Shapes.end())
          It = Shapes.insert(Shapes.end(), {Shape, {}});
        It->second.Launches += X.Launches;
        It->second.Nanoseconds += X.Nanoseconds;
      }
    for (const auto &[Shape, Of] : Shapes) {
      Text += formatv("{0}\n{1}, \"launches\": {2}, \"milliseconds\": {3:f3}}", First ? "" : ",",
                      Shape, Of.Launches, Of.Nanoseconds / 1e6);
      First = false;
    }
  }
  return Text + "\n]}\n";
}

} // namespace clmali::record
