#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace server {

using KeyHash = std::array<unsigned char, 32>;  // SHA-256

enum class Right {
  transcribe,   // and read, cancel and delete one's own jobs and uploads
  read_status,  // the models, jobs and health of the whole server
  manage,       // load and unload models, see and end everybody's jobs, read settings again
  back_up,      // take a copy of all that is kept, with everybody's recordings and texts
};

using Rights = std::set<Right>;

// Returns the right's name in files of keys, in commands and in answers.
constexpr const char* name(Right right) {
  switch (right) {
    case Right::transcribe:
      return "transcribe";
    case Right::read_status:
      return "read_status";
    case Right::manage:
      return "manage";
    case Right::back_up:
      break;
  }
  return "back_up";
}

// What the clients of one name may use, all of its keys together. Nothing: no limit but the
// server's.
struct KeyLimits {
  std::optional<std::int64_t> requests_per_minute{};
  std::optional<std::int64_t> running_jobs{};  // jobs that have not ended: waiting ones count
  std::optional<std::int64_t> stored_bytes{};  // recordings on the disk, uploads too
  std::optional<std::int64_t> sound_seconds_per_day{};  // of sound transcribed in a day of UTC
  std::optional<double> weight{};  // of its turns among those of others; nothing: 1

  bool operator==(const KeyLimits&) const = default;
};

// The sender of a request. `name` is the owner of jobs and uploads.
struct Principal {
  std::string name{};
  Rights rights{};
  KeyLimits limits{};
  std::optional<double> until{};  // seconds since 1970, when the key ends; nothing: never
  std::optional<KeyHash> key{};   // that the request was sent with; nothing: none was needed

  bool may(Right right) const { return rights.contains(right); }
};

}  // namespace server
