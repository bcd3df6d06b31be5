//===- OutcomeTable.cpp ---------------------------------------------------------------------===//

#include "tools/recording/OutcomeTable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <atomic>
#include <csignal>
#include <unistd.h>

using namespace llvm;

namespace clmali::record {
namespace {

constexpr int Signals[] = {SIGTERM, SIGINT, SIGHUP};

/// What a signal prints. Replaced texts are kept: a handler may be at one of them.
std::atomic<const std::string *> Published{nullptr};
std::atomic<pid_t> Owner{0}; ///< children of the judge inherit the handler, not the table

void printAndEnd(int Signal) {
  const std::string *Text = Published.load();
  if (Text && getpid() == Owner)
    (void)!write(STDOUT_FILENO, Text->data(), Text->size());
  std::signal(Signal, SIG_DFL);
  std::raise(Signal);
}

} // namespace

OutcomeTable::OutcomeTable() {
  publish();
  Owner = getpid();
  for (int Signal : Signals)
    std::signal(Signal, printAndEnd);
}

OutcomeTable::~OutcomeTable() {
  for (int Signal : Signals)
    std::signal(Signal, SIG_DFL);
  Published = nullptr;
}

void OutcomeTable::note(const std::string &Text) {
  Notes += Text + "\n";
  publish();
}

void OutcomeTable::add(Row R) {
  auto It = find_if(Rows, [&](const Row &X) {
    return X.Kernel == R.Kernel && X.Source == R.Source && X.What == R.What;
  });
  if (It == Rows.end()) {
    Rows.push_back(std::move(R));
  } else {
    It->Milliseconds += R.Milliseconds;
    ++It->Builds;
  }
  publish();
}

std::string OutcomeTable::text() const {
  std::vector<Row> Sorted = Rows;
  double Total = 0;
  for (const Row &R : Sorted)
    Total += R.Milliseconds;
  llvm::stable_sort(Sorted,
                    [](const Row &A, const Row &B) { return A.Milliseconds > B.Milliseconds; });
  std::string Text =
      Notes + formatv("{0,-36} {1,6}  {2,-19} {3}\n", "kernel", "time", "program", "outcome").str();
  for (const Row &R : Sorted) {
    const std::string Program =
        R.Program + (R.Builds > 1 ? " +" + std::to_string(R.Builds - 1) : "");
    Text += formatv("{0,-36} {1,5:f0}%  {2,-19} {3}\n", R.Kernel,
                    Total > 0 ? 100 * R.Milliseconds / Total : 0.0, Program, R.What);
  }
  return Text;
}

void OutcomeTable::publish() {
  Published = new std::string(
      text() +
      "ended by a signal: kernels that are not in the table were not reached, and the last program "
      "is not written\n");
}

void OutcomeTable::finish() {
  outs() << text();
  outs().flush();
}

} // namespace clmali::record
