#include "server/api/client_secrets.h"

#include <algorithm>
#include <utility>

#include "server/base/random_id.h"

namespace server {

Result<std::string> ClientSecrets::make(ClientSecret secret, std::time_t now) {
  forget_expired(now);
  const auto of_one = std::ranges::count_if(secrets_, [&secret](const auto& entry) {
    return entry.second->maker.name == secret.maker.name;
  });
  if (secrets_.size() >= most || static_cast<std::size_t>(of_one) >= most_of_one) {
    return Error{errc::too_many_requests, "Too many client secrets have not expired yet.",
                 "Let them expire sooner, by expires_after."};
  }
  secret.maker.rights.erase(Right::manage);
  secret.maker.rights.erase(Right::back_up);
  std::string value = std::string(prefix) + random_id();
  secrets_.emplace(hash_of_key(value), std::make_shared<const ClientSecret>(std::move(secret)));
  return value;
}

std::shared_ptr<const ClientSecret> ClientSecrets::find(std::string_view value,
                                                        std::time_t now) const {
  const auto found = secrets_.find(hash_of_key(value));
  if (found == secrets_.end() || static_cast<double>(now) >= found->second->expires_s) {
    return nullptr;
  }
  return found->second;
}

void ClientSecrets::forget_expired(std::time_t now) {
  std::erase_if(secrets_, [now](const auto& entry) {
    return static_cast<double>(now) >= entry.second->expires_s;
  });
}

Result<Principal> principal_of(const ClientSecret& secret, const ApiKeys& keys, std::time_t now) {
  if (!keys.may(secret.maker.name, Right::transcribe, now)) {
    return Error{errc::unauthorized, "The key that has made this client secret has ended.",
                 "Make another one, with a key that may transcribe."};
  }
  Principal principal = secret.maker;
  // Another key of the same name goes on.
  if (principal.until && *principal.until <= static_cast<double>(now)) principal.until.reset();
  return principal;
}

}  // namespace server
