// Whether a launch file's arguments are those of the kernel.
#include "rewriters/verify/cases/TestPlan.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/ADT/Twine.h"

using namespace llvm;

namespace clmali::verify {
namespace {

using launch::Argument;
using launch::LaunchFile;

Error failure(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

/// Each value must be one of a component of \p T, or a byte where T is a struct.
Error checkValues(ArrayRef<std::string> Values, const ElementType &T) {
  ElementType One = T;
  if (One.K == ElementType::Kind::Raw) {
    One.K = ElementType::Kind::Unsigned;
    One.ScalarBytes = 1;
  }
  uint64_t Ignored;
  for (const std::string &Text : Values)
    if (Error E = parseScalar(One, Text, reinterpret_cast<uint8_t *>(&Ignored)))
      return E;
  return Error::success();
}

/// The kind of argument that a parameter takes, and how a launch file gives it.
std::pair<Argument::Kind, std::string> wantedFor(const Parameter &P) {
  switch (P.Where) {
  case Parameter::Space::Image:
    return {Argument::Kind::Image, "an image (" + P.TypeName + "): give image, format and size"};
  case Parameter::Space::Sampler:
    return {Argument::Kind::Sampler, "a sampler: give sampler"};
  case Parameter::Space::Local:
    return {Argument::Kind::Local, "a __local pointer: give local, its bytes"};
  default:
    break;
  }
  if (P.IsPointer)
    return {Argument::Kind::Buffer,
            "a pointer: give buffer and count, or value 0 for a null buffer"};
  return {Argument::Kind::Scalar, "a scalar (" + P.TypeName + "): give value"};
}

/// A null buffer: value 0 for a pointer to global or constant memory.
bool isNull(const Argument &A, const Parameter &P) {
  return P.IsPointer && P.Where != Parameter::Space::Local && A.K == Argument::Kind::Scalar &&
         A.Value == std::vector<std::string>{"0"};
}

/// What is wrong with image argument \p I; empty: nothing. Gives its parameter the type of texels.
std::string fitImage(const LaunchFile &F, KernelShape &Shape, unsigned I) {
  const Argument &A = F.Args[I];
  Parameter &P = Shape.Params[I];
  P.Type = texelOf(*launch::imageFormat(A.Format));
  if (A.Extents.size() != P.Image.extents())
    return "is an " + P.TypeName + ", whose size has " + std::to_string(P.Image.extents()) +
           " numbers, not " + std::to_string(A.Extents.size());
  using Use = ImageType::Access;
  if ((P.Image.Use == Use::Read && A.Use != Argument::Access::In) ||
      (P.Image.Use == Use::Write && A.Use == Argument::Access::In))
    return "is " + toString(P.Image.Use).str() +
           " in the kernel, which image: " + (A.Use == Argument::Access::In ? "in" : "out") +
           " does not allow";
  if (A.Data.K != launch::DataSpec::Kind::SameAs)
    return {};
  const Use Other = Shape.Params[F.findArgument(A.Data.SameAs) - F.Args.data()].Image.Use;
  if (P.Image.Use != Other)
    return "is the same image as '" + A.Data.SameAs + "', and the kernel has them as " +
           toString(P.Image.Use).str() + " and " + toString(Other).str() +
           ": what it reads from such an image is undefined";
  return {};
}

} // namespace

StringRef toString(ImageType::Access Use) {
  return Use == ImageType::Access::Read    ? "read_only"
         : Use == ImageType::Access::Write ? "write_only"
                                           : "read_write";
}

std::optional<ImageType> imageFromName(StringRef Name) {
  // "__read_only image2d_t" on some devices.
  Name = Name.trim().rsplit(' ').second.empty() ? Name.trim() : Name.trim().rsplit(' ').second;
  ImageType T;
  T.Array = Name.contains("_array_");
  T.Buffer = Name.contains("_buffer_");
  T.Dimensions = StringSwitch<unsigned>(Name)
                     .Cases("image1d_t", "image1d_array_t", "image1d_buffer_t", 1)
                     .Cases("image2d_t", "image2d_array_t", 2)
                     .Case("image3d_t", 3)
                     .Default(0);
  if (T.Dimensions == 0)
    return std::nullopt;
  return T;
}

Error checkFits(const LaunchFile &F, KernelShape &Shape) {
  auto misfit = [&](const Twine &What) { return failure(F.Path + ": " + What); };
  for (const Parameter &P : Shape.Params)
    if (P.Where == Parameter::Space::Other)
      return misfit("kernel '" + Shape.Name + "' takes '" + P.Name + "' (" + P.TypeName +
                    "), which is not supported");
  if (F.Args.size() != Shape.Params.size())
    return misfit("kernel '" + Shape.Name + "' has " + Twine(Shape.Params.size()) +
                  " arguments, and args gives " + Twine(F.Args.size()));
  if (Shape.RequiredLocal[0] != 0 && F.Local.empty())
    return misfit("kernel '" + Shape.Name + "' has reqd_work_group_size(" +
                  Twine(Shape.RequiredLocal[0]) + ", " + Twine(Shape.RequiredLocal[1]) + ", " +
                  Twine(Shape.RequiredLocal[2]) + "): local must be given");
  for (unsigned I = 0; I < F.Args.size(); ++I) {
    const Argument &A = F.Args[I];
    const Parameter &P = Shape.Params[I];
    if (!P.Name.empty() && P.Name != A.Name)
      return misfit("argument " + Twine(I) + " of kernel '" + Shape.Name + "' is '" + P.Name +
                    "', and args gives '" + A.Name + "' there");
    if (isNull(A, P)) {
      // Bytes that are all 0, and that no variant of the scalars changes.
      Shape.Params[I].Type = ElementType();
      Shape.Params[I].Type.Size = Shape.Params[I].Type.Lanes = sizeof(void *);
      continue;
    }
    const auto [Wanted, How] = wantedFor(P);
    if (A.K != Wanted && A.K == Argument::Kind::Local)
      return misfit("argument '" + A.Name + "' is no __local pointer");
    if (A.K != Wanted)
      return misfit("argument '" + A.Name + "' is " + How);
    if (A.K == Argument::Kind::Image)
      if (std::string Why = fitImage(F, Shape, I); !Why.empty())
        return misfit("argument '" + A.Name + "' " + Why);
    if (A.K == Argument::Kind::Scalar && P.Type.isInteger())
      for (const std::string &Text : A.Value)
        if (launch::isFloatLiteral(Text))
          return misfit("argument '" + A.Name + "' is of type " + P.TypeName +
                        ", and value gives '" + Text + "'");
    if (A.holdsData() && A.Data.K == launch::DataSpec::Kind::Values)
      if (Error E = checkValues(A.Data.Values, P.Type))
        return misfit("argument '" + A.Name + "' (" + (A.Format.empty() ? P.TypeName : A.Format) +
                      "): values: " + llvm::toString(std::move(E)));
  }
  return Error::success();
}

} // namespace clmali::verify
