#pragma once

#include <chrono>
#include <filesystem>
#include <string>
#include <vector>

#include "platform/facts/read_facts.h"
#include "platform/matrix/matrix.h"
#include "platform/verdict/verdict.h"
#include "server/base/error.h"

namespace server {

// The model that a device is judged for. Where both are empty, memory is not judged.
struct SurveyedModel {
  std::string name{};
  std::filesystem::path path{};  // its header is read where the matrix does not know the name
};

struct SurveyRequest {
  platform::DeviceRequirements request{};  // its `model` is set from the one below
  SurveyedModel model{};
  std::filesystem::path matrix{};  // replaces the built-in one; empty: it does not
  // The folder that keeps the answers of the vendors' libraries; empty: they are always asked.
  std::filesystem::path probe_cache{};
  std::chrono::milliseconds probe_limit{15'000};  // time for each library to answer
  // The folders below which fetched libraries of runtime packs lie, best first.
  std::vector<std::filesystem::path> pack_folders{};
  // Does not ask the libraries where the CPU is wanted.
  bool only_what_is_wanted = true;
};

// A survey of this machine, and of what each runtime pack can do on each of its devices.
struct Survey {
  platform::System system{};
  platform::Facts facts{};
  platform::LoadedMatrix matrix{};
  std::vector<platform::Pack> packs{};
  platform::DeviceRequirements request{};  // the request that the verdicts answer
  std::vector<platform::Verdict> verdicts{};
};

// Reads files, asks the vendors' libraries in children, and judges. It blocks for milliseconds
// without a GPU, and up to the limit of a probe with one. An error means a wrong setting, never the
// machine's state.
Result<Survey> survey_machine(const SurveyRequest& request);

}  // namespace server
