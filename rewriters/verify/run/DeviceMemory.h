// The buffers and images of a run; for the files of Device alone.
#ifndef CLMALI_REWRITERS_VERIFY_RUN_DEVICEMEMORY_H
#define CLMALI_REWRITERS_VERIFY_RUN_DEVICEMEMORY_H

#include "rewriters/verify/run/Device.h"

namespace clmali::verify {

/// One buffer or image of a run, and what lies around it.
struct Device::Memory {
  cl_mem Buffer = nullptr; ///< what the kernel gets
  cl_mem Parent = nullptr; ///< Guarded: holds the guards too
  size_t Front = 0, Back = 0;
  void *Reserved = nullptr; ///< Pages*: the reservation
  size_t ReservedBytes = 0;
  uint8_t *Usable = nullptr; ///< Pages*: accessible bytes, payload among them
  size_t UsableBytes = 0;
  uint8_t *Payload = nullptr;
  const ArgumentValue *Image = nullptr; ///< an image, with this content before the run
  unsigned Channels = 0;                ///< Image: on the device, which may have more of them
};

} // namespace clmali::verify

#endif
