#include "platform/probe/answer.h"

#include <sstream>

#include "platform/facts/text.h"

namespace platform {

ReportLines read_report(const std::string& out) {
  ReportLines lines;
  std::istringstream text(out);
  for (std::string line; std::getline(text, line);) {
    const auto json = nlohmann::json::parse(line, nullptr, /*allow_exceptions=*/false);
    if (!json.is_object()) continue;
    if (json.contains("at") && json["at"].is_string()) lines.at = json["at"];
    if (json.contains("so_far")) lines.so_far = json["so_far"];
    if (json.contains("answer")) lines.answer = json["answer"];
  }
  return lines;
}

void describe_end(ProbeResult& probe, const ChildEnd& end, const std::string& at) {
  probe.function = at;
  probe.code = 0;
  probe.code_name.clear();
  probe.text = trim(end.error_tail);
  if (!end.problem.empty()) {
    probe = {.outcome = ProbeOutcome::not_started, .text = end.problem};
    return;
  }
  probe.outcome = end.hung ? ProbeOutcome::hung : ProbeOutcome::crashed;
  probe.signal = end.signal.value_or(0);
  if (!probe.text.empty() || end.hung || end.signal) return;
  probe.text = end.flooded
                   ? "wrote without end"
                   : "ended with exit code " + std::to_string(end.exit_code) + " without an answer";
}

}  // namespace platform
