//===- Compiled.cpp - figures for one work-item, as text and as JSON --------------------------===//

#include "tools/compilers/Compiled.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::compilers;

Work compilers::perItem(const Cost &C, double Items) {
  Work W = C.work();
  if (Items > 0)
    for (std::optional<double> *X :
         {&W.Arithmetic, &W.LoadStore, &W.Texture, &W.Cycles, &W.Groups, &W.Loads, &W.Stores})
      if (*X)
        **X /= Items;
  return W;
}

std::vector<std::string> compilers::buildOptions(ArrayRef<std::string> ClangArgs) {
  std::vector<std::string> Options;
  for (size_t I = 0; I < ClangArgs.size(); ++I) {
    StringRef A = ClangArgs[I];
    bool Takes = A == "-D" || A == "-U" || A == "-I";
    if (Takes && I + 1 < ClangArgs.size())
      Options.push_back(A.str() + ClangArgs[++I]);
    else if (!Takes && (A.starts_with("-D") || A.starts_with("-U") || A.starts_with("-I") ||
                        A.starts_with("-cl-")))
      Options.push_back(A.str());
  }
  return Options;
}

static std::string workText(const Work &W) {
  std::string S;
  raw_string_ostream OS(S);
  if (W.Groups) {
    OS << formatv("{0:f1} instruction groups", *W.Groups);
    if (W.Loads)
      OS << formatv(", {0:f1} loads", *W.Loads);
    if (W.Stores)
      OS << formatv(", {0:f1} stores", *W.Stores);
  } else if (W.Cycles) {
    OS << formatv("{0:f2} cycles", *W.Cycles);
    if (!W.Bound.empty())
      OS << " (" << W.Bound << " bound)";
    for (auto [Name, X] :
         {std::pair{"A", W.Arithmetic}, std::pair{"L/S", W.LoadStore}, std::pair{"T", W.Texture}})
      if (X)
        OS << ", " << Name << formatv(" {0:f2}", *X);
  } else {
    OS << "neither cycles nor groups are reported";
  }
  return S;
}

std::string compilers::costText(const Cost &C) {
  if (!C.known())
    return "no figure: " + C.Reason;
  std::string S;
  raw_string_ostream OS(S);
  OS << workText(C.Once);
  if (C.Main && C.Bitwise && C.Control)
    OS << formatv("; {0:f0} main, {1:f0} bitwise, {2:f0} control", *C.Main, *C.Bitwise, *C.Control);
  if (C.Registers)
    OS << "; " << *C.Registers << " registers";
  if (C.Occupancy)
    OS << ", occupancy " << *C.Occupancy << " %";
  if (C.Spills.value_or(0) || C.Fills.value_or(0))
    OS << "; " << C.Spills.value_or(0) << " spills, " << C.Fills.value_or(0) << " fills";
  if (C.MaxWorkGroup)
    OS << "; work-group up to " << *C.MaxWorkGroup;
  if (C.Weighted)
    OS << "; loops weighted: " << workText(*C.Weighted);
  else if (C.LoopsCountedOnce && C.Loops.value_or(1))
    OS << "; each loop counted once";
  return S;
}

static void addWork(json::Object &To, const Work &W) {
  auto Add = [&](StringRef Name, const std::optional<double> &X) {
    if (X)
      To[Name] = *X;
  };
  Add("cycles", W.Cycles);
  Add("arithmetic", W.Arithmetic);
  Add("loadStore", W.LoadStore);
  Add("texture", W.Texture);
  Add("groups", W.Groups);
  Add("loads", W.Loads);
  Add("stores", W.Stores);
  if (!W.Bound.empty())
    To["bound"] = W.Bound;
}

json::Object compilers::costJson(const Cost &C, double Items) {
  json::Object X{{"kernel", json::fixUTF8(C.Kernel)},
                 {"device", C.Device},
                 {"compiler", C.Compiler},
                 {"version", C.Version},
                 {"status", C.known() ? "ok" : "no figure"}};
  if (!C.CompiledFor.empty())
    X["compiledFor"] = C.CompiledFor;
  if (!C.known()) {
    X["reason"] = json::fixUTF8(C.Reason);
    return X;
  }
  addWork(X, C.Once);
  for (auto [Name, Value] : {std::pair{"main", C.Main}, std::pair{"bitwise", C.Bitwise},
                             std::pair{"control", C.Control}})
    if (Value)
      X[Name] = *Value;
  for (auto [Name, Value] : {std::pair{"registers", C.Registers}, std::pair{"threads", C.Threads},
                             std::pair{"occupancy", C.Occupancy}, std::pair{"spills", C.Spills},
                             std::pair{"fills", C.Fills}, std::pair{"loops", C.Loops},
                             std::pair{"maxWorkGroup", C.MaxWorkGroup}})
    if (Value)
      X[Name] = *Value;
  X["loopsCountedOnce"] = C.LoopsCountedOnce;
  if (C.Weighted) {
    json::Object W;
    addWork(W, *C.Weighted);
    X["weighted"] = std::move(W);
  }
  if (Items > 0) {
    json::Object Per;
    addWork(Per, perItem(C, Items));
    X["perItem"] = std::move(Per);
    X["workItems"] = Items;
  }
  return X;
}
