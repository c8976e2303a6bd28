#pragma once

#include <chrono>
#include <cstddef>
#include <ctime>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "protocol/openai/realtime/session.h"
#include "server/base/error.h"
#include "server/http/api_keys.h"
#include "server/http/key_line.h"
#include "server/http/principal.h"

namespace server {

// A key for live sessions alone, which a program with a key of its own makes for a page or an app
// that it does not trust with that.
struct ClientSecret {
  Principal maker{};     // with the rights that the secret gives
  double expires_s = 0;  // seconds since 1970: no session begins with it after that
  protocol::openai::realtime::SessionConfig session{};  // what its sessions begin with
};

// The secrets that were made, in memory alone, as SHA-256 of their values.
class ClientSecrets {
 public:
  static constexpr std::string_view prefix = "ek_";
  static constexpr std::size_t most = 4096;
  static constexpr std::size_t most_of_one = 256;

  // Makes a secret and returns its value. Errors: too_many_requests, where too many of the maker's,
  // or of all, have not expired.
  Result<std::string> make(ClientSecret secret, std::time_t now = std::time(nullptr));

  // Returns the secret with this value; nullptr: there is none, or it has expired.
  std::shared_ptr<const ClientSecret> find(std::string_view value,
                                           std::time_t now = std::time(nullptr)) const;

 private:
  void forget_expired(std::time_t now);

  std::map<KeyHash, std::shared_ptr<const ClientSecret>> secrets_{};
};

// Returns who a session with this secret belongs to: its maker, for as long as a key of that name
// may transcribe. Sessions outlive their secret. Errors: unauthorized.
Result<Principal> principal_of(const ClientSecret& secret, const ApiKeys& keys,
                               std::time_t now = std::time(nullptr));

}  // namespace server
