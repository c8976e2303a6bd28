#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/http/api_keys.h"
#include "server/sessions/store_calls.h"

namespace server {

// The browsers that have signed in. A session stands for the key that it began with: it has that
// key's rights as they are now, and ends with it. All calls are on one thread; what is asked for
// every request lies in memory. Where other daemons use the store, too, theirs are among them.
class Sessions {
 public:
  static constexpr double lifetime_s = 30.0 * 24 * 3600;
  static constexpr std::size_t most_of_one = 100;  // of a key: the one that ends first goes

  // `stored` are those of the store behind `calls`, which must outlive this object; a shared store
  // is asked for them later.
  Sessions(StoreCalls& calls, std::vector<Session> stored);

  // Begins a session for a key that is valid, and returns the token that its cookie has to hold:
  // 260 random bits. It is on the disk when this returns. Errors: those of the store.
  asio::awaitable<Result<std::string>> begin(KeyHash key, std::string name, double now);

  // Asks a shared store for a token that is not known here. find() tells what became of that.
  asio::awaitable<void> learn(std::string token);

  // Returns who a request with this token comes from, with the rights of its key; `until` is the
  // end of the session, or of its key if that is sooner. Errors: unauthorized; where a shared store
  // could not be asked, that of the store.
  Result<Principal> find(std::string_view token, const ApiKeys& keys, double now) const;

  // Ends a session, at once; an unknown token is no error. Errors: those of the store.
  asio::awaitable<Result<void>> end(std::string token);

  // Forgets the sessions that have ended, and those whose key is gone. In a shared store the latter
  // stay until their time has come: another daemon may have read that key already.
  asio::awaitable<Result<void>> remove_ended(const ApiKeys& keys, double now);

  std::size_t count() const { return sessions_.size(); }

 private:
  // Returns the sessions of a key that have to go before it may have another one.
  std::vector<KeyHash> too_many_of(const KeyHash& key) const;
  asio::awaitable<Result<void>> remove(std::vector<KeyHash> tokens);
  void take(const SessionChanges& changes);
  void enter(std::vector<Session> sessions);

  StoreCalls& calls_;
  std::map<KeyHash, Session> sessions_{};  // by the hash of the token
};

}  // namespace server
