#include "server/sessions/sessions.h"

#include <algorithm>
#include <utility>

#include "server/base/random_id.h"

namespace server {
namespace {

Error session_ended() {
  return {errc::unauthorized, "You are not signed in here, or no longer.", "Sign in again."};
}

}  // namespace

Sessions::Sessions(StoreCalls& calls, std::vector<Session> stored) : calls_(calls) {
  for (auto& session : stored) {
    const KeyHash token = session.token;
    sessions_.emplace(token, std::move(session));
  }
}

asio::awaitable<Result<std::string>> Sessions::begin(KeyHash key, std::string name, double now) {
  auto removing = remove(too_many_of(key));
  const auto made_room = co_await std::move(removing);
  if (!made_room) co_return made_room.error();
  std::string token = random_id() + random_id();
  const Session session{
      .token = hash_of_key(token), .key = key, .name = std::move(name), .ends = now + lifetime_s};
  auto adding = calls_.run([session](SessionStore& store) { return store.add(session); });
  const auto added = co_await std::move(adding);
  if (!added) co_return added.error();
  sessions_.emplace(session.token, session);
  co_return token;
}

Result<Principal> Sessions::find(std::string_view token, const ApiKeys& keys, double now) const {
  const auto found = sessions_.find(hash_of_key(token));
  if (found == sessions_.end() || now >= found->second.ends) return session_ended();
  const Session& session = found->second;
  auto principal = keys.find_hash(session.key, static_cast<std::time_t>(now));
  // A key that is gone and came back under another name is another user's.
  if (!principal || principal->name != session.name) return session_ended();
  principal->until = std::min(principal->until.value_or(session.ends), session.ends);
  return principal;
}

asio::awaitable<Result<void>> Sessions::end(std::string token) {
  const KeyHash hash = hash_of_key(token);
  if (!sessions_.contains(hash)) co_return Result<void>();
  auto removing = remove({hash});
  co_return co_await std::move(removing);
}

asio::awaitable<Result<void>> Sessions::remove_ended(const ApiKeys& keys, double now) {
  std::vector<KeyHash> gone;
  for (const auto& [token, session] : sessions_) {
    const auto principal = keys.find_hash(session.key, static_cast<std::time_t>(now));
    if (now >= session.ends || !principal) gone.push_back(token);
  }
  return remove(std::move(gone));
}

std::vector<KeyHash> Sessions::too_many_of(const KeyHash& key) const {
  std::vector<const Session*> of_key;
  for (const auto& [token, session] : sessions_) {
    if (session.key == key) of_key.push_back(&session);
  }
  std::ranges::sort(of_key, {}, &Session::ends);
  std::vector<KeyHash> gone;
  for (std::size_t i = 0; i + most_of_one <= of_key.size(); ++i) gone.push_back(of_key[i]->token);
  return gone;
}

// Sessions end here first, so that nobody is let in while the disk is slow.
asio::awaitable<Result<void>> Sessions::remove(std::vector<KeyHash> tokens) {
  for (const auto& token : tokens) sessions_.erase(token);
  if (tokens.empty()) co_return Result<void>();
  auto removing = calls_.run([tokens = std::move(tokens)](SessionStore& store) -> Result<void> {
    for (const auto& token : tokens) {
      if (const auto removed = store.remove_session(token); !removed) return removed;
    }
    return {};
  });
  co_return co_await std::move(removing);
}

}  // namespace server
