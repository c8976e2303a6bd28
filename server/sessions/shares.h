#pragma once

#include <boost/asio/awaitable.hpp>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "server/sessions/store_calls.h"

namespace server {

// A link that was just made: its token is told once.
struct NewShare {
  Share share{};
  std::string token{};  // 260 random bits
};

// The links by which others read one job each. All calls are on one thread; links lie in memory.
// Where other daemons use the store, too, their links are among them.
// Whether the job and its owner's key are still there is for the caller to ask.
class Shares {
 public:
  static constexpr double least_s = 60, usual_s = 7.0 * 24 * 3600, most_s = 90.0 * 24 * 3600;
  static constexpr std::size_t most_of_job = 100;
  static constexpr std::size_t most_of_owner = 10'000;
  static constexpr std::uint64_t bytes_of_one = 256;  // that a stored link takes, about

  // `stored` are those of the store behind `calls`, which must outlive this object; a shared store
  // is asked for them later.
  Shares(StoreCalls& calls, std::vector<Share> stored);

  // Sets what is told how many bytes the links of each owner take, now and after each change.
  using Stored = std::map<std::string, std::uint64_t>;
  void on_stored(std::function<void(Stored)> tell);

  // Makes a link that ends after so many seconds. It is on the disk when this returns. Errors:
  // too_many_shares, and those of the store.
  asio::awaitable<Result<NewShare>> add(std::string job, std::string owner, double ends_in_s,
                                        double now);

  // Asks a shared store for a token that is not known here. find() tells what became of that.
  asio::awaitable<void> learn(std::string token);
  // Asks a shared store for the links that others have made or ended. Errors: those of the store.
  asio::awaitable<Result<void>> catch_up() { return calls_.catch_up(); }

  // Returns the link with this token. Errors: share_not_found; where a shared store could not be
  // asked, that of the store.
  Result<Share> find(std::string_view token, double now) const;
  // Returns the links of a job that have not ended, the oldest first.
  std::vector<Share> of_job(std::string_view job, std::string_view owner, double now) const;

  // Returns the ids of the owner's jobs that a link opens now, without repetition.
  std::vector<std::string> jobs_of(std::string_view owner, double now) const;

  // Ends a link of that job. Errors: share_not_found, and those of the store.
  asio::awaitable<Result<void>> remove(std::string id, std::string job, std::string owner);
  // Ends all links of a job, which is gone.
  asio::awaitable<Result<void>> remove_of_job(std::string job);
  // Forgets the links that have ended.
  asio::awaitable<Result<void>> remove_ended(double now);

 private:
  asio::awaitable<Result<void>> forget(std::string owner, std::vector<std::string> ids);
  void erase(const std::vector<std::string>& ids);
  void take(const SessionChanges& changes);
  void enter(std::vector<Share> shares);
  void tell_stored() const;

  StoreCalls& calls_;
  std::map<KeyHash, Share> shares_{};  // by the hash of the token
  std::function<void(Stored)> tell_ = [](const Stored&) {};
};

// The error for a link that has ended, or never was.
Error share_not_found();

}  // namespace server
