#pragma once

#include <optional>
#include <string>
#include <vector>

namespace sms::bench {

/// One figure beside its limit or its peer, both of the same run.
struct Row {
  std::string name;
  double value = 0;
  std::string unit;
  std::string peer;  ///< What it is compared with; empty: nothing.
  double peer_value = 0;
  std::optional<double> bar;  ///< Of `value / peer_value`; at least.
  bool at_most = false;       ///< Then at most.
  bool passes() const { return !bar || (at_most ? ratio() <= *bar : ratio() >= *bar); }
  double ratio() const { return peer_value == 0 ? 0 : value / peer_value; }
};

std::string as_table(const std::vector<Row>& rows);
std::string as_json(const std::vector<Row>& rows);

}  // namespace sms::bench
