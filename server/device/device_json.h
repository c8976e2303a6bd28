#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "platform/build_info.h"
#include "server/device/device_summary.h"
#include "server/device/pack_check.h"
#include "server/device/sandbox_check.h"
#include "server/device/survey.h"

// These functions write the machine and its devices as JSON: stable keys, for programs and for bug
// reports. platform/verdict/verdict_json.h writes findings and verdicts.
namespace server {

nlohmann::ordered_json json_of(const platform::BuildInfo& build);

// Gives {"scribed-decode": {"active": [], "missing": [], "problem": null}, …}.
nlohmann::ordered_json json_of(const std::vector<SandboxCheck>& sandboxes);

// Gives [{"pack": "cuda-13", "problem": null}].
nlohmann::ordered_json json_of(const std::vector<PackCheck>& packs);

// Gives the rest of `scribed doctor --json`. Nothing is masked.
nlohmann::ordered_json json_of(const Survey& survey, const platform::ChoiceResult& choice);

// Gives all of `scribed doctor --json`, in which names of users and hosts and the like are masked.
nlohmann::ordered_json doctor_json(const Survey& survey, const platform::ChoiceResult& choice,
                                   const std::vector<SandboxCheck>& sandboxes,
                                   const std::vector<PackCheck>& packs);

}  // namespace server
