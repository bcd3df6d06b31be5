// Accesses to images that the specification leaves undefined, made visible: text that is put before
// a program, and a mark on its samplers.
//
// Devices drop a write outside an image, or move it into another row. The text defines write_imagef
// and the others as functions that store into a protected zone instead. So a device in this process
// faults, and Oclgrind reports the store, both at an address that gives the line of the call.
// Reads without a sampler are treated alike. Reads by a sampler of address mode NONE are not
// wrong by themselves; two modes in place of NONE give two results where one reads outside.
#ifndef CLMALI_REWRITERS_VERIFY_RUN_IMAGEACCESS_H
#define CLMALI_REWRITERS_VERIFY_RUN_IMAGEACCESS_H

#include "rewriters/verify/cases/TestPlan.h"
#include "rewriters/verify/run/Child.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <cstdint>
#include <optional>
#include <string>

namespace clmali::verify {

/// FaultZone::Argument of the zone for accesses outside images.
inline constexpr unsigned NoArgument = ~0u;

/// The zone; no buffer lies there.
FaultZone imageZone();
/// Reserves the zone in this process, so that an access to it faults.
llvm::Error protectImageZone();
/// The source line of an access at \p Address; nothing where it lies outside the zone.
std::optional<unsigned> imageLine(uint64_t Address);

/// Text before a program. It ends with `#line 1`.
std::string imagePreamble();

/// What a sampler of address mode NONE becomes.
enum class NoneBecomes { Clamp, ClampToEdge };
/// \p Source with another address mode in place of NONE: by that name, in included files as well,
/// and as a number in an initializer, which is put into a macro. The source as it is, if it has
/// nothing of this.
std::string withoutNone(llvm::StringRef Source, NoneBecomes To);

/// True if a kernel of the plan has images, resp. images of a buffer (image1d_buffer_t).
bool usesImages(const TestPlan &P);
bool usesBufferImages(const TestPlan &P);
/// True if the preamble's macros stay as they are: no program has macros of these names itself.
bool keepsPreamble(const TestPlan &P);

} // namespace clmali::verify

#endif
