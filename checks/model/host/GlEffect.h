//===-- checks/model/host/GlEffect.h - What a call of OpenGL does ---------*- C++ -*-===//
#ifndef CLMALI_CHECKS_MODEL_HOST_GLEFFECT_H
#define CLMALI_CHECKS_MODEL_HOST_GLEFFECT_H

#include <cstdint>

namespace clmali::model {

/// What calls of OpenGL and EGL do: bits.
enum GlEffect : uint8_t {
  GlDraws = 1,      ///< draws, or runs a compute shader
  GlReadsBack = 2,  ///< results come to the host
  GlShows = 4,      ///< swaps the buffers of a window
  GlClears = 8,     ///< the previous contents of the framebuffer are not needed
  GlTargets = 16,   ///< selects or changes the framebuffer that is drawn to
  GlInteracts = 32, ///< takes events of a user, by functions of the usual window libraries
  GlUnlimited = 64, ///< swaps no longer wait for the display
  GlRepeats = 128,  ///< draws in a loop
};

/// A loop computes: it draws, and the results come back to the host in each iteration, or around
/// the loop where no events of a user are taken. Loop: what each iteration does; Around: what is
/// done before, in and behind it.
constexpr bool isComputation(uint8_t Loop, uint8_t Around) {
  return (Loop & GlDraws) &&
         ((Loop & GlReadsBack) || ((Around & GlReadsBack) && !((Loop | Around) & GlInteracts)));
}

} // namespace clmali::model
#endif
