//===- HostCode.cpp - a manifest as C and C++ for the host ------------------------------------===//

#include "tools/report/HostCode.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>
#include <set>

using namespace llvm;
using namespace clmali;
using namespace clmali::report;

namespace {

using launch::Expression;
using launch::ManifestKernel;
using launch::ManifestLaunch;

bool isWord(char C) { return isAlnum(C) || C == '_'; }

/// max, min and roundup are functions that the generated code defines.
std::string inC(const Expression &E, StringRef Prefix) {
  std::string Out;
  StringRef Text = E.text();
  while (!Text.empty()) {
    StringRef Word = Text.take_while(isWord);
    if (Word.empty()) {
      Out += Text.front();
      Text = Text.drop_front();
      continue;
    }
    Text = Text.drop_front(Word.size());
    if (Text.ltrim().starts_with("(") && (Word == "max" || Word == "min" || Word == "roundup"))
      Out += Prefix;
    Out += Word;
    // Every value is a cl_long.
    if (isDigit(Word[0]) && (Word.size() > 9))
      Out += "LL";
  }
  return Out;
}

struct Facts {
  std::vector<std::string> Kernels;   ///< each once
  std::vector<std::string> Arguments; ///< integer arguments that expressions use
  std::set<std::string> Geometry;     ///< "gx", "ly", ...
  std::set<std::string> Functions;    ///< "max", ...
};

Facts factsOf(const ManifestKernel &K) {
  Facts F;
  auto Add = [&](const Expression &E) {
    for (const std::string &Name : E.names())
      if (launch::isReservedName(Name))
        F.Geometry.insert(Name);
      else if (!is_contained(F.Arguments, Name))
        F.Arguments.push_back(Name);
    for (StringRef Function : {"max", "min", "roundup"})
      if (StringRef(E.text()).contains(Function.str() + "("))
        F.Functions.insert(Function.str());
  };
  for (const ManifestLaunch &L : K.Launches) {
    if (!is_contained(F.Kernels, L.Kernel))
      F.Kernels.push_back(L.Kernel);
    Add(L.When);
    for (const Expression &E : L.Global)
      Add(E);
    for (const Expression &E : L.Offset)
      Add(E);
    if (L.Local)
      for (const Expression &E : *L.Local)
        Add(E);
    for (const auto &[Name, E] : L.LocalBytes)
      Add(E);
  }
  return F;
}

bool isAlways(const Expression &E) { return E.text() == "1"; }

std::string functions(const Facts &F, StringRef Prefix, StringRef Storage) {
  std::string S;
  auto One = [&](StringRef Name, StringRef Body) {
    if (F.Functions.count(Name.str()))
      S += (Storage + "cl_long " + Prefix + Name + "(cl_long a, cl_long b) { return " + Body +
            "; }\n")
               .str();
  };
  One("max", "a > b ? a : b");
  One("min", "a < b ? a : b");
  One("roundup", "(a + b - 1) / b * b");
  return S;
}

/// Emits `const cl_long gx = ...;` for each used name. Size(Array, D) reads an array of the host.
std::string geometry(const Facts &F, StringRef Indent,
                     function_ref<std::string(char, unsigned)> Value) {
  std::string S;
  for (char Kind : {'g', 'l', 'o'})
    for (unsigned D = 0; D < 3; ++D) {
      std::string Name = std::string(1, Kind) + "xyz"[D];
      if (F.Geometry.count(Name))
        S += (Indent + "const cl_long " + Name + " = " + Value(Kind, D) + ";\n").str();
    }
  return S;
}

std::string list(ArrayRef<Expression> E, StringRef Prefix) {
  std::vector<std::string> Parts;
  for (const Expression &X : E)
    Parts.push_back("(size_t)(" + inC(X, Prefix) + ")");
  return join(Parts, ", ");
}

std::string buildOptions(const ManifestKernel &K) {
  return launch::buildOptions(K.Options, K.Defines);
}

/// Keeps a comment from ending early.
std::string comment(StringRef Text) {
  std::string S = Text.str();
  for (size_t At; (At = S.find("*/")) != std::string::npos;)
    S.replace(At, 2, "* /");
  return S;
}

std::string obligations(const ManifestKernel &K, StringRef Lead) {
  std::string S;
  for (const launch::Obligation &X : K.Obligations)
    S += (Lead + "It must be so (" + launch::toString(X.State) + "): " + comment(X.Text) + "\n")
             .str();
  return S;
}

unsigned indexOf(ArrayRef<std::string> Parameters, StringRef Name) {
  return find(Parameters, Name) - Parameters.begin();
}

std::string inCLanguage(const ManifestKernel &K, ArrayRef<std::string> Parameters) {
  Facts F = factsOf(K);
  std::string N = K.Original, Type = N + "_kernels", Prefix = N + "_";
  std::string S, Options = buildOptions(K);
  raw_string_ostream OS(S);
  OS << "/* " << N << " as it was rewritten. Build the program from the rewritten file"
     << (Options.empty() ? "" : " with the options \"" + comment(Options) + "\"") << ", then\n"
     << " *   " << Type << " k;\n"
     << " *   " << N << "_create(&k, program);\n"
     << " *   " << N << "_set_arg(&k, 0, sizeof value, &value);  for each argument, as before\n"
     << " * and in place of clEnqueueNDRangeKernel(queue, " << N
     << ", dims, offset, global, local, ...), with the same sizes:\n"
     << " *   " << N << "_enqueue(&k, queue, dims, offset, global, local";
  for (const std::string &A : F.Arguments)
    OS << ", " << A;
  OS << ", 0, NULL, NULL);\n"
     << obligations(K, " * ") << " */\n#include <CL/cl.h>\n#include <string.h>\n\n";
  OS << functions(F, Prefix, "static ") << (F.Functions.empty() ? "" : "\n");

  OS << "typedef struct {\n";
  for (const std::string &Name : F.Kernels)
    OS << "  cl_kernel " << Name << ";\n";
  OS << "} " << Type << ";\n\n";
  OS << "static void " << N << "_release(" << Type << " *k) {\n";
  for (const std::string &Name : F.Kernels)
    OS << "  if (k->" << Name << ")\n    clReleaseKernel(k->" << Name << ");\n";
  OS << "  memset(k, 0, sizeof *k);\n}\n\n";
  OS << "static cl_int " << N << "_create(" << Type << " *k, cl_program program) {\n"
     << "  cl_int status = CL_SUCCESS;\n  memset(k, 0, sizeof *k);\n";
  for (const std::string &Name : F.Kernels)
    OS << "  if (status == CL_SUCCESS)\n    k->" << Name << " = clCreateKernel(program, \"" << Name
       << "\", &status);\n";
  OS << "  if (status != CL_SUCCESS)\n    " << N << "_release(k);\n  return status;\n}\n\n";
  OS << "static cl_int " << N << "_set_arg(" << Type
     << " *k, cl_uint index, size_t size, const void *value) {\n"
     << "  cl_int status = CL_SUCCESS;\n";
  for (const std::string &Name : F.Kernels)
    OS << "  if (status == CL_SUCCESS)\n    status = clSetKernelArg(k->" << Name
       << ", index, size, value);\n";
  OS << "  return status;\n}\n\n";

  OS << "static cl_int " << N << "_enqueue(" << Type
     << " *k, cl_command_queue queue, cl_uint dims, const size_t *offset,\n"
     << "    const size_t *global, const size_t *local";
  for (const std::string &A : F.Arguments)
    OS << ", cl_long " << A;
  OS << ",\n    cl_uint num_waits, const cl_event *waits, cl_event *event) {\n";
  OS << geometry(F, "  ", [](char Kind, unsigned D) {
    std::string I = std::to_string(D), Has = D ? "dims > " + I + " ? " : "";
    if (Kind == 'g')
      return Has + "(cl_long)global[" + I + "]" + (D ? " : 1" : "");
    if (Kind == 'o')
      return (D ? "offset && dims > " + I : std::string("offset")) + " ? (cl_long)offset[" + I +
             "] : 0";
    return "local ? " +
           (D ? "(" + Has + "(cl_long)local[" + I + "] : 1)" : "(cl_long)local[" + I + "]") +
           " : 0";
  });
  OS << "  cl_event done[" << K.Launches.size()
     << "];\n  cl_uint count = 0, i;\n  cl_int status = CL_SUCCESS;\n"
     << "  (void)dims; (void)offset; (void)global; (void)local;\n\n";
  for (const ManifestLaunch &L : K.Launches) {
    OS << "  if (status == CL_SUCCESS"
       << (isAlways(L.When) ? "" : " && (" + inC(L.When, Prefix) + ")") << ") {\n";
    OS << "    const size_t g[] = {" << list(L.Global, Prefix) << "};\n";
    if (!L.Offset.empty())
      OS << "    const size_t o[] = {" << list(L.Offset, Prefix) << "};\n";
    if (L.Local)
      OS << "    const size_t l[] = {" << list(*L.Local, Prefix) << "};\n";
    for (const auto &[Name, Bytes] : L.LocalBytes)
      OS << "    status = clSetKernelArg(k->" << L.Kernel << ", " << indexOf(Parameters, Name)
         << ", (size_t)(" << inC(Bytes, Prefix) << "), NULL);\n    if (status == CL_SUCCESS)\n  ";
    OS << "    status = clEnqueueNDRangeKernel(queue, k->" << L.Kernel << ", " << L.Global.size()
       << ", " << (L.Offset.empty() ? "NULL" : "o") << ", g, "
       << (L.Local ? "l[0] ? l : NULL" : "NULL") << ", num_waits, waits, &done[count]);\n"
       << "    if (status == CL_SUCCESS)\n      ++count;\n  }\n";
  }
  OS << "\n  if (status == CL_SUCCESS && count == 0)\n    status = CL_INVALID_GLOBAL_WORK_SIZE;\n"
     << "  if (status == CL_SUCCESS && event)\n    status = clEnqueueMarkerWithWaitList(queue, "
        "count, done, event);\n"
     << "  for (i = 0; i < count; ++i)\n    clReleaseEvent(done[i]);\n  return status;\n}\n";
  return S;
}

std::string inCpp(const ManifestKernel &K, ArrayRef<std::string> Parameters) {
  Facts F = factsOf(K);
  std::string N = K.Original, Type = N + "_kernels";
  std::string S, Options = buildOptions(K);
  raw_string_ostream OS(S);
  // A member with the name of one of the class's functions would hide it.
  auto Member = [](const std::string &Name) { return Name + "_"; };
  OS << "// " << N << " as it was rewritten. Build the program from the rewritten file"
     << (Options.empty() ? "" : " with the options \"" + Options + "\"") << ", then\n"
     << "//   " << Type << " k(program);\n"
     << "//   k.setArg(0, value);  for each argument, as before\n"
     << "// and in place of queue.enqueueNDRangeKernel(" << N
     << ", offset, global, local), with the same sizes:\n"
     << "//   k.enqueue(queue, offset, global, local";
  for (const std::string &A : F.Arguments)
    OS << ", " << A;
  OS << ");\n"
     << obligations(K, "// ")
     << "#define CL_HPP_TARGET_OPENCL_VERSION 120 // or what the rest of the host sets\n"
     << "#define CL_HPP_MINIMUM_OPENCL_VERSION 120\n"
     << "#include <CL/opencl.hpp>\n#include <vector>\n\n";
  OS << "class " << Type << " {\npublic:\n  explicit " << Type
     << "(const cl::Program &program)\n      : ";
  for (size_t I = 0; I < F.Kernels.size(); ++I)
    OS << (I ? ", " : "") << Member(F.Kernels[I]) << "(program, \"" << F.Kernels[I] << "\")";
  OS << " {}\n\n"
     << "  template <typename... T> cl_int setArg(cl_uint index, const T &...value) {\n"
     << "    cl_int status = CL_SUCCESS;\n";
  for (const std::string &Name : F.Kernels)
    OS << "    if (status == CL_SUCCESS)\n      status = " << Member(Name)
       << ".setArg(index, value...);\n";
  OS << "    return status;\n  }\n\n";
  OS << "  cl_int enqueue(const cl::CommandQueue &queue, const cl::NDRange &offset, const "
        "cl::NDRange &global,\n"
     << "                 const cl::NDRange &local";
  for (const std::string &A : F.Arguments)
    OS << ", cl_long " << A;
  OS << ",\n                 const std::vector<cl::Event> *waits = nullptr, cl::Event *event = "
        "nullptr) {\n";
  OS << geometry(F, "    ", [](char Kind, unsigned D) {
    std::string I = std::to_string(D);
    if (Kind == 'g')
      return "at(global, " + I + ", 1)";
    if (Kind == 'o')
      return "at(offset, " + I + ", 0)";
    return "local.dimensions() ? at(local, " + I + ", 1) : 0";
  });
  OS << "    std::vector<cl::Event> done;\n    cl_int status = CL_SUCCESS;\n    (void)offset; "
        "(void)global; (void)local;\n\n";
  auto Range = [&](ArrayRef<Expression> E) {
    return E.empty() ? std::string("cl::NullRange") : "cl::NDRange(" + list(E, "") + ")";
  };
  for (const ManifestLaunch &L : K.Launches) {
    OS << "    if (status == CL_SUCCESS"
       << (isAlways(L.When) ? "" : " && (" + inC(L.When, "") + ")") << ") {\n";
    for (const auto &[Name, Bytes] : L.LocalBytes)
      OS << "      " << Member(L.Kernel) << ".setArg(" << indexOf(Parameters, Name)
         << ", cl::Local((size_t)(" << inC(Bytes, "") << ")));\n";
    OS << "      done.emplace_back();\n      status = queue.enqueueNDRangeKernel("
       << Member(L.Kernel) << ", " << Range(L.Offset) << ", " << Range(L.Global) << ",\n          "
       << (!L.Local
               ? std::string("cl::NullRange")
               : "(" + inC(L.Local->front(), "") + ") ? " + Range(*L.Local) + " : cl::NullRange")
       << ", waits, &done.back());\n    }\n";
  }
  OS << "\n    if (status == CL_SUCCESS && done.empty())\n      status = "
        "CL_INVALID_GLOBAL_WORK_SIZE;\n"
     << "    if (status == CL_SUCCESS && event)\n      status = "
        "queue.enqueueMarkerWithWaitList(&done, event);\n    return status;\n  }\n\nprivate:\n";
  for (const std::string &Name : F.Kernels)
    OS << "  cl::Kernel " << Member(Name) << ";\n";
  OS << "\n  static cl_long at(const cl::NDRange &range, unsigned d, cl_long otherwise) {\n"
     << "    return d < range.dimensions() ? (cl_long)range.get()[d] : otherwise;\n  }\n";
  std::string Helpers = functions(F, "", "  static ");
  OS << Helpers << "};\n";
  return S;
}

} // namespace

std::string report::hostCode(const ManifestKernel &Kernel, ArrayRef<std::string> Parameters,
                             HostLanguage Language) {
  const ManifestKernel K = launch::withRequireInWhen(Kernel);
  return Language == HostLanguage::C ? inCLanguage(K, Parameters) : inCpp(K, Parameters);
}

std::vector<std::string> report::launchesInWords(const ManifestKernel &Kernel) {
  const ManifestKernel K = launch::withRequireInWhen(Kernel);
  auto Sizes = [](ArrayRef<Expression> E) {
    std::vector<std::string> Parts;
    for (const Expression &X : E)
      Parts.push_back(X.text());
    return "(" + join(Parts, ", ") + ")";
  };
  auto Words = [](StringRef Condition) {
    std::string S;
    while (!Condition.empty())
      if (Condition.consume_front("&&"))
        S += "and";
      else if (Condition.consume_front("||"))
        S += "or";
      else {
        S += Condition.front();
        Condition = Condition.drop_front();
      }
    return S;
  };
  std::vector<std::string> Out;
  for (const ManifestLaunch &L : K.Launches) {
    std::string S = L.Kernel + " with global size " + Sizes(L.Global);
    bool NoOffset = all_of(L.Offset, [](const Expression &X) { return X.text() == "0"; });
    if (!NoOffset)
      S += ", offset " + Sizes(L.Offset);
    S += L.Local ? ", local size " + Sizes(*L.Local)
                 : std::string(", the local size left to the runtime");
    for (const auto &[Name, Bytes] : L.LocalBytes)
      S += ", " + Bytes.text() + " bytes for " + Name;
    S += isAlways(L.When) ? ", always" : ", if " + Words(L.When.text());
    Out.push_back(S + ".");
  }
  return Out;
}
