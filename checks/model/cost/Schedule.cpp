//===-- checks/model/cost/Schedule.cpp - Registers of a lowered kernel ---------===//

#include "checks/model/cost/Schedule.h"
#include "checks/model/cost/Constants.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

namespace clmali::model {

namespace {

/// A register's worth of a value, and the instructions that make and read it.
struct Atom {
  double Size = 1;
  unsigned Region = 0;
};

struct Instruction {
  llvm::SmallVector<unsigned, 4> Makes, Reads; ///< atoms
  enum : uint8_t { Plain, Loads, Writes } Memory = Plain;
  double Inside = 0;  ///< a region: registers that it needs, those of Reads included
  double Between = 0; ///< registers of the product, where a multiply-add is two instructions
};

class Scheduler {
public:
  Scheduler(const Program &P, const rules::DeviceFacts &D) : P(P), D(D) {
    AtomsOf.resize(P.Ops.size());
  }

  Pressure run() {
    Bodies.resize(P.Regions.size());
    First.resize(P.Regions.size());
    Carried.resize(P.Regions.size());
    translate(0);
    ReadIn.resize(Atoms.size());
    for (auto [A, In] : llvm::enumerate(ReadIn))
      In = Atoms[A].Region;
    for (auto [R, Body] : llvm::enumerate(Bodies))
      for (const Instruction &I : Body)
        for (unsigned A : I.Reads)
          while (!P.isInside(R, ReadIn[A]))
            ReadIn[A] = P.Regions[ReadIn[A]].Parent;
    Need Whole = region(0);
    Pressure Result;
    Result.Source = Whole.Source;
    Result.Least = Whole.Least;
    Result.Times = P.Regions[Whole.PeakIn].Times;
    Result.Idle = Whole.Idle;
    for (unsigned In = Whole.PeakIn; In && !Result.InLoop; In = P.Regions[In].Parent) {
      Result.InLoop = P.Regions[In].K == Region::Loop;
      Result.Outside = P.Regions[P.Regions[In].Parent].Times;
    }
    return Result;
  }

private:
  struct Need {
    double Source = 0, Least = 0;
    unsigned PeakIn = 0;  ///< the innermost region that needs Least
    double Idle = 0;      ///< as Pressure::Idle
    bool HasLoop = false; ///< PeakIn is in a loop in this region, or this region is one
    llvm::SmallVector<unsigned, 4> LiveIn, LiveOut;
  };
  const Program &P;
  const rules::DeviceFacts &D;
  std::vector<Atom> Atoms;
  std::vector<llvm::SmallVector<unsigned, 4>> AtomsOf; ///< of each operation
  std::vector<std::vector<Instruction>> Bodies;        ///< of each region
  std::vector<unsigned> ReadIn; ///< of each atom: the region around all that read it
  /// Of each loop: the atoms that its variables have when it is entered, and the variables.
  std::vector<llvm::SmallVector<unsigned, 4>> First, Carried;

  //--- Instructions.

  unsigned lanesOfAtom(const Type *Ty) const {
    unsigned Bits = Ty->Scalar == ScalarKind::Bool ? 32 : sizeInBits(Ty->Scalar);
    if (D.PadsSubword)
      Bits = std::max(Bits, 32u);
    return std::max(1u, std::max(32u, D.RegisterBits) / Bits);
  }
  double sizeOf(const Type *Ty) const {
    unsigned Bits = Ty->Scalar == ScalarKind::Bool ? 32 : sizeInBits(Ty->Scalar);
    double Register = std::max(32u, D.RegisterBits);
    if (Ty->Lanes * Bits >= Register || Ty->isVector())
      return std::max(1.0, Bits / Register);
    return std::max(32u, Bits) / Register;
  }

  void create(unsigned N, unsigned Region) {
    const Type *Ty = P.Ops[N].Ty;
    if (!Ty || !Ty->isValue())
      return;
    unsigned Each = lanesOfAtom(Ty), Count = (Ty->Lanes + Each - 1) / Each;
    for (unsigned I = 0; I < Count; ++I) {
      AtomsOf[N].push_back(Atoms.size());
      Atoms.push_back({sizeOf(Ty), Region});
    }
  }

  /// The atoms of operand Op that hold what register I of Count of a result with Lanes lanes needs.
  void read(unsigned Op, unsigned I, unsigned Count, Instruction &In) const {
    const Operation &O = P.Ops[Op];
    if (O.Class == OpClass::Pack && O.Named) {
      unsigned Each = std::max<size_t>(1, O.From.size() / Count);
      for (unsigned L = I * Each; L < std::min<size_t>((I + 1) * Each, O.From.size()); ++L)
        if (std::optional<unsigned> A = atomOf(Op, L); A && !llvm::is_contained(In.Reads, *A))
          In.Reads.push_back(*A);
      return;
    }
    llvm::ArrayRef<unsigned> From = AtomsOf[Op];
    if (From.empty())
      return;
    unsigned Begin = I * From.size() / Count,
             End = std::max<unsigned>(Begin + 1, (I + 1) * From.size() / Count);
    for (unsigned A : From.slice(Begin, std::min<unsigned>(End, From.size()) - Begin))
      if (!llvm::is_contained(In.Reads, A))
        In.Reads.push_back(A);
  }

  void translate(unsigned R) {
    for (int Item : P.Regions[R].Order) {
      if (Item < 0) {
        translate(unsigned(~Item));
        Bodies[R].emplace_back().Inside = -1 - double(~Item); // filled in by region()
        continue;
      }
      if (P.Ops[Item].Used)
        operation(unsigned(Item), R);
    }
  }

  void operation(unsigned N, unsigned R) {
    const Operation &O = P.Ops[N];
    switch (O.Class) {
    case OpClass::Leaf:
      // Constants, arguments and ids are in registers of their own.
      if (O.Operands.empty())
        return;
      create(N, R);
      if (O.Carried) {
        llvm::append_range(First[R], AtomsOf[O.Operands[0]]);
        Carried[R].push_back(N);
        return;
      }
      Bodies[R].emplace_back().Makes = AtomsOf[N];
      for (unsigned Op : O.Operands)
        read(Op, 0, 1, Bodies[R].back());
      return;
    case OpClass::Alias:
      if (!O.Operands.empty())
        AtomsOf[N] = AtomsOf[O.Operands[0]];
      return;
    case OpClass::Pack:
      return pack(N, R);
    case OpClass::Load:
    case OpClass::Texture:
      create(N, R);
      return transfer(AtomsOf[N], O, R, Instruction::Loads);
    case OpClass::Store: {
      llvm::SmallVector<unsigned, 4> Value = AtomsOf[O.Operands.back()];
      return transfer(Value, O, R, Instruction::Writes);
    }
    default:
      break;
    }
    create(N, R);
    unsigned Count = std::max<size_t>(1, AtomsOf[N].size());
    for (unsigned I = 0; I < Count; ++I) {
      Instruction In;
      if (I < AtomsOf[N].size())
        In.Makes.push_back(AtomsOf[N][I]);
      for (unsigned Op : O.Operands)
        read(Op, I, Count, In);
      // The product, where multiplier and adder are two units.
      if (O.Class == OpClass::MultiplyAdd && D.MultiplyBesideAdd && !In.Makes.empty())
        In.Between = Atoms[In.Makes[0]].Size;
      if (O.Class == OpClass::Barrier || O.Class == OpClass::Atomic)
        In.Memory = Instruction::Writes;
      Bodies[R].push_back(std::move(In));
    }
  }

  /// Loads and stores take up to four registers of 32 bits at once, or all of a vector's.
  void transfer(llvm::ArrayRef<unsigned> Value, const Operation &O, unsigned R, int Memory) {
    // Compilers for vector registers do not move the parts of a wider load apart.
    unsigned Each = D.RegisterBits > 32 ? std::max<size_t>(1, Value.size()) : 4;
    for (size_t I = 0; I == 0 || I < Value.size(); I += Each) {
      Instruction In;
      In.Memory = Memory == Instruction::Loads ? Instruction::Loads : Instruction::Writes;
      llvm::ArrayRef<unsigned> Part = Value.slice(I, std::min<size_t>(Each, Value.size() - I));
      (Memory == Instruction::Loads ? In.Makes : In.Reads).append(Part.begin(), Part.end());
      for (unsigned Op : Memory == Instruction::Loads ? llvm::ArrayRef(O.Operands)
                                                      : llvm::ArrayRef(O.Operands).drop_back())
        read(Op, 0, 1, In);
      Bodies[R].push_back(std::move(In));
    }
  }

  /// The register that holds a lane of operation N; none: a constant or an argument.
  std::optional<unsigned> atomOf(unsigned N, unsigned Lane) const {
    while (P.Ops[N].Class == OpClass::Pack && P.Ops[N].Named)
      std::tie(N, Lane) = P.Ops[N].From[Lane];
    llvm::ArrayRef<unsigned> Of = AtomsOf[N];
    if (Of.empty())
      return std::nullopt;
    unsigned PerAtom = P.Ops[N].Ty ? lanesOfAtom(P.Ops[N].Ty) : 1;
    return Of[std::min<size_t>(Lane / PerAtom, Of.size() - 1)];
  }

  void pack(unsigned N, unsigned R) {
    const Operation &O = P.Ops[N];
    if (O.Named)
      return;
    unsigned Each = lanesOfAtom(O.Ty);
    for (unsigned At = 0; At < O.From.size(); At += Each) {
      llvm::SmallVector<unsigned, 4> Sources;
      bool Named = true;
      unsigned Last = std::min<size_t>(At + Each, O.From.size());
      for (unsigned L = At; L < Last; ++L) {
        auto [Op, Lane] = O.From[L];
        std::optional<unsigned> A = atomOf(Op, Lane);
        if (!A) {
          Named &= Last - At == 1;
          continue;
        }
        unsigned PerAtom = P.Ops[Op].Ty ? lanesOfAtom(P.Ops[Op].Ty) : 1;
        Named &= Lane % PerAtom == (L - At) && (Sources.empty() || Sources[0] == *A);
        if (!llvm::is_contained(Sources, *A))
          Sources.push_back(*A);
      }
      // One lane is an operand of whatever reads it.
      if ((Named || O.From.size() == 1) && Sources.size() <= 1) {
        if (!Sources.empty())
          AtomsOf[N].push_back(Sources[0]);
        continue;
      }
      AtomsOf[N].push_back(Atoms.size());
      Atoms.push_back({sizeOf(O.Ty), R});
      Instruction In;
      In.Makes.push_back(AtomsOf[N].back());
      In.Reads = Sources;
      Bodies[R].push_back(std::move(In));
    }
  }

  //--- Regions.

  Need region(unsigned R) {
    std::vector<Instruction> &Body = Bodies[R];
    std::vector<Need> Inside(Body.size());
    for (auto [At, I] : llvm::enumerate(Body)) {
      if (I.Inside >= 0)
        continue;
      unsigned Nested = unsigned(-1 - I.Inside);
      Need Inner = region(Nested);
      Inside[At] = Inner;
      I.Reads = Inner.LiveIn;
      I.Makes = Inner.LiveOut;
      I.Inside = Inner.Source;
      I.Memory = Instruction::Writes;
    }
    Need Of;
    std::vector<unsigned> LiveAtEnd = ends(R, Of);
    Of.Source = inOrder(Body, LiveAtEnd).Size;
    for (auto [At, I] : llvm::enumerate(Body))
      if (I.Inside > 0)
        I.Inside = Inside[At].Least;
    Peak Least = inOrder(Body, LiveAtEnd);
    if (Peak Listed = listed(Body, LiveAtEnd); Listed.Size < Least.Size)
      Least = Listed;
    Of.Least = std::min(Of.Source, Least.Size);
    bool Nested = Least.At < Body.size() && Body[Least.At].Inside > 0;
    Of.PeakIn = Nested ? Inside[Least.At].PeakIn : R;
    Of.HasLoop = P.Regions[R].K == Region::Loop;
    if (Nested) {
      const Need &Inner = Inside[Least.At];
      // What is live around the innermost loop and not read in it.
      Of.Idle = Inner.Idle + (Inner.HasLoop ? Least.Through : 0);
      Of.HasLoop |= Inner.HasLoop;
    }
    return Of;
  }

  /// What is live at the end of region R: what is read behind it, and in a loop what it reads again
  /// and the next values of its variables, which take the place of the present ones.
  std::vector<unsigned> ends(unsigned R, Need &Of) const {
    std::vector<unsigned> Live;
    std::vector<char> Seen(Atoms.size(), 0);
    bool Loop = P.Regions[R].K == Region::Loop;
    for (const Instruction &I : Bodies[R])
      for (unsigned A : I.Makes)
        if (!Seen[A]) {
          Seen[A] = 1;
          if (P.isInside(ReadIn[A], R))
            continue;
          Live.push_back(A);
          Of.LiveOut.push_back(A);
        }
    for (const Instruction &I : Bodies[R])
      for (unsigned A : I.Reads)
        if (!Seen[A]) {
          Seen[A] = 1;
          if (Loop && Atoms[A].Region != R)
            Live.push_back(A);
          if (Atoms[A].Region != R)
            Of.LiveIn.push_back(A);
          else if (!P.isInside(ReadIn[A], R))
            Of.LiveOut.push_back(A);
        }
    for (unsigned N : Carried[R])
      for (unsigned A : AtomsOf[P.Ops[N].Operands.back()])
        if (!llvm::is_contained(Live, A))
          Live.push_back(A);
    for (unsigned A : First[R])
      if (!llvm::is_contained(Of.LiveIn, A))
        Of.LiveIn.push_back(A);
    return Live;
  }

  struct LiveSet {
    std::vector<char> In;
    double Size = 0;
    double Through = 0; ///< of the last step: what was live across it
  };

  double step(const Instruction &I, LiveSet &Live) const {
    // After it: what it makes is in registers, whether something reads it or not.
    double After = Live.Size;
    double &Through = Live.Through;
    for (unsigned A : I.Makes) {
      if (!Live.In[A])
        After += Atoms[A].Size;
      else
        Live.Size -= Atoms[A].Size;
      Live.In[A] = 0;
    }
    Through = Live.Size;
    for (unsigned A : I.Reads) {
      if (!Live.In[A])
        Live.Size += Atoms[A].Size;
      else
        Through -= Atoms[A].Size;
      Live.In[A] = 1;
    }
    if (I.Inside > 0)
      return std::max({After, Live.Size, Through + I.Inside});
    return std::max(After, Live.Size + I.Between);
  }

  LiveSet atEnd(llvm::ArrayRef<unsigned> LiveAtEnd) const {
    LiveSet L;
    L.In.assign(Atoms.size(), 0);
    for (unsigned A : LiveAtEnd) {
      L.In[A] = 1;
      L.Size += Atoms[A].Size;
    }
    return L;
  }

  /// The most that is live at once, and the instruction at which it is; none: at the end.
  struct Peak {
    double Size;
    size_t At = ~size_t(0);
    double Through = 0; ///< live across that instruction and not read by it

    void add(double Now, size_t N, double Across) {
      if (Now > Size) {
        Size = Now;
        At = N;
        Through = Across;
      }
    }
  };

  Peak inOrder(llvm::ArrayRef<Instruction> Body, llvm::ArrayRef<unsigned> LiveAtEnd) const {
    LiveSet Live = atEnd(LiveAtEnd);
    Peak Most = {Live.Size};
    for (size_t N = Body.size(); N-- > 0;)
      Most.add(step(Body[N], Live), N, Live.Through);
    return Most;
  }

  double growth(const Instruction &I, const LiveSet &Live) const {
    double By = 0;
    for (unsigned A : I.Makes)
      if (Live.In[A])
        By -= Atoms[A].Size;
    for (unsigned A : I.Reads)
      if (!Live.In[A])
        By += Atoms[A].Size;
    return By;
  }

  /// A list schedule from the end: of the instructions whose readers are all placed, the one that
  /// frees most registers.
  Peak listed(llvm::ArrayRef<Instruction> Body, llvm::ArrayRef<unsigned> LiveAtEnd) const {
    constexpr size_t MostInstructions = 20000;
    if (Body.size() < 3 || Body.size() > MostInstructions)
      return inOrder(Body, LiveAtEnd);
    std::vector<llvm::SmallVector<unsigned, 4>> Before(Body.size());
    std::vector<unsigned> After(Body.size(), 0); ///< instructions that must follow
    llvm::DenseMap<unsigned, unsigned> Maker;
    int LastLoad = -1, LastWrite = -1;
    auto Depend = [&](unsigned I, int On) {
      if (On >= 0 && !llvm::is_contained(Before[I], unsigned(On))) {
        Before[I].push_back(unsigned(On));
        ++After[On];
      }
    };
    for (auto [N, I] : llvm::enumerate(Body)) {
      for (unsigned A : I.Reads)
        if (auto It = Maker.find(A); It != Maker.end())
          Depend(N, int(It->second));
      if (I.Memory != Instruction::Plain)
        Depend(N, LastWrite);
      if (I.Memory == Instruction::Loads)
        LastLoad = int(N);
      if (I.Memory == Instruction::Writes) {
        Depend(N, LastLoad);
        LastWrite = int(N);
      }
      for (unsigned A : I.Makes)
        Maker[A] = N;
    }
    std::vector<unsigned> Ready;
    for (unsigned N = Body.size(); N-- > 0;)
      if (!After[N])
        Ready.push_back(N);
    LiveSet Live = atEnd(LiveAtEnd);
    Peak Most = {Live.Size};
    while (!Ready.empty()) {
      size_t Best = 0;
      double Least = 1e9;
      for (auto [At, N] : llvm::enumerate(Ready))
        if (double G = growth(Body[N], Live); G < Least) {
          Least = G;
          Best = At;
        }
      unsigned N = Ready[Best];
      Ready.erase(Ready.begin() + Best);
      Most.add(step(Body[N], Live), N, Live.Through);
      for (unsigned B : Before[N])
        if (!--After[B])
          Ready.push_back(B);
    }
    return Most;
  }
};

} // namespace

Pressure pressure(const Program &P, const rules::DeviceFacts &D) { return Scheduler(P, D).run(); }

Occupancy occupancy(const Pressure &Use, const rules::DeviceFacts &D) {
  // Lanes share a vector register until the last of them is dead: an order that frees single lanes
  // does not help there.
  bool Vectors = D.RegisterBits > 32;
  Occupancy O;
  O.Needed = std::ceil(Vectors ? Use.Source : Use.Least);
  O.Allocated = O.Needed;
  if (!Vectors) // as many as there are, at most, unless values do not fit
    O.Allocated = std::max(
        O.Needed, std::min(O.Needed * estimate::RegistersPerLive, double(D.RegistersQuarter)));
  if (D.RegistersHalf && O.Allocated > D.RegistersHalf)
    O.Part = 4;
  else if (D.RegistersFull && O.Allocated > D.RegistersFull)
    O.Part = 2;
  if (D.RegistersQuarter)
    O.Spilled = std::max(0.0, O.Needed - D.RegistersQuarter * (!Vectors && Use.InLoop
                                                                   ? estimate::UsableInLoops
                                                                   : estimate::UsableRegisters));
  // Where the best order does not fit what a compiler gives, no order does.
  if (const rules::Fact *Given = D.fact("registers-allocated"))
    O.Spilled =
        std::max(O.Spilled, std::ceil(Use.Least) - Given->Value * estimate::UsableRegisters);
  return O;
}

double slowdown(double Share) {
  // A line between full, half and a quarter, over the logarithm; below, latency alone counts.
  constexpr double Quarter = 0.25, Half = 0.5;
  if (Share < Quarter)
    return estimate::WithQuarterOfThreads * Quarter / Share;
  double Steps = -std::log2(std::min(1.0, Share));
  return Share < Half
             ? std::lerp(estimate::WithHalfOfThreads, estimate::WithQuarterOfThreads, Steps - 1)
             : std::lerp(1.0, estimate::WithHalfOfThreads, Steps);
}

} // namespace clmali::model
