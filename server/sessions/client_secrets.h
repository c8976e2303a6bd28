#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/http/api_keys.h"
#include "server/http/principal.h"
#include "server/sessions/store_calls.h"

namespace server {

// The client secrets of live sessions. All calls are on one thread; secrets lie in memory. Where
// other daemons use the store, too, theirs are among them; otherwise a restart ends them.
class ClientSecrets {
 public:
  static constexpr std::string_view prefix = "ek_";
  static constexpr std::size_t most = 4096;
  static constexpr std::size_t most_of_one = 256;

  // Those of a shared store come later, so `calls` has to be read after this. It must outlive this
  // object.
  explicit ClientSecrets(StoreCalls& calls);

  // Makes a secret, whose `value` is not set yet, and returns its value. Other daemons know it when
  // this returns. Errors: too_many_requests, where too many of the maker's, or of all, have not
  // expired; those of the store.
  asio::awaitable<Result<std::string>> make(ClientSecret secret, double now);

  // Asks a shared store for a value that is not known here. find() tells what became of that.
  asio::awaitable<void> learn(std::string value);

  // Forgets the secrets that have expired.
  void remove_ended(double now);

  // Returns the secret with this value; nullptr: there is none, or it has expired. Errors: where a
  // shared store could not be asked, that of the store.
  Result<std::shared_ptr<const ClientSecret>> find(std::string_view value, double now) const;

 private:
  Result<void> check_room(const std::string& maker) const;
  void take(const SessionChanges& changes);

  StoreCalls& calls_;
  std::map<KeyHash, std::shared_ptr<const ClientSecret>> secrets_{};
};

// Returns who a session with this secret belongs to: its maker, for as long as the key that made it
// may transcribe, with the limits of its name and no other right. Sessions outlive their secret.
// Errors: unauthorized.
Result<Principal> principal_of(const ClientSecret& secret, const ApiKeys& keys, double now);

}  // namespace server
