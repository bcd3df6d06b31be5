//===- clmali-picture: filters a PNG with a kernel and its launch file ------------------------===//
//
// Before: IN.png, a launch file whose one `in` buffer is an interleaved RGB picture of w x h pixels
// After:  OUT.png, computed by the original kernel, or by a rewritten one as its manifest says
// Limits: a demonstration of the rewriter: 8-bit RGB, one output buffer.
//
//   clmali-picture --make=3000x2000 OUT.png                             a synthetic scene
//   clmali-picture [--source=F.cl --manifest=F.json] LAUNCH.yaml IN.png OUT.png
//
//===------------------------------------------------------------------------------------------===//

#include "rewriters/launch/LaunchFile.h"
#include "rewriters/launch/Manifest.h"
#include "tools/version/Version.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <CL/cl.h>
#include <chrono>
#include <cmath>
#include <png.h>

using namespace llvm;
using namespace clmali;

namespace {

struct Picture {
  unsigned Width = 0, Height = 0;
  std::vector<uint8_t> Bytes; ///< RGB, row by row
};

Error fail(const Twine &Message) { return createStringError(inconvertibleErrorCode(), Message); }

Expected<Picture> readPicture(const std::string &Path) {
  png_image Image{};
  Image.version = PNG_IMAGE_VERSION;
  if (!png_image_begin_read_from_file(&Image, Path.c_str()))
    return fail("'" + Path + "': " + Image.message);
  Image.format = PNG_FORMAT_RGB;
  Picture P;
  P.Width = Image.width;
  P.Height = Image.height;
  P.Bytes.resize(PNG_IMAGE_SIZE(Image));
  if (!png_image_finish_read(&Image, nullptr, P.Bytes.data(), 0, nullptr))
    return fail("'" + Path + "': " + Image.message);
  return P;
}

Error writePicture(const std::string &Path, const Picture &P) {
  png_image Image{};
  Image.version = PNG_IMAGE_VERSION;
  Image.width = P.Width;
  Image.height = P.Height;
  Image.format = PNG_FORMAT_RGB;
  if (!png_image_write_to_file(&Image, Path.c_str(), 0, P.Bytes.data(), 0, nullptr))
    return fail("'" + Path + "': " + Image.message);
  return Error::success();
}

/// Smooth noise in [0, 1] with features of about Cell pixels.
double noise(double X, double Y, double Cell, unsigned Seed) {
  auto At = [&](int64_t I, int64_t J) {
    uint64_t H = uint64_t(I) * 0x9E3779B97F4A7C15u ^ uint64_t(J) * 0xC2B2AE3D27D4EB4Fu ^ Seed;
    H ^= H >> 29;
    H *= 0xBF58476D1CE4E5B9u;
    H ^= H >> 32;
    return double(H & 0xFFFFFF) / double(0xFFFFFF);
  };
  double U = X / Cell, V = Y / Cell, I = std::floor(U), J = std::floor(V);
  auto Ease = [](double T) { return T * T * (3 - 2 * T); };
  double S = Ease(U - I), T = Ease(V - J);
  double Top = At(I, J) + (At(I + 1, J) - At(I, J)) * S;
  double Low = At(I, J + 1) + (At(I + 1, J + 1) - At(I, J + 1)) * S;
  return Top + (Low - Top) * T;
}

/// A synthetic scene: sky, hills and grass, with detail at every scale and some noise.
Picture makePicture(unsigned Width, unsigned Height) {
  Picture P{Width, Height, std::vector<uint8_t>(size_t(Width) * Height * 3)};
  for (unsigned Y = 0; Y < Height; ++Y)
    for (unsigned X = 0; X < Width; ++X) {
      double Detail = 0, Weight = 0.5;
      for (double Cell = 256; Cell >= 2; Cell /= 2, Weight *= 0.6)
        Detail += Weight * (noise(X, Y, Cell, 7) - 0.5);
      double Horizon = Height * (0.45 + 0.15 * noise(X, 0, Width / 5.0, 3));
      bool Sky = Y < Horizon;
      double Depth = Sky ? Y / Horizon : (Y - Horizon) / (Height - Horizon);
      double Colour[3] = {Sky ? 110 + 90 * Depth : 60 + 70 * Depth,
                          Sky ? 150 + 70 * Depth : 100 + 60 * Depth, Sky ? 220.0 : 40 + 30 * Depth};
      for (unsigned Channel = 0; Channel < 3; ++Channel) {
        double Grain = 6 * (noise(X, Y, 1, 11 + Channel) - 0.5);
        double Value = Colour[Channel] + (Sky ? 70 : 140) * Detail + Grain;
        P.Bytes[3 * (size_t(Y) * Width + X) + Channel] = std::clamp(Value, 0.0, 255.0);
      }
    }
  return P;
}

//===------------------------------------------------------------------------------------------===//
// OpenCL
//===------------------------------------------------------------------------------------------===//

Error check(cl_int Code, StringRef Call) {
  return Code == CL_SUCCESS ? Error::success()
                            : fail(Call + " failed with OpenCL error " + itostr(Code));
}

struct Job {
  launch::LaunchFile File;
  launch::Size At;
  std::string Source, Options;
  const launch::ManifestKernel *Rewritten = nullptr;
};

/// Runs the kernel on the first device and prints the time of the launches.
Expected<std::vector<uint8_t>> runKernel(const Job &J, const Picture &In) {
  cl_platform_id Platform;
  cl_device_id Device;
  cl_int Code = clGetPlatformIDs(1, &Platform, nullptr);
  if (Error E = check(Code, "clGetPlatformIDs (is an OpenCL driver installed?)"))
    return std::move(E);
  if (Error E = check(clGetDeviceIDs(Platform, CL_DEVICE_TYPE_ALL, 1, &Device, nullptr),
                      "clGetDeviceIDs"))
    return std::move(E);
  cl_context Context = clCreateContext(nullptr, 1, &Device, nullptr, nullptr, &Code);
  if (Error E = check(Code, "clCreateContext"))
    return std::move(E);
  cl_command_queue Queue = clCreateCommandQueue(Context, Device, 0, &Code);
  if (Error E = check(Code, "clCreateCommandQueue"))
    return std::move(E);
  const char *Text = J.Source.c_str();
  cl_program Program = clCreateProgramWithSource(Context, 1, &Text, nullptr, &Code);
  if (Error E = check(Code, "clCreateProgramWithSource"))
    return std::move(E);
  if (Error E = check(clBuildProgram(Program, 1, &Device, J.Options.c_str(), nullptr, nullptr),
                      "clBuildProgram"))
    return std::move(E);

  Expected<launch::Bindings> Scalars = launch::integerArgumentsAt(J.File, J.At);
  if (!Scalars)
    return Scalars.takeError();
  Expected<launch::Geometry> Shape = launch::geometryAt(J.File, J.At);
  if (!Shape)
    return Shape.takeError();
  std::vector<launch::ResolvedLaunch> Launches;
  if (J.Rewritten) {
    auto Resolved = launch::resolveLaunches(*J.Rewritten, *Shape, *Scalars);
    if (!Resolved)
      return Resolved.takeError();
    Launches = std::move(*Resolved);
  } else {
    Launches.push_back({J.File.Kernel, 0, *Shape, {}});
  }

  std::vector<uint8_t> Out(In.Bytes.size());
  cl_mem Input = clCreateBuffer(Context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, In.Bytes.size(),
                                const_cast<uint8_t *>(In.Bytes.data()), &Code);
  if (Error E = check(Code, "clCreateBuffer"))
    return std::move(E);
  cl_mem Output = clCreateBuffer(Context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, Out.size(),
                                 Out.data(), &Code);
  if (Error E = check(Code, "clCreateBuffer"))
    return std::move(E);

  double Best = 0;
  // The first run includes the device's compilation.
  for (unsigned Run = 0; Run < 4; ++Run) {
    auto Start = std::chrono::steady_clock::now();
    for (const launch::ResolvedLaunch &L : Launches) {
      cl_kernel Kernel = clCreateKernel(Program, L.Kernel.c_str(), &Code);
      if (Error E = check(Code, "clCreateKernel"))
        return std::move(E);
      for (auto [Index, A] : enumerate(J.File.Args)) {
        if (A.K == launch::Argument::Kind::Buffer) {
          cl_mem &Buffer = A.Use == launch::Argument::Access::In ? Input : Output;
          Code = clSetKernelArg(Kernel, Index, sizeof(cl_mem), &Buffer);
        } else if (A.K == launch::Argument::Kind::Scalar) {
          cl_int Value = Scalars->contains(A.Name) ? Scalars->at(A.Name) : 0;
          Code = clSetKernelArg(Kernel, Index, sizeof(Value), &Value);
        } else {
          return fail("local arguments are not supported here");
        }
        if (Error E = check(Code, "clSetKernelArg for '" + A.Name + "'"))
          return std::move(E);
      }
      size_t Global[3], Local[3], Offset[3];
      for (unsigned D = 0; D < 3; ++D) {
        Global[D] = L.Shape.Global[D];
        Local[D] = L.Shape.Local[D];
        Offset[D] = L.Shape.Offset[D];
      }
      Code = clEnqueueNDRangeKernel(Queue, Kernel, L.Shape.Dimensions, Offset, Global,
                                    L.Shape.hasLocal() ? Local : nullptr, 0, nullptr, nullptr);
      if (Error E = check(Code, "clEnqueueNDRangeKernel of '" + L.Kernel + "'"))
        return std::move(E);
      clReleaseKernel(Kernel);
    }
    if (Error E = check(clFinish(Queue), "clFinish"))
      return std::move(E);
    std::chrono::duration<double> Took = std::chrono::steady_clock::now() - Start;
    if (Run == 0 || Took.count() < Best)
      Best = Took.count();
  }
  Code =
      clEnqueueReadBuffer(Queue, Output, CL_TRUE, 0, Out.size(), Out.data(), 0, nullptr, nullptr);
  if (Error E = check(Code, "clEnqueueReadBuffer"))
    return std::move(E);
  clReleaseMemObject(Input);
  clReleaseMemObject(Output);
  clReleaseProgram(Program);
  clReleaseCommandQueue(Queue);
  clReleaseContext(Context);
  outs() << format("%.4f", Best) << " s\n";
  return Out;
}

Error filter(StringRef LaunchPath, StringRef Source, StringRef ManifestPath,
             const std::string &InPath, const std::string &OutPath) {
  Expected<launch::LaunchFile> File = launch::readLaunchFile(LaunchPath);
  if (!File)
    return File.takeError();
  Job J;
  J.File = *File;
  std::string SourcePath =
      Source.empty() ? launch::besideLaunchFile(J.File, J.File.Source) : Source.str();
  auto Text = MemoryBuffer::getFile(SourcePath);
  if (!Text)
    return fail("'" + SourcePath + "': " + Text.getError().message());
  J.Source = (*Text)->getBuffer().str();
  J.Options = launch::buildOptions(J.File.Options, J.File.Defines);
  launch::Manifest M;
  if (!ManifestPath.empty()) {
    Expected<launch::Manifest> Read = launch::readManifest(ManifestPath);
    if (!Read)
      return Read.takeError();
    M = std::move(*Read);
    J.Rewritten = M.findKernel(J.File.Kernel);
    if (!J.Rewritten)
      return fail("'" + ManifestPath + "' has no kernel '" + J.File.Kernel + "'");
  }
  Expected<Picture> In = readPicture(InPath);
  if (!In)
    return In.takeError();
  J.At["w"] = In->Width;
  J.At["h"] = In->Height;
  Expected<std::vector<uint8_t>> Out = runKernel(J, *In);
  if (!Out)
    return Out.takeError();
  return writePicture(OutPath, {In->Width, In->Height, std::move(*Out)});
}

} // namespace

int main(int Argc, char **Argv) {
  std::vector<std::string> Paths;
  std::string Make, Source, ManifestPath;
  for (StringRef Arg : ArrayRef(Argv + 1, Argc - 1)) {
    if (Arg == "--version") {
      printVersion("clmali-picture");
      return 0;
    }
    if (Arg.consume_front("--make="))
      Make = Arg.str();
    else if (Arg.consume_front("--source="))
      Source = Arg.str();
    else if (Arg.consume_front("--manifest="))
      ManifestPath = Arg.str();
    else
      Paths.push_back(Arg.str());
  }
  Error E = Error::success();
  (void)!E;
  unsigned Width, Height;
  auto [W, H] = StringRef(Make).split('x');
  if (!Make.empty() && Paths.size() == 1 && !W.getAsInteger(10, Width) &&
      !H.getAsInteger(10, Height) && Width && Height && Width <= 20000 && Height <= 20000)
    E = writePicture(Paths[0], makePicture(Width, Height));
  else if (Make.empty() && Paths.size() == 3)
    E = filter(Paths[0], Source, ManifestPath, Paths[1], Paths[2]);
  else
    E = fail(
        "usage: clmali-picture --make=WxH OUT.png | [--source=F.cl --manifest=F.json] LAUNCH.yaml "
        "IN.png OUT.png");
  if (E) {
    errs() << "clmali-picture: " << toString(std::move(E)) << "\n";
    return 2;
  }
  return 0;
}
