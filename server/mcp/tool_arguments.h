#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "server/error.h"

namespace server {

// What a model gave to the tool `transcribe`.
struct TranscribeCall {
  std::string path{};
  std::string model{};     // empty: the default
  std::string language{};  // empty: detect it
  std::string task = "transcribe";
  std::string prompt{};
};

// Errors are sentences by which a model can correct its call.
Result<TranscribeCall> read_transcribe_call(const nlohmann::json& arguments);

// For tools without arguments.
Result<void> check_no_arguments(const nlohmann::json& arguments);

}  // namespace server
