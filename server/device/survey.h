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

// The model that a device is judged for. Both empty: memory is not judged.
struct SurveyedModel {
  std::string name{};
  std::filesystem::path path{};  // read where the matrix does not know the name
};

struct SurveyRequest {
  platform::Request request{};  // its `model` is filled in from the one below
  SurveyedModel model{};
  std::filesystem::path matrix{};  // in place of the built-in one; empty: that
  // Where answers of the vendors' libraries are kept; empty: they are asked again.
  std::filesystem::path probe_cache{};
  std::chrono::milliseconds probe_limit{15'000};  // for each of them to answer
  // Leave the libraries alone where the CPU is wanted.
  bool only_what_is_wanted = true;
};

// This machine, and what each runtime pack can do on each of its devices.
struct Survey {
  platform::System system{};
  platform::Facts facts{};
  platform::LoadedMatrix matrix{};
  std::vector<platform::Pack> packs{};
  platform::Request request{};  // that the verdicts answer
  std::vector<platform::Verdict> verdicts{};
};

// Reads files, asks the vendors' libraries in children, and judges. Blocks: milliseconds without a
// GPU, up to the limit of a probe with one. An error is a wrong setting, never the machine's state.
Result<Survey> survey_machine(const SurveyRequest& request);

}  // namespace server
