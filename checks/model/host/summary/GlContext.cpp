//===-- checks/model/host/summary/GlContext.cpp - Loops with OpenGL over host files -----===//

#include "checks/model/host/GlEffect.h"
#include "checks/model/host/summary/CallSummary.h"

using namespace llvm;

namespace clmali::model {

uint8_t SummaryLinker::foreignGl(uint32_t File, uint32_t From, uint32_t Begin, uint32_t End,
                                 unsigned Depth) const {
  uint8_t Effects = 0;
  if (Files.size() == 1 || From == ~0u || Depth > 4)
    return Effects;
  for (uint32_t I : Out[File][From]) {
    const CallSummary::CallSite &Site = Files[File]->CallSites[I];
    if (Site.Begin < Begin || Site.End > End || !Site.Unconditional || Targets[File][I].empty())
      continue;
    // Of several functions, one of which is called: what all of them do.
    uint8_t All = 0xFF;
    for (const Node &To : Targets[File][I])
      All &= at(To).Gl | foreignGl(To.File, To.Function, 0, UINT32_MAX, Depth + 1);
    Effects |= All;
  }
  return Effects;
}

uint8_t SummaryLinker::glOf(SiteAt R, const CallSummary::Loop &Loop) const {
  return Loop.Gl |
         foreignGl(R.File, Files[R.File]->CallSites[R.Site].From, Loop.Begin, Loop.End, 0);
}

namespace {
/// A chain of calls that leads to a function.
struct Chain {
  uint32_t File = 0, Function = 0; ///< where it begins
  uint8_t Around = 0;              ///< what is done around the calls
  uint8_t Loop = 0;                ///< what the first loop that draws does; 0: none yet
  std::string LoopFile;            ///< the call in that loop
  uint32_t Begin = 0, End = 0;
  bool Unconditional = true;
};
} // namespace

CrossFileFacts::GlContext SummaryLinker::glContext(Node Of, bool IsSetup) const {
  CrossFileFacts::GlContext Result;
  constexpr size_t Most = 64; // chains
  if (Files.size() > 1)
    for (uint32_t I : Out[Of.File][Of.Function]) {
      const CallSummary::CallSite &Site = Files[Of.File]->CallSites[I];
      for (const CallSummary::Loop &Loop : Site.Loops)
        if (uint8_t Gl = foreignGl(Of.File, Of.Function, Loop.Begin, Loop.End, 0))
          Result.Loops.push_back({Files[Of.File]->Files[Site.File], Loop.Begin, Loop.End, Gl});
    }
  auto Reads = [](uint8_t Around) { return (Around & GlReadsBack) && !(Around & GlInteracts); };
  Result.Around = foreignGl(Of.File, Of.Function, 0, UINT32_MAX, 0);
  std::vector<Chain> Chains(1);
  Chains[0].File = Of.File;
  Chains[0].Function = Of.Function;
  Chains[0].Around = Result.Around;
  for (size_t I = 0; I < Chains.size(); ++I) {
    const Chain Now = Chains[I];
    // The start of an application.
    if (at({Now.File, Now.Function}).Effects & (CallSummary::IsMain | CallSummary::MakesContext))
      continue;
    for (const SiteAt &R : Into[Now.File][Now.Function]) {
      const CallSummary::CallSite &Site = Files[R.File]->CallSites[R.Site];
      if (Site.From == ~0u || (IsSetup && Site.OnlyOnce))
        continue;
      Chain Next = Now;
      Next.File = R.File;
      Next.Function = Site.From;
      Next.Around |= Site.GlAround | foreignGl(R.File, Site.From, 0, UINT32_MAX, 0);
      Next.Unconditional &= Site.Unconditional;
      for (const CallSummary::Loop &Loop : Site.Loops)
        if (uint8_t Gl = glOf(R, Loop); !Next.Loop && Next.Unconditional && (Gl & GlDraws)) {
          Next.Loop = Gl;
          Next.LoopFile = Files[R.File]->Files[Site.File];
          Next.Begin = Site.Begin;
          Next.End = Site.End;
        }
      // The first chain with a read-back, and without a user, decides.
      uint8_t Interval = (Result.Around | Next.Around) & GlUnlimited;
      if (!Reads(Result.Around))
        Result.Around = Next.Around;
      Result.Around |= Interval;
      if (!Result.Loop && isComputation(Next.Loop, Next.Around)) {
        Result.Around = Next.Around | Interval;
        Result.Loop = Next.Loop;
        Result.File = Next.LoopFile;
        Result.Begin = Next.Begin;
        Result.End = Next.End;
      }
      if (Chains.size() < Most && none_of(Chains, [&](const Chain &C) {
            return C.File == Next.File && C.Function == Next.Function;
          }))
        Chains.push_back(std::move(Next));
    }
  }
  return Result;
}

} // namespace clmali::model
