// Prints launch files as YAML that parses back to the same launch file.
#include "rewriters/launch/LaunchFile.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdio>

using namespace llvm;

namespace clmali::launch {
namespace {

std::string quote(StringRef Text) {
  std::string Out = "\"";
  for (char C : Text) {
    if (C == '"' || C == '\\')
      Out += '\\';
    if (C == '\n')
      Out += "\\n";
    else
      Out += C;
  }
  return Out + "\"";
}

std::string number(double Value) {
  char Text[40];
  std::snprintf(Text, sizeof(Text), "%.17g", Value);
  return Text;
}

void printTolerance(raw_ostream &OS, const Tolerance &T) {
  OS << "{ ";
  ListSeparator Comma;
  if (T.Ulp)
    OS << Comma << "ulp: " << number(*T.Ulp);
  if (T.Relative)
    OS << Comma << "rel: " << number(*T.Relative);
  if (T.Absolute)
    OS << Comma << "abs: " << number(*T.Absolute);
  if (T.Steps)
    OS << Comma << "steps: " << number(*T.Steps);
  OS << " }";
}

void printList(raw_ostream &OS, StringRef Key, ArrayRef<Expression> All) {
  OS << Key << ": [";
  ListSeparator Comma;
  for (const Expression &E : All)
    OS << Comma << quote(E.text());
  OS << "]";
}

void printTexts(raw_ostream &OS, ArrayRef<std::string> All) {
  OS << "[";
  ListSeparator Comma;
  for (const std::string &S : All)
    OS << Comma << quote(S);
  OS << "]";
}

void printData(raw_ostream &OS, const DataSpec &D) {
  switch (D.K) {
  case DataSpec::Kind::Unspecified:
    break;
  case DataSpec::Kind::Uniform:
    OS << ", data: { uniform: [" << number(D.Low) << ", " << number(D.High) << "] }";
    break;
  case DataSpec::Kind::Range:
    OS << ", data: { range: [" << quote(D.RangeLow.text()) << ", " << quote(D.RangeHigh.text())
       << "] }";
    break;
  case DataSpec::Kind::Zero:
    OS << ", data: { zero: true }";
    break;
  case DataSpec::Kind::Values:
    OS << ", data: { values: ";
    printTexts(OS, D.Values);
    OS << " }";
    break;
  case DataSpec::Kind::File:
    OS << ", data: { file: " << quote(D.File) << " }";
    break;
  case DataSpec::Kind::SameAs:
    OS << ", data: { same-as: " << D.SameAs << " }";
    break;
  }
}

/// A buffer or an image.
void printContents(raw_ostream &OS, const Argument &A) {
  OS << (A.K == Argument::Kind::Image ? "image: " : "buffer: ")
     << (A.Use == Argument::Access::In    ? "in"
         : A.Use == Argument::Access::Out ? "out"
                                          : "inout");
  if (A.K == Argument::Kind::Image)
    printList(OS << ", format: " << A.Format << ", ", "size", A.Extents);
  else if (A.Data.K != DataSpec::Kind::SameAs)
    OS << ", count: " << quote(A.Count.text());
  printData(OS, A.Data);
  if (A.Compare) {
    OS << ", compare: ";
    printTolerance(OS, *A.Compare);
  }
}

void printArgument(raw_ostream &OS, const Argument &A) {
  OS << "  - { name: " << A.Name << ", ";
  switch (A.K) {
  case Argument::Kind::Scalar:
    OS << "value: ";
    if (A.Value.size() == 1)
      OS << quote(A.Value.front());
    else
      printTexts(OS, A.Value);
    break;
  case Argument::Kind::Local:
    OS << "local: " << quote(A.LocalBytes.text());
    break;
  case Argument::Kind::Buffer:
  case Argument::Kind::Image:
    printContents(OS, A);
    break;
  case Argument::Kind::Sampler:
    OS << "sampler: { coords: " << (A.Sampler.Normalized ? "normalized" : "pixels")
       << ", address: " << toString(A.Sampler.Address)
       << ", filter: " << (A.Sampler.Linear ? "linear" : "nearest") << " }";
    break;
  }
  OS << " }\n";
}

} // namespace

std::string printLaunchFile(const LaunchFile &File) {
  std::string Text;
  raw_string_ostream OS(Text);
  if (!File.Source.empty())
    OS << "source: " << quote(File.Source) << "\n";
  OS << "kernel: " << quote(File.Kernel) << "\n";
  if (!File.Options.empty())
    OS << "options: " << quote(File.Options) << "\n";
  if (!File.Defines.empty()) {
    OS << "defines: { ";
    ListSeparator Comma;
    for (const auto &[Name, Value] : File.Defines)
      OS << Comma << Name << ": " << quote(Value);
    OS << " }\n";
  }
  OS << (File.Args.empty() ? "args: []\n" : "args:\n");
  for (const Argument &A : File.Args)
    printArgument(OS, A);
  const std::pair<StringRef, const std::vector<Expression> *> Lists[] = {
      {"global", &File.Global}, {"local", &File.Local}, {"offset", &File.Offset}};
  for (const auto &[Key, List] : Lists)
    if (Key == "global" || !List->empty()) {
      printList(OS, Key, *List);
      OS << "\n";
    }
  OS << "sizes:\n";
  for (const Size &S : File.Sizes) {
    OS << "  - {";
    ListSeparator Comma(",");
    for (const auto &[Name, Value] : S)
      OS << Comma << " " << Name << ": " << Value;
    OS << " }\n";
  }
  if (File.Compare.isSet()) {
    OS << "compare: ";
    printTolerance(OS, File.Compare);
    OS << "\n";
  }
  if (!File.Require.empty())
    printList(OS, "require", File.Require);
  if (!File.Require.empty())
    OS << "\n";
  return Text;
}

} // namespace clmali::launch
