//===- KernelMerge.h - all launches of one kernel in one launch file --------------------------===//
//
// Before: dst_step = 640, cols = 640, rows = 480, global (768, 480); dst_step = 97, cols = 97, ...
// After:  args: [.. { name: dst_step, value: "dst_step" } ..]
//         global: ["roundup(cols, 256)", "rows"]
//         sizes: [{ dst_step: 640, cols: 640, rows: 480 }, ...]
//         require: ["dst_step >= cols"], or "dst_step == cols" where they never differ
//
// Limits: integer scalars only; a relation that holds at all recorded points may be a chance.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_RECORD_KERNELMERGE_H
#define CLMALI_TOOLS_RECORD_KERNELMERGE_H

#include "checks/model/ir/Model.h"
#include "rewriters/launch/LaunchFile.h"
#include "tools/record/Fit.h"
#include "tools/record/Recording.h"

namespace clmali::record {

/// What a launch file says of an image or sampler besides size and contents; empty for others.
std::string objectText(const PointArgument &A);

class KernelMerge {
public:
  /// \p Points: of one form, see sameForm(). \p Derived: the launch that the kernel alone gives;
  /// may be null.
  KernelMerge(const RecordedProgram &P, const model::Kernel &K, std::vector<Point> Points,
              const launch::LaunchFile *Derived)
      : P(P), K(K), Points(std::move(Points)), Derived(Derived) {}

  llvm::ArrayRef<Point> points() const { return Points; }
  /// One launch file for all points. The error says what cannot be written.
  llvm::Expected<std::string> merged();
  /// A launch file for one of points(), in numbers. \p Require: conditions of the merged file,
  /// which the point meets.
  llvm::Expected<std::string> exact(const Point &X, llvm::ArrayRef<std::string> Require = {}) const;
  /// True if the merged file gives the point its own buffer sizes, scalars and contents.
  bool holds(const launch::LaunchFile &Merged, const Point &X) const;
  /// The conditions of the merged file in numbers and arguments, at a point.
  std::vector<std::string> requireAt(const Point &X) const;

  /// True if one launch file can hold both: the same dimensions, a local size or none, the same
  /// buffers twice.
  static bool sameForm(const Point &A, const Point &B);

private:
  llvm::Error check() const;
  bool isInteger(size_t I) const;
  size_t numberOf(const Point &X) const { return &X - Points.data(); }
  int64_t integerAt(const Point &X, size_t I) const;
  llvm::Expected<std::string> valueText(const Point &X, size_t I) const;
  uint64_t elementSize(size_t I) const;
  void findVariables();
  void findDependents();
  std::string dependence(const std::string &Name, const std::vector<std::string> &Kept) const;
  static std::string replaced(const std::string &Text,
                              const std::map<std::string, std::string> &Names);
  bool inGeometry(const std::string &Name) const;
  bool isPitch(const std::string &Name) const;
  std::string own(const std::string &Name, const std::vector<int64_t> &Values);
  std::set<int64_t> roundings() const;
  std::string sizeOf(const std::string &Name, const std::vector<int64_t> &Values,
                     llvm::StringRef Hint);
  std::string settingOf(const std::string &Name, const std::vector<int64_t> &Values);
  std::string bufferText(size_t I, const std::string &Count, const std::string &Data) const;
  std::string imageText(size_t I, llvm::ArrayRef<std::string> Size, const std::string &Data) const;
  std::string contentsOf(size_t I) const;
  void findExtents();
  llvm::Expected<std::string> argument(size_t I);
  std::string geometry();
  std::string sizes() const;
  std::vector<std::string> relations() const;
  std::string head(llvm::StringRef Source) const;
  std::string hint(const std::vector<launch::Expression> &All, size_t D) const;

  const RecordedProgram &P;
  const model::Kernel &K;
  std::vector<Point> Points;
  const launch::LaunchFile *Derived;
  std::vector<std::string> Variables;
  std::vector<launch::Bindings> Values;          ///< of the variables, at each point
  std::vector<std::vector<std::string>> Extents; ///< expressions, of each argument that is an image
  std::map<std::string, std::string> ExtentOf;   ///< "width(src)", by the variable with its value
  std::vector<std::string> Geometry;             ///< expressions of global size, local size, offset
  std::map<std::string, std::string> OfDerived;  ///< the derived launch's names of global sizes
  std::map<std::string, std::string> Dependents; ///< arguments with the value of an expression
  std::vector<launch::Bindings> AllValues;       ///< of the variables and of the dependents
};

} // namespace clmali::record

#endif
