//===- OutcomeTable.h - outcomes of the kernels of a recording ------------------------------===//
//
// Longest time first. A run that is ended by a signal (timeout 600 clmali-rewrite ..) prints what
// it has.
//
//===------------------------------------------------------------------------------------------===//

#ifndef CLMALI_TOOLS_RECORDING_OUTCOMETABLE_H
#define CLMALI_TOOLS_RECORDING_OUTCOMETABLE_H

#include <string>
#include <vector>

namespace clmali::record {

class OutcomeTable {
public:
  struct Row {
    std::string Kernel;
    std::string Program;     ///< the name of its folder
    std::string Source;      ///< hash of the text, which several builds may share
    std::string What;        ///< the outcome
    double Milliseconds = 0; ///< of all launches
    unsigned Builds = 1;
  };

  OutcomeTable();
  /// From here on signals end the program as they would without a table.
  ~OutcomeTable();
  OutcomeTable(const OutcomeTable &) = delete;
  OutcomeTable &operator=(const OutcomeTable &) = delete;

  /// The time of all kernels of the recording, of which rows are shares; those of no row, too.
  void setTotal(double Milliseconds) { Total = Milliseconds; }
  /// A line above the table.
  void note(const std::string &Text);
  /// Builds of one program text with the same outcome of a kernel are one row.
  void add(Row R);
  /// Prints the table to standard output.
  void finish();

private:
  std::string text() const;
  /// Makes the text that a signal prints.
  void publish();

  std::vector<Row> Rows;
  std::string Notes;
  double Total = 0; ///< milliseconds
};

} // namespace clmali::record

#endif
