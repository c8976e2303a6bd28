#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace server {

// The progress of a long operation at one moment.
struct PullProgress {
  enum class Phase { downloading, unpacking, verifying, copying };
  Phase phase = Phase::downloading;
  std::string item{};  // file or package
  std::uint64_t done_bytes = 0;
  std::optional<std::uint64_t> total_bytes{};
};

// Lets whoever started a long operation follow it, and end it. Functions are called on the thread
// that does the work.
struct Observer {
  std::function<void(const PullProgress&)> progress = [](const PullProgress&) {};
  // Receives a sentence that a person should see although the operation goes on.
  std::function<void(const std::string&)> note = [](const std::string&) {};
  std::stop_token stop{};
};

}  // namespace server
