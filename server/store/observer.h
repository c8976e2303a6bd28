#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

namespace server {

// One moment of a long operation.
struct Progress {
  enum class Phase { downloading, unpacking, verifying, copying };
  Phase phase = Phase::downloading;
  std::string item{};  // file or package
  std::uint64_t done_bytes = 0;
  std::optional<std::uint64_t> total_bytes{};
};

// Who started a long operation: hears of it, and can end it. Called on the thread that works.
struct Observer {
  std::function<void(const Progress&)> progress = [](const Progress&) {};
  // A sentence that a person should see although the operation goes on.
  std::function<void(const std::string&)> note = [](const std::string&) {};
  std::stop_token stop{};
};

}  // namespace server
