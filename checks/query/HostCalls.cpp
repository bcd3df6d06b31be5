//===- HostCalls.cpp - classification of host API calls ---------------------------------------===//

#include "checks/query/HostCalls.h"
#include "checks/model/frontend/tolerant/SourceText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;
using namespace clmali;
using namespace clmali::checks;
using namespace clmali::model;

std::string checks::shortName(const HostCall &C) {
  StringRef Name = C.Name;
  size_t Colon = Name.rfind("::");
  return C.IsCpp && Colon != StringRef::npos && C.Name.rfind("cl::", 0) == 0 && Colon > 4
             ? Name.drop_front(Colon + 2).str()
             : Name.str();
}

static bool isOneOf(const HostCall &C, std::initializer_list<StringRef> Names) {
  std::string Short = shortName(C);
  return is_contained(Names, StringRef(Short));
}

bool checks::isTransfer(const HostCall &C) {
  return isOneOf(C, {"clEnqueueReadBuffer", "clEnqueueWriteBuffer", "clEnqueueReadBufferRect",
                     "clEnqueueWriteBufferRect", "enqueueReadBuffer", "enqueueWriteBuffer",
                     "enqueueReadBufferRect", "enqueueWriteBufferRect"});
}

bool checks::isCopy(const HostCall &C) { return C.Name == "cl::copy"; }

bool checks::isImageTransfer(const HostCall &C) {
  return isOneOf(
      C, {"clEnqueueReadImage", "clEnqueueWriteImage", "enqueueReadImage", "enqueueWriteImage"});
}

bool checks::createsMemory(const HostCall &C) {
  return isOneOf(C, {"clCreateBuffer", "clCreateBufferWithProperties", "clCreateImage",
                     "clCreateImage2D", "clCreateImage3D", "cl::Buffer", "cl::Image1D",
                     "cl::Image2D", "cl::Image3D"});
}

bool checks::compiles(const HostCall &C) {
  return C.MakesProgram ||
         isOneOf(C, {"clBuildProgram", "clCompileProgram", "clLinkProgram",
                     "clCreateProgramWithSource", "clCreateProgramWithBinary",
                     "clCreateProgramWithIL", "clCreateKernel", "clCreateKernelsInProgram",
                     "cl::Program", "cl::Kernel", "cl::KernelFunctor", "build"});
}

bool checks::asksForUnifiedMemory(const HostModule &H) {
  return any_of(H.Calls,
                [](const HostCall &C) {
                  return !C.Idle && any_of(C.Args, [](const HostArgument &A) {
                    return is_contained(A.Macros, "CL_DEVICE_HOST_UNIFIED_MEMORY") ||
                           StringRef(A.Text).contains("CL_DEVICE_HOST_UNIFIED_MEMORY");
                  });
                }) ||
         (!H.Files.empty() && StringRef(withoutComments(H.Files.front().Text))
                                  .contains("CL_DEVICE_HOST_UNIFIED_MEMORY"));
}

static bool isWordChar(char C) { return isAlnum(C) || C == '_'; }

static bool hasWordOf(StringRef Line, const StringSet<> &Words) {
  while (!Line.empty()) {
    Line = Line.drop_until(isWordChar);
    StringRef Word = Line.take_while(isWordChar);
    if (Words.contains(Word))
      return true;
    Line = Line.drop_front(Word.size());
  }
  return false;
}

bool checks::decidesByUnifiedMemory(const HostModule &H) {
  constexpr StringLiteral Question = "CL_DEVICE_HOST_UNIFIED_MEMORY";
  if (H.Files.empty())
    return false;
  // Variables that receive the answer: &unified, and unified = device.getInfo<..>().
  StringSet<> Answers;
  auto AddLast = [&](StringRef Text) {
    Text = Text.rtrim(" \t)");
    size_t Size = 0;
    while (Size < Text.size() && isWordChar(Text[Text.size() - 1 - Size]))
      ++Size;
    if (Size)
      Answers.insert(Text.take_back(Size));
  };
  for (const HostCall &C : H.Calls)
    if (C.Name == "clGetDeviceInfo" && C.Args.size() >= 4 &&
        (is_contained(C.Args[1].Macros, Question) || StringRef(C.Args[1].Text).contains(Question)))
      AddLast(C.Args[3].Text);
  SmallVector<StringRef, 0> Lines;
  std::string Code = withoutComments(H.Files.front().Text);
  StringRef(Code).split(Lines, '\n');
  for (StringRef Line : Lines)
    if (auto [Before, After] = Line.split('='); After.contains(Question))
      AddLast(Before);
  const StringSet<> Decides = {"if", "while", "switch", "return", "and", "or", "not"};
  return any_of(Lines, [&](StringRef Line) {
    // A test of the query's error code does not use the answer.
    bool Asks = Line.contains(Question) && !Line.contains("getInfo");
    bool Speaks = Line.contains_insensitive("unified") || hasWordOf(Line, Answers);
    bool Prints = Line.contains_insensitive("print") || Line.contains("<<");
    return Speaks && !Asks && !Prints &&
           (hasWordOf(Line, Decides) || Line.contains('?') || Line.contains("&&") ||
            Line.contains("||"));
  });
}

bool checks::isLaunch(const HostCall &C) {
  return isOneOf(C, {"clEnqueueNDRangeKernel", "enqueueNDRangeKernel", "clEnqueueTask",
                     "enqueueTask", "operator()"});
}

bool checks::isInComputeLoop(const HostCall &C) {
  return C.InLoop && !C.OncePerItem && isComputation(C.Gl.Loop, C.Gl.Around);
}

bool checks::isInComputation(const HostCall &C) {
  const uint8_t Both = GlRepeats | GlReadsBack;
  return isInComputeLoop(C) || ((C.Gl.Around & Both) == Both && !(C.Gl.Around & GlInteracts));
}

bool checks::isAtEachPass(const HostCall &C) { return C.InThisFile.IsGl && C.AtEachCall; }

std::string checks::atEachCall(const HostCall &C, StringRef Does) {
  return shortName(C) + " " + Does.str() + " at each call of '" + C.Function + "'";
}

std::string checks::inLoop(const HostCall &C, StringRef Does) {
  if (!C.LoopSite.isValid())
    return shortName(C) + " " + Does.str() + " in a loop";
  return shortName(C) + " " + Does.str() + " in '" + C.Function + "', which is called in a loop";
}

/// The words of an identifier: "drawNext_frame" are "draw", "next", "frame".
static SmallVector<std::string, 4> wordsOf(StringRef Name) {
  SmallVector<std::string, 4> Words;
  bool New = true, WasUpper = false;
  for (char C : Name) {
    if (!isAlpha(C)) {
      New = true;
      continue;
    }
    if (New || (isUpper(C) && !WasUpper))
      Words.emplace_back();
    Words.back() += toLower(C);
    New = false;
    WasUpper = isUpper(C);
  }
  return Words;
}

bool checks::isPerFrame(const HostCall &C) {
  return C.AtEachCall && any_of(wordsOf(C.Function), [](StringRef Word) {
           return StringSwitch<bool>(Word)
               .Cases("frame", "step", "substep", "timestep", "tick", "update", "iterate",
                      "iteration", true)
               .Cases("draw", "redraw", "render", "display", "paint", "animate", "idle", true)
               .Cases("simulate", "advance", "evolve", "generation", true)
               .Default(false);
         });
}

std::string checks::perFrame(const HostCall &C, StringRef Does) {
  return shortName(C) + " " + Does.str() + " in '" + C.Function +
         "', which by its name is called again and again";
}

void checks::noteLoop(const HostCall &C, Finding &F) {
  if (C.LoopSite.isValid())
    F.note(C.LoopSite, "called in a loop here");
}

static bool isInside(const SourceRange &Inner, const SourceRange &Outer) {
  return Outer.isValid() && Inner.File == Outer.File && Inner.Begin >= Outer.Begin &&
         Inner.End <= Outer.End;
}

std::optional<uint64_t> checks::workItems(const std::array<std::optional<uint64_t>, 3> &Size,
                                          unsigned Dims) {
  uint64_t Items = 1;
  for (unsigned Dim = 0; Dim < Dims; ++Dim) {
    if (!Size[Dim])
      return std::nullopt;
    Items *= *Size[Dim];
  }
  return Items;
}

Finding &checks::reportSize(Context &C, const HostLaunch &L, const SourceRange &Written,
                            const Twine &Message) {
  // Report at the call of the function around the launch, or at the launch itself.
  bool Before = Written.File == L.Range.File && Written.Begin < L.Range.Begin;
  bool SiteBetween = L.Site.Begin > Written.Begin && L.Site.Begin < L.Range.Begin;
  bool BySite = L.Site.isValid() && (!Before || SiteBetween || isInside(Written, L.Site));
  const SourceRange &Place = BySite ? L.Site : L.Range;
  Finding &F = C.report(Place, Message);
  if (Written.isValid() && !isInside(Written, Place))
    F.note(Written, "the size is written here");
  if (BySite)
    F.note(L.Range, "launched here");
  return F;
}

std::string checks::kernelOf(const HostLaunch &L) {
  return L.Kernel.empty() ? "a kernel" : "kernel '" + L.Kernel + "'";
}

bool checks::mapsForWriting(const HostCall &Map) {
  constexpr int64_t Write = 1 << 1, Invalidate = 1 << 2; // CL_MAP_WRITE and its like
  const size_t At = StringRef(shortName(Map)).starts_with("cl") ? 3 : 2;
  return At < Map.Args.size() && Map.Args[At].Value && (*Map.Args[At].Value & (Write | Invalidate));
}
