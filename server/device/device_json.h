#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "platform/build_info.h"
#include "server/device/device_summary.h"
#include "server/device/sandbox_check.h"
#include "server/device/survey.h"

// The machine and its devices as JSON: stable keys, for programs and for bug reports. Findings and
// verdicts are written by platform/verdict/verdict_json.h.
namespace server {

nlohmann::ordered_json json_of(const platform::BuildInfo& build);

// {"scribed-decode": {"active": [], "missing": [], "problem": null}, …}
nlohmann::ordered_json json_of(const std::vector<SandboxCheck>& sandboxes);

// All else of `scribed doctor --json`. Not masked.
nlohmann::ordered_json json_of(const Survey& survey, const platform::ChoiceResult& choice);

}  // namespace server
