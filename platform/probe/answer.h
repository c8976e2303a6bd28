#pragma once

#include <optional>
#include <string>
#include <utility>

#include "platform/facts/native_facts.h"
#include "platform/facts/native_facts_json.h"
#include "platform/probe/child.h"

namespace platform {

// The complete and valid lines that a child's Report wrote.
struct ReportLines {
  std::string at{};
  nlohmann::json so_far{};
  std::optional<nlohmann::json> answer{};
};

ReportLines read_report(const std::string& out);

// Describes the end of a child that gave no answer. `library` and the facts found so far stay.
void describe_end(ProbeResult& probe, const ChildEnd& end, const std::string& at);

// Returns the facts of a child, however it ended. `Facts` is one of the types of
// native_facts_json.h with a `probe`. A child that answered and then failed to end properly has
// answered.
template <class Facts>
Facts facts_of(const ChildEnd& end) {
  const ReportLines lines = read_report(end.out);
  if (lines.answer) {
    if (auto answer = from_json<Facts>(*lines.answer)) return std::move(*answer);
  }
  Facts facts;
  if (auto so_far = from_json<Facts>(lines.so_far)) facts = std::move(*so_far);
  describe_end(facts.probe, end, lines.at);
  return facts;
}

}  // namespace platform
