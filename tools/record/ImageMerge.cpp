//===- ImageMerge.cpp - images and samplers of merged launches --------------------------------===//

#include "tools/record/KernelMerge.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace clmali::record {

static std::string quoted(StringRef Text) { return formatv("{0}", json::Value(Text)).str(); }

std::string objectText(const PointArgument &A) {
  if (A.K == PointArgument::Kind::Sampler)
    return "sampler: { coords: " + A.Coordinates + ", address: " + A.Address +
           ", filter: " + A.Filter + " }";
  if (A.K != PointArgument::Kind::Image)
    return {};
  return std::string("image: ") +
         (A.Access == "read_only"    ? "in"
          : A.Access == "write_only" ? "out"
                                     : "inout") +
         ", format: " + A.Format;
}

std::string KernelMerge::imageText(size_t I, ArrayRef<std::string> Size,
                                   const std::string &Data) const {
  const PointArgument &A = Points.front().Arguments[I];
  std::string Text = objectText(A) + ", size: [";
  for (size_t D = 0; D < Size.size(); ++D)
    Text += (D ? ", " : "") + quoted(replaced(Size[D], Dependents));
  Text += "]";
  if (A.Same >= 0)
    return Text + ", data: { same-as: " + K.Params[A.Same]->Name + " }";
  return Text + (Data.empty() ? "" : ", data: { file: " + quoted(Data) + " }");
}

/// The extents of images: expressions over the variables, or variables of their own. A kernel asks
/// its images for their size, so no argument need have it.
void KernelMerge::findExtents() {
  Extents.resize(K.Params.size());
  for (size_t I = 0; I < K.Params.size(); ++I) {
    const PointArgument &A = Points.front().Arguments[I];
    for (size_t D = 0; D < A.Extents.size(); ++D) {
      if (A.Same >= 0) {
        Extents[I].push_back(Extents[A.Same][D]);
        continue;
      }
      std::vector<int64_t> All;
      for (const Point &X : Points)
        All.push_back(X.Arguments[I].Extents[D]);
      const std::string Image = K.Params[I]->Name, Extent = launch::extentNames()[D].str();
      // At one point nothing says whether a size is a constant.
      const bool Constant = Points.size() > 1 && all_equal(All);
      const std::string Name = Extent + "_" + Image;
      Extents[I].push_back(Constant ? settingOf(Name, All) : sizeOf(Name, All, ""));
      ExtentOf.emplace(Extents[I].back(), launch::extentName(Extent, Image));
    }
  }
}

} // namespace clmali::record
