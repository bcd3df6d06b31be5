// A kernel's parameters as the device reports them, and values for them.
#ifndef CLMALI_REWRITERS_VERIFY_CASES_KERNEL_H
#define CLMALI_REWRITERS_VERIFY_CASES_KERNEL_H

#include "rewriters/verify/cases/Element.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace clmali::verify {

struct Parameter {
  enum class Space { Global, Constant, Local, Private, Image, Other };
  std::string Name;
  std::string TypeName;
  Space Where = Space::Private;
  bool IsPointer = false;
  /// Of the pointee for pointers, of the value for scalars.
  ElementType Type;
};

struct KernelShape {
  std::string Name;
  std::vector<Parameter> Params;
  /// reqd_work_group_size; zeros where there is none.
  std::array<uint64_t, 3> RequiredLocal{0, 0, 0};
  uint64_t MostItems = 0; ///< of one work-group, on this device
};

/// A value for one argument of a kernel.
struct ArgumentValue {
  enum class Kind { Scalar, Buffer, Local, Alias };
  Kind K = Kind::Scalar;
  Bytes Data;              ///< Scalar: its bytes; Buffer: its contents
  uint64_t LocalBytes = 0; ///< Local
  unsigned SameAs = 0;     ///< Alias: index of the buffer that is passed again
};

} // namespace clmali::verify

#endif
