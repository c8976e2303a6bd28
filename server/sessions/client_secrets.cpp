#include "server/sessions/client_secrets.h"

#include <algorithm>
#include <ctime>
#include <utility>

#include "server/base/random_id.h"

namespace server {

ClientSecrets::ClientSecrets(StoreCalls& calls) : calls_(calls) {
  calls_.on_changes([this](const SessionChanges& changes) { take(changes); });
}

asio::awaitable<Result<std::string>> ClientSecrets::make(ClientSecret secret, double now) {
  remove_ended(now);
  if (const auto room = check_room(secret.maker); !room) co_return room.error();
  std::string value = std::string(prefix) + random_id();
  secret.value = hash_of_key(value);
  const auto made = std::make_shared<const ClientSecret>(std::move(secret));
  // Those that are being written count already.
  secrets_.emplace(made->value, made);
  auto adding = calls_.run(made->maker, [made](SessionStore& store) { return store.add(*made); });
  const auto added = co_await std::move(adding);
  if (!added) {
    secrets_.erase(made->value);
    co_return added.error();
  }
  secrets_.emplace(made->value, made);  // a look from before may have taken it away
  co_return value;
}

Result<void> ClientSecrets::check_room(const std::string& maker) const {
  const auto of_one = std::ranges::count_if(
      secrets_, [&maker](const auto& entry) { return entry.second->maker == maker; });
  if (secrets_.size() < most && static_cast<std::size_t>(of_one) < most_of_one) return {};
  return Error{errc::too_many_requests, "Too many client secrets have not expired yet.",
               "Let them expire sooner, by expires_after."};
}

asio::awaitable<void> ClientSecrets::learn(std::string value) {
  if (!calls_.is_shared() || secrets_.contains(hash_of_key(value))) co_return;
  auto catching_up = calls_.catch_up();
  co_await std::move(catching_up);
}

Result<std::shared_ptr<const ClientSecret>> ClientSecrets::find(std::string_view value,
                                                                double now) const {
  const auto found = secrets_.find(hash_of_key(value));
  if (found == secrets_.end()) {
    if (auto doubt = calls_.doubt(false)) return *std::move(doubt);
    return std::shared_ptr<const ClientSecret>();
  }
  if (now >= found->second->ends) return std::shared_ptr<const ClientSecret>();
  return found->second;
}

void ClientSecrets::remove_ended(double now) {
  std::erase_if(secrets_, [now](const auto& entry) { return now >= entry.second->ends; });
}

// Nobody ends a secret before its time, so there is nothing to take away but where the store has
// been read anew.
void ClientSecrets::take(const SessionChanges& changes) {
  if (changes.are_all) secrets_.clear();
  for (const auto& secret : changes.secrets) {
    secrets_.insert_or_assign(secret.value, std::make_shared<const ClientSecret>(secret));
  }
}

Result<Principal> principal_of(const ClientSecret& secret, const ApiKeys& keys, double now) {
  const auto key = keys.find_hash(secret.key.value_or(KeyHash{}), static_cast<std::time_t>(now));
  if (!key || !key->may(Right::transcribe)) {
    return Error{errc::unauthorized, "The key that created this client secret has expired.",
                 "Make another one, with a key that may transcribe."};
  }
  Principal principal = *key;
  principal.rights = {Right::transcribe};
  return principal;
}

}  // namespace server
