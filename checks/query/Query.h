//===- Query.h - queries on the model that several checks use ---------------------------------===//
//
// Names for messages, strides between work-items, guards, provenance of values, known trip counts.
// The criterion of a rule stays in its check.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_QUERY_QUERY_H
#define CLMALI_CHECKS_QUERY_QUERY_H

#include "checks/Check.h"
#include "checks/model/analysis/Pinned.h"
#include "checks/model/analysis/Slice.h"
#include "checks/model/ir/Traversal.h"
#include "checks/model/pattern/Texels.h"
#include "checks/query/Evidence.h"
#include <set>

namespace clmali::checks {

/// "'src'": the accessed object by its source name, quoted.
std::string nameOf(const model::Access &A);
/// The accessed type: "uchar" or "float4".
std::string typeOf(const model::Access &A);
/// Bytes that one access moves (a 3-vector moves 3 elements).
unsigned widthInBytes(const model::Access &A);

/// Stride in bytes between adjacent work-items in dimension Dim, if it is a constant.
std::optional<int64_t> constantStride(const model::KernelAnalysis &K, const model::Access &A,
                                      unsigned Dim);

/// Stride in bytes between most adjacent work-items in dimension Dim, if it is a constant. A
/// remainder has the stride of its dividend, a quotient has stride 0 (y = i / w, x = i % w), a
/// clamped value has the stride it has within its bounds.
std::optional<int64_t> dominantStride(const model::KernelAnalysis &K, const model::AccessSite &Site,
                                      unsigned Dim);
/// The same of an address, as a polynomial, which may contain arguments.
std::optional<model::Poly> dominantStep(const model::KernelAnalysis &K, const model::Poly &Bytes,
                                        unsigned Dim);

using model::isPinned;

/// True if the guards of A and B are mutually exclusive.
bool exclude(const model::AccessSite &A, const model::AccessSite &B);

/// Equal for accesses of one buffer whose addresses differ by a constant.
using AddressClass = std::pair<const model::Var *, std::map<model::Monomial, int64_t>>;
AddressClass addressClass(const model::AccessSite &Site);

/// True if A and B have the same guards and the same enclosing loops.
bool sameControl(const model::AccessSite &A, const model::AccessSite &B);

/// True if the address does not depend on loaded data that differs between the work-items of a
/// group. The stride can still be unknown: stride() has no value where a part of the address is no
/// polynomial of the ids.
bool isRegular(const model::KernelAnalysis &K, const model::AccessSite &Site);
/// The same for an index.
bool isRegular(const model::KernelAnalysis &K, const model::Poly &P);

/// True if the innermost loop moves the address by one element per iteration.
bool stepsByElement(const model::KernelAnalysis &K, const model::AccessSite &Site);

/// Why an address is not a compile-time constant once loops of known length are unrolled; empty if
/// it is one.
std::string whyUnknown(const model::KernelAnalysis &K, const model::AccessSite &Site);

/// An access of an image: read_imagef(image, sampler, (int2)(x, y)).
struct ImageAccess {
  const model::Stmt *S = nullptr;    ///< that writes, or that holds the read
  const model::Expr *Read = nullptr; ///< null: a write
  llvm::StringRef Image;             ///< its name
  bool IsWrite = false;
  model::SourceRange Range;                        ///< of the call
  const model::Expr *At = nullptr;                 ///< the coordinates
  llvm::SmallVector<const model::Expr *, 4> Parts; ///< their components, x first; empty: unknown
};
std::vector<ImageAccess> imageAccesses(Context &C);

/// True if N describes an image or a sampler: not representable in the model, but not a buffer.
bool isOfImages(const model::OpaqueNote &N);
/// True if the kernel has an image among its arguments.
bool hasImages(const model::Kernel &K);
/// The text of the statements around a parse error; empty if N has another reason.
llvm::StringRef unparsedText(const model::Module &M, const model::OpaqueNote &N);
/// True if something that the model cannot represent may access buffers. Images and samplers do
/// not.
bool opaqueTouchesBuffers(const model::Kernel &K);
/// The same for one buffer: text that did not parse may access the buffers that it names.
bool opaqueTouches(Context &C, const model::Kernel &K, const model::Var &Buffer);
/// True if the kernel already uses full-width vector accesses, images or sub-group operations. Such
/// kernels count as hand-tuned: rules whose cost is only an estimate stay silent.
bool isHandTuned(const model::KernelAnalysis &K);

/// True if a compiler must assume that the buffer of A overlaps with another argument's buffer.
bool mayAlias(const model::Access &A);
/// True if a compiler must assume that a store to W changes what A loads: both are pointers that
/// may alias, and their types may. A char type aliases with every type.
bool mayChange(const model::Access &W, const model::Access &A);

/// True if the kernel swaps pointers, so that accesses may be to another buffer than the model has.
bool swapsPointers(const model::Kernel &K);
/// The field of structure Ty that a component of an access path names: "pos", "m[]"; null if Ty is
/// no structure or has no such field.
const model::Field *fieldOf(const model::Type *Ty, llvm::StringRef Part);
/// True if E is the placeholder for the result of a missing function, a value of which nothing is
/// known.
bool isUnknownValue(const model::Expr *E);

/// True if P has the same value for all work-items: no ids, loop variables or loaded data.
bool isUniform(const model::KernelAnalysis &K, const model::Poly &P);
/// The same, where loop variables that all work-items step equally are allowed.
bool isAlike(const model::KernelAnalysis &K, const model::Poly &P);

/// True if the kernel uses a global, local or group id. Without one, it runs as a single work-item.
bool usesIds(const model::KernelAnalysis &K);

/// Order of locations in reports: the kernel's own text before functions that it calls (which other
/// kernels may share), then source order.
bool isEarlier(const model::Kernel &K, model::SourceRange A, model::SourceRange B);

/// The index of the called function that contains R; the number of functions if R is in the
/// kernel's own text.
unsigned functionOf(const model::Kernel &K, model::SourceRange R);

using model::origin;
using model::stripCasts;
/// True if the loop is a grid-stride loop (`i += get_global_size(0)`): an iteration does the work
/// of one work-item.
bool goesThroughLaunch(const model::KernelAnalysis &K, const model::Stmt *Loop);
/// True if adjacent elements belong to adjacent work-items of dimension 1 or 2, whatever N is:
/// x[get_global_id(0) * N + get_global_id(1)].
bool isRowOfLaunch(const model::KernelAnalysis &K, const model::AccessSite &Site);

/// For each statement, the branches and loops that contain it, outermost first. A loop that only a
/// break ends has no condition.
struct Conditions : std::map<const model::Stmt *, std::vector<const model::Stmt *>> {};
const Conditions &conditions(Context &C);
/// Vector loads of which only one component is used (v[i].x), with the number of the component.
std::map<const model::Expr *, unsigned> componentLoads(const model::Kernel &K);

/// For each loop, the branches in it that contain a break, continue or return.
struct Leaves : std::map<const model::Stmt *, std::vector<const model::Stmt *>> {};
const Leaves &leaves(Context &C);

/// How often a work-item executes S, as far as it is known: the product of the known trip counts of
/// the enclosing loops.
uint64_t knownRounds(const GuessedFacts &G, const model::KernelAnalysis &K,
                     const Conditions &Around, const model::Stmt *S);

/// True if E contains an expression that the model cannot represent.
bool hasOpaque(const model::Expr *E);

/// "6.25 %", "50 %": Part of Whole with as many digits as it needs.
std::string percent(double Part, double Whole);

} // namespace clmali::checks

#endif
