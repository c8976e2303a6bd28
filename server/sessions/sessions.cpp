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
  enter(std::move(stored));
  calls_.on_changes([this](const SessionChanges& changes) { take(changes); });
}

void Sessions::enter(std::vector<Session> sessions) {
  for (auto& session : sessions) {
    const KeyHash token = session.token;
    sessions_.insert_or_assign(token, std::move(session));
  }
}

void Sessions::take(const SessionChanges& changes) {
  if (changes.are_all) sessions_.clear();
  for (const auto& token : changes.ended_sessions) sessions_.erase(token);
  enter(changes.sessions);
}

asio::awaitable<Result<std::string>> Sessions::begin(KeyHash key, std::string name, double now) {
  auto catching_up = calls_.catch_up();
  const auto caught_up = co_await std::move(catching_up);
  if (!caught_up) co_return caught_up.error();
  auto removing = remove(too_many_of(key));
  const auto made_room = co_await std::move(removing);
  if (!made_room) co_return made_room.error();
  std::string token = random_id() + random_id();
  const Session session{
      .token = hash_of_key(token), .key = key, .name = std::move(name), .ends = now + lifetime_s};
  auto adding =
      calls_.run(session.name, [session](SessionStore& store) { return store.add(session); });
  const auto added = co_await std::move(adding);
  if (!added) co_return added.error();
  sessions_.emplace(session.token, session);
  co_return token;
}

asio::awaitable<void> Sessions::learn(std::string token) {
  if (!calls_.is_shared() || sessions_.contains(hash_of_key(token))) co_return;
  auto catching_up = calls_.catch_up();
  co_await std::move(catching_up);
}

Result<Principal> Sessions::find(std::string_view token, const ApiKeys& keys, double now) const {
  const auto found = sessions_.find(hash_of_key(token));
  const bool is_known = found != sessions_.end();
  if (auto doubt = calls_.doubt(is_known)) return *std::move(doubt);
  if (!is_known || now >= found->second.ends) return session_ended();
  const Session& session = found->second;
  auto principal = keys.find_hash(session.key, static_cast<std::time_t>(now));
  // A key that is gone and came back under another name is another user's.
  if (!principal || principal->name != session.name) return session_ended();
  principal->until = std::min(principal->until.value_or(session.ends), session.ends);
  return principal;
}

asio::awaitable<Result<void>> Sessions::end(std::string token) {
  const KeyHash hash = hash_of_key(token);
  auto learning = learn(std::move(token));
  co_await std::move(learning);
  if (!sessions_.contains(hash)) {
    co_return calls_.failure() ? Result<void>(*calls_.failure()) : Result<void>();
  }
  auto removing = remove({hash});
  co_return co_await std::move(removing);
}

asio::awaitable<Result<void>> Sessions::remove_ended(const ApiKeys& keys, double now) {
  std::vector<KeyHash> gone;
  for (const auto& [token, session] : sessions_) {
    const auto principal = keys.find_hash(session.key, static_cast<std::time_t>(now));
    const bool has_lost_key = !principal && !calls_.is_shared();
    if (now >= session.ends || has_lost_key) gone.push_back(token);
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

// Sessions end here first, so that nobody is let in while the disk is slow. A look at a shared
// store from before their end may have brought them back meanwhile.
asio::awaitable<Result<void>> Sessions::remove(std::vector<KeyHash> tokens) {
  if (tokens.empty()) co_return Result<void>();
  const auto first = sessions_.find(tokens.front());
  std::string owner = first == sessions_.end() ? "" : first->second.name;
  for (const auto& token : tokens) sessions_.erase(token);
  auto removing = calls_.run(std::move(owner), [tokens](SessionStore& store) -> Result<void> {
    for (const auto& token : tokens) {
      if (const auto removed = store.remove_session(token); !removed) return removed;
    }
    return {};
  });
  const auto removed = co_await std::move(removing);
  for (const auto& token : tokens) sessions_.erase(token);
  co_return removed;
}

}  // namespace server
