#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace conformance {

// The state that a client carries from one round of a call to the next. Nobody else can write it,
// since it is signed (HMAC-SHA256) with a key of this process, and it cannot be used for another
// tool or later.
class RequestState {
 public:
  RequestState();

  std::string seal(const std::string& tool, nlohmann::json round) const;
  // The round. Nothing for a text that seal() has not given for this tool in the last minutes.
  std::optional<nlohmann::json> open(const std::string& tool, const std::string& text) const;

 private:
  std::string sign(const std::string& text) const;

  std::string key_{};
};

}  // namespace conformance
