#include "bench/report.hpp"

#include "core/json_text.hpp"

#include <cmath>
#include <iomanip>
#include <sstream>

namespace sms::bench {

std::string as_table(const std::vector<Row>& rows) {
  std::ostringstream out;
  out << std::fixed;
  for (const auto& row : rows) {
    out << std::left << std::setw(44) << row.name << std::right << std::setw(12) << std::setprecision(0) << row.value
        << ' ' << std::left << std::setw(10) << row.unit;
    if (!row.peer.empty()) {
      out << std::setprecision(2) << row.ratio() << "x of " << row.peer << " (" << std::setprecision(0)
          << row.peer_value << ')';
    }
    if (row.bar) {
      out << std::setprecision(2) << ", bar " << (row.at_most ? "<= " : ">= ") << *row.bar << "x"
          << (row.passes() ? "" : "  MISSED");
    }
    out << '\n';
  }
  return out.str();
}

std::string as_json(const std::vector<Row>& rows) {
  std::string text;
  detail::JsonWriter json(text);
  json.begin_array();
  for (const auto& row : rows) {
    json.begin_object().key("name").string(row.name).key("value").number(row.value).key("unit").string(row.unit);
    if (!row.peer.empty()) {
      json.key("peer").string(row.peer).key("peerValue").number(row.peer_value).key("ratio").number(row.ratio());
    }
    if (row.bar)
      json.key("bar").number(*row.bar).key("atMost").boolean(row.at_most).key("passes").boolean(row.passes());
    json.end_object();
  }
  json.end_array();
  return text;
}

}  // namespace sms::bench
