//===- Exchange.h - images whose texels are a buffer ------------------------------------------===//
//
// A rewritten kernel may take a buffer in place of an image ("arguments" of its manifest). Both
// must be one memory. So the layer makes the program's images from buffers of its own, where
//   - a loaded rewrite takes images of that format so,
//   - every device of the context has cl_khr_image2d_from_buffer, and its pitch alignment divides
//     the width, so that the rows have no gaps,
//   - the program gives no memory of its own: no host pointer, no buffer, no row pitch.
// The program sees images as it made them. In all other cases they are, and the original runs.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_LAYER_EXCHANGE_H
#define CLMALI_TOOLS_LAYER_EXCHANGE_H

#include "tools/layer/State.h"

namespace clmali::layer {

/// Images of these formats ("rgba-unorm8") are made from buffers from now on.
void makeFromBuffers(const std::vector<std::string> &Formats);
/// The functions that make images and tell of them; none, if no format was given.
void installExchange(cl_icd_dispatch &Table);

/// True for the buffer of such an image.
bool isOwnBuffer(cl_mem Buffer);
/// The buffer with the texels of the image, in rows without gaps; null: it has none.
cl_mem texelsOf(cl_mem Image);

} // namespace clmali::layer

#endif
