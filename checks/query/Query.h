//===- Query.h - questions that several checks ask of the model -------------------------------===//
//
// Wording and small queries only: what an access is called, how far it moves from a work-item to
// its neighbour, whether a guard picks a single work-item. Decisions stay in the checks.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_CHECKS_QUERY_QUERY_H
#define CLMALI_CHECKS_QUERY_QUERY_H

#include "checks/Check.h"
#include "checks/model/analysis/Pinned.h"
#include "checks/model/analysis/Slice.h"
#include "checks/model/ir/Traversal.h"

namespace clmali::checks {

/// "'src'": the object that is accessed, as the user named it.
std::string nameOf(const model::Access &A);
/// "uchar" or "float4".
std::string typeOf(const model::Access &A);
/// Bytes that one access moves (a 3-vector moves 3 elements).
unsigned widthInBytes(const model::Access &A);

/// Bytes from a work-item to its neighbour in dimension Dim, where that is a constant.
std::optional<int64_t> constantStride(const model::KernelAnalysis &K, const model::Access &A,
                                      unsigned Dim);

/// How far an address moves from a work-item to its neighbour in most places, where that is a
/// constant: a remainder moves with what is divided, a quotient stands still (y = i / w, x = i %
/// w), what is clamped moves between its bounds.
std::optional<int64_t> dominantStride(const model::KernelAnalysis &K, const model::AccessSite &Site,
                                      unsigned Dim);
/// The same, in bytes, where arguments may be in it.
std::optional<model::Poly> dominantStep(const model::KernelAnalysis &K,
                                        const model::AccessSite &Site, unsigned Dim);

using model::isPinned;

/// Does what one runs under keep the other from running?
bool exclude(const model::AccessSite &A, const model::AccessSite &B);

/// Do two accesses run under the same guards and in the same loops?
bool sameControl(const model::AccessSite &A, const model::AccessSite &B);

/// Does nothing that memory says, differently for the work-items of a group, decide the address?
/// (How far neighbours are apart is another question: where a part of it is no polynomial of their
/// ids, stride() has no answer.)
bool isRegular(const model::KernelAnalysis &K, const model::AccessSite &Site);
/// The same of an index.
bool isRegular(const model::KernelAnalysis &K, const model::Poly &P);

/// Does the address move by one element, or as few as \p Most, from round to round of the innermost
/// loop?
bool stepsByElement(const model::KernelAnalysis &K, const model::AccessSite &Site,
                    int64_t Most = 1);

/// Why an address is not known at compile time, once loops of known length are unrolled; empty if
/// it is.
std::string whyUnknown(const model::KernelAnalysis &K, const model::AccessSite &Site);

/// Is it an image or a sampler: opaque, and no buffer?
bool isOfImages(const model::OpaqueNote &N);
/// The statements at a place that did not parse; empty for what is opaque for another reason.
llvm::StringRef unparsedText(const model::Module &M, const model::OpaqueNote &N);
/// May something that the model cannot represent read or write buffers? Images and samplers do not.
bool opaqueTouchesBuffers(const model::Kernel &K);
/// The same of one of them: a place that did not parse touches what it names.
bool opaqueTouches(Context &C, const model::Kernel &K, const model::Var &Buffer);
/// Does it take its data by whole vectors, by pixels or by sub-groups? Then somebody has tuned it,
/// and what no source gives a figure for he left as it is for his reasons.
bool takesWholeVectors(const model::KernelAnalysis &K);

/// May what A accesses be another argument's buffer, too, as far as a compiler can tell?
bool mayAlias(const model::Access &A);
/// May a store to W change what A loads, as far as a compiler can tell: through another pointer,
/// and of a type of which both may be? Of char anything may be.
bool mayChange(const model::Access &W, const model::Access &A);

/// Had a number to be guessed that the host defines?
bool hasGuessedNumbers(const model::Module &M);
/// Are pointers swapped, so that accesses through them may be of another buffer than the model
/// says?
bool swapsPointers(const model::Kernel &K);
/// Does a piece of the source speak of such a number?
bool mentionsGuess(const model::Module &M, llvm::StringRef Text);
/// Is E such a number?
bool isGuessedNumber(const model::Module &M, const model::Expr *E);
/// The field of a structure that a part of an access' path names: "pos", "m[]"; null: Ty is none,
/// or has no such field.
const model::Field *fieldOf(const model::Type *Ty, llvm::StringRef Part);
/// Is E what stands in for the result of a function that is missing: a value of which nothing is
/// known?
bool isUnknownValue(const model::Expr *E);
/// Does a value rest on such a number, through whatever variables?
bool restsOnGuess(const model::Module &M, const model::KernelAnalysis &K, const model::Expr *E);
/// Does a piece of the source speak of a type that had to be guessed?
bool mentionsGuessedType(const model::Module &M, llvm::StringRef Text);
/// Does a piece of the source call a macro that is not there, and was taken as one of nothing or of
/// its arguments?
bool mentionsGuessedText(const model::Module &M, llvm::StringRef Text);
/// Had a type to be guessed that may be a narrower one: float, where the host says half?
bool hasGuessedFloats(const model::Module &M);
/// Does such a number decide where a site is, or who gets there?
bool restsOnGuess(const model::Module &M, const model::KernelAnalysis &K,
                  const model::AccessSite &Site);
/// Does it decide how often a loop runs?
bool restsOnGuess(const model::Module &M, const model::KernelAnalysis &K,
                  const model::CountedLoop &L);

/// A poly's terms without work-items, loop variables and atoms are the same for all work-items.
bool isUniform(const model::KernelAnalysis &K, const model::Poly &P);
/// The same, or stepped alike by all work-items of the launch in a loop.
bool isAlike(const model::KernelAnalysis &K, const model::Poly &P);

/// Does the kernel ask for ids at all? One work-item alone shares nothing.
bool asksForIds(const model::KernelAnalysis &K);

/// Is A where people look first? The kernel's own text comes before that of the functions that it
/// calls, which other kernels may share; else what stands first does.
bool isEarlier(const model::Kernel &K, model::SourceRange A, model::SourceRange B);

/// In which of the functions that the kernel calls a place stands: its number, or as many as there
/// are for the kernel's own text.
unsigned functionOf(const model::Kernel &K, model::SourceRange R);

using model::origin;
using model::stripCasts;
/// `i += get_global_size(0)`: does a round of the loop do what one work-item would do, if there
/// were enough of them?
bool goesThroughLaunch(const model::KernelAnalysis &K, const model::Stmt *Loop);
/// x[get_global_id(0) * N + get_global_id(1)]: all of dimension 1 stand between two of dimension 0,
/// whatever N is.
bool isRowOfLaunch(const model::KernelAnalysis &K, const model::AccessSite &Site);

/// For each statement the branches and loops that decide whether it runs, outermost first; a loop
/// that only a break ends has no condition.
struct Conditions : std::map<const model::Stmt *, std::vector<const model::Stmt *>> {};
const Conditions &conditions(Context &C);
/// Which component of a vector in memory is all that a load is made for: v[i].x.
std::map<const model::Expr *, unsigned> componentLoads(const model::Kernel &K);

/// For each loop the branches in which it is left, or a round ended, early.
struct Leaves : std::map<const model::Stmt *, std::vector<const model::Stmt *>> {};
const Leaves &leaves(Context &C);

/// How often a work-item comes to S at most, as far as the source says it: the known rounds of the
/// loops around it.
uint64_t knownRounds(const model::Module &M, const model::KernelAnalysis &K,
                     const Conditions &Around, const model::Stmt *S);

/// Is there an opaque part below E?
bool hasOpaque(const model::Expr *E);

/// "a, b and c".
std::string listOf(llvm::ArrayRef<std::string> Parts);

/// "6.25 %", "50 %": Part of Whole with as many digits as it needs.
std::string percent(double Part, double Whole);

} // namespace clmali::checks

#endif
