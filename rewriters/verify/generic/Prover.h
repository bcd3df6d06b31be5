// The proof of one request. The steps are in Prover.cpp (order), Bind.cpp (arguments, ids and sizes
// as symbols), Items.cpp (work-items over terms) and Effects.h (their accesses, compared).
#ifndef CLMALI_REWRITERS_VERIFY_GENERIC_PROVER_H
#define CLMALI_REWRITERS_VERIFY_GENERIC_PROVER_H

#include "rewriters/verify/generic/Coverage.h"
#include "rewriters/verify/generic/Effects.h"
#include "rewriters/verify/generic/Generic.h"
#include "rewriters/verify/generic/Questions.h"
#include "rewriters/verify/symbolic/Compile.h"
#include "rewriters/verify/symbolic/Machine.h"
#include "rewriters/verify/symbolic/loops/LoopValues.h"

#include "llvm/ADT/Twine.h"

#include <chrono>
#include <memory>
namespace clmali::verify::generic {

using symbolic::Machine;
using Reason = GenericProof::Reason;

/// Bytes of the largest buffer that a proof allows.
constexpr uint64_t MostBytes = UINT32_MAX;

/// Seconds of processor time that this process and its children have used.
double processorSeconds();

/// The size of the groups of every launch of \p F; 0: not known.
GroupSize groupSizeOf(const launch::LaunchFile &F);

class Prover {
public:
  /// \p Pin: scalar arguments have the value that the launch files fix for all launches. These have
  /// groups of one size, if any.
  Prover(const GenericRequest &R, bool Pin, double Until)
      : R(R), Pin(Pin), Until(Until), Manifest(launch::withRequireInWhen(R.Manifest)) {}
  GenericProof run();

private:
  bool stop(Reason Why, const llvm::Twine &Detail) {
    Result.Result = GenericProof::Outcome::NotProved;
    Result.Why = Why;
    Result.Detail = Detail.str();
    return false;
  }
  /// Adds what the proof takes for granted of groups and offsets.
  void requireGroups();
  double secondsLeft() const { return Until - processorSeconds(); }

  struct Block;

  // Bind.cpp
  bool checkLaunches();
  bool compile();
  /// The size of groups, where something depends on it.
  void findGroups();
  bool checkParameters(bool Rewritten, const llvm::Function &F);
  bool bind();
  /// The size of a __local argument, where groups are known.
  bool bindLocal(const launch::Argument &A, symbolic::BoundArgument &B);
  bool bindScalar(unsigned I, const llvm::Argument &Parameter);
  /// A buffer, or an image whose extents are symbols.
  bool bindBuffer(unsigned I);
  std::optional<int64_t> pinned(llvm::StringRef Argument) const;
  std::vector<ScalarRange> scalarRanges() const;
  /// Ids of one work-item along the axes of the original, up to \p Largest.
  std::array<Term, 3> freshIds(const std::array<std::optional<uint64_t>, 3> &Largest);
  /// The value of a launch expression in 64 bits; no term where it is not modelled.
  Term valueOf(const launch::Expression &E) { return valueOf(E, LaunchNames); }
  using Names = std::map<std::string, Term>;
  Term valueOf(const launch::Expression &E, const Names &Of);
  /// What the launch files say of sizes and arguments.
  void assumeHost(Questions &Q);
  Term hostFacts(const launch::LaunchFile &F);
  /// Sizes and offsets of the rewritten kernel's launches.
  void bindLaunch(llvm::ArrayRef<const LaunchClaim *> Claims);
  /// What the launches of a block say of ids and sizes.
  void assumeLaunch(Questions &Q, const Block &B);

  // Items.cpp
  bool proveKernel(const std::string &Kernel, llvm::ArrayRef<const LaunchClaim *> Claims);
  /// Work-items over terms; runs again where the machine needs other granules or inductive loops.
  /// Null: stopped, with a reason.
  std::unique_ptr<symbolic::Machine> execute(bool Rewritten, symbolic::OpenItem Item, bool &Again,
                                             const Block *B = nullptr);
  /// Work-item \p Id of the original, or the first one of its group.
  symbolic::OpenItem originalItem(const std::array<Term, 3> &Id, const GroupSize &Group);
  /// One bit: original work-item \p Id of a block is one of the launch.
  Term existence(const Block &B, const std::array<Term, 3> &Id);
  symbolic::OpenItem rewrittenItem(const Block &B, const std::array<Term, 3> &Id);
  /// Work-item \p Id of the original without the others of its group: for its addresses. \p Id
  /// becomes the sum of those of group and work-item, where the group is known.
  std::unique_ptr<symbolic::Machine> executeAlone(const Block &B, std::array<Term, 3> &Id);
  void assumeItem(Questions &Q, const Machine &M);
  void assumeSteps(Questions &Q, Block &B);
  bool shapeBlock(Block &B);
  /// The size of the groups of a launch of the rewritten kernel; false: not known.
  bool groupOf(const LaunchClaim &C, GroupSize &Group);
  bool executeOriginals(Block &B, bool &Again);
  bool executeRewritten(Block &B, bool &Again);
  bool executeBlock(Block &B);
  bool checkMath(const Block &B);
  /// True if no sum in an address wraps. Otherwise \p Again: those that may wrap are now known, and
  /// addresses have to be made again; or the proof stopped.
  bool checkSplits(Questions &Q, const Block &B, bool &Again);
  bool checkHazards(Questions &Q, const Block &B);
  bool proveBlock(Block &B, bool &Again);

  // Compare.cpp
  void pairStores(Questions &Q, Block &B);
  bool compareUpdates(Questions &Q, const Block &B);
  bool checkUpdated(const Block &B);
  using UpdateList = llvm::SmallVector<Update, 16>;
  void compareOperands(Questions &Q, llvm::ArrayRef<Term> Given, bool Fast, UpdateList From,
                       UpdateList To);
  void assumeCase(Questions &Q, llvm::ArrayRef<Term> Given, bool Fast, UpdateList &Of);
  void claimSame(Term Where, symbolic::UpdateKind K, Term X, Term Y, const std::string &What);
  void cancelPairs(Questions &Q, Term Case, UpdateList &From, UpdateList &To);
  bool compareStores(Questions &Q, const Block &B);
  void compareUnit(const Block &B, Unit At, const Stored &From, const Stored &To,
                   bool SameCondition);
  void claimOneWriter(Unit At, const Stored &S);
  bool checkOrder(Questions &Q, const Block &B);
  bool checkLoads(Questions &Q, const Block &B);
  bool checkInterference(Questions &Q, const Block &B);
  bool checkInside(Questions &Q, const Block &B, llvm::ArrayRef<unsigned> Shared);
  bool checkPairs(Questions &Q, unsigned Buffer, bool Stores, const Effects &One,
                  const Effects &Other, Term Differ);
  /// A bit that must be 1, and what is said where it is not proved.
  struct Claim {
    Term Bit = 0;
    Reason Otherwise = Reason::None;
    std::string Detail;
    Term Stronger = 0; ///< see Questions::ask()
  };
  void claim(Term Bit, Reason Otherwise, const llvm::Twine &Detail, Term Stronger = 0);
  /// Proves all Claims, and forgets them. False where one is not proved.
  bool proveClaims(Questions &Q);
  bool proveTogether(Questions &Q, llvm::ArrayRef<const Claim *> Some);
  bool proveOne(Questions &Q, const Claim &C);
  /// Adds sizes at which \p C may fail to the candidates, small ones if there are any.
  void addCandidates(Questions &Q, const Claim &C);
  std::string describe(const Questions &Q) const;

  const GenericRequest &R;
  bool Pin;
  double Until;
  launch::ManifestKernel Manifest;
  GenericProof Result;
  LaunchFacts Host;
  llvm::LLVMContext Context;
  symbolic::CompiledProgram Programs[2];
  std::vector<symbolic::ParameterInfo> Parameters;
  symbolic::TermStore T;
  symbolic::LoopValues Loops{T};
  SymbolicLimits Limits;
  std::vector<symbolic::BoundArgument> Bound;
  std::vector<std::string> BufferNames;
  std::vector<std::optional<symbolic::ImageContents>> BufferImages; ///< by buffer
  std::vector<unsigned> Granules;
  llvm::DenseSet<const llvm::BasicBlock *> Inductive;
  llvm::DenseSet<Term> Wrapping;                  ///< see OpenItem
  llvm::DenseSet<const llvm::Instruction *> Kept; ///< see OpenItem
  bool AnyRuns = false;                         ///< a launch that the launch files allow was found
  Names Scalars;                                ///< integers
  Names Extents;                                ///< of images, as Expression::names() has them
  Names LaunchNames;                            ///< what expressions of the manifest may use
  std::vector<Names> SizeNames;                 ///< the variables of `sizes`, by launch file
  std::vector<Term> Roundings;                  ///< what is known of the values of roundup()
  std::array<Term, 3> Sizes{}, Offsets{};       ///< of the original's launch
  std::array<Term, 3> ItsSizes{}, ItsOffsets{}; ///< of the rewritten kernel's
  Covered Coverage;
  std::vector<Claim> Claims;
};

} // namespace clmali::verify::generic

#endif
