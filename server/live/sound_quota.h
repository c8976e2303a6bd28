#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <limits>
#include <map>
#include <memory>
#include <string>

#include "server/base/error.h"

namespace server {

namespace asio = boost::asio;

class JobQueue;

// Counts the sound of live sessions as sound of the day of their owners, as it comes: in memory at
// once, and in the store after every few seconds of it and at a session's end. An owner without a
// limit costs nothing. It is used on the executor's thread.
class SoundQuota : public std::enable_shared_from_this<SoundQuota> {
 public:
  // So much sound of an owner is lost at most where the process dies.
  static constexpr double step_s = 5;

  // `jobs` must outlive the coroutines that use it.
  SoundQuota(asio::any_io_executor executor, JobQueue& jobs)
      : executor_(std::move(executor)), jobs_(jobs) {}
  SoundQuota(const SoundQuota&) = delete;

  // Succeeds if a session of the owner may begin, whose place is taken. Errors: those of
  // JobQueue::check_live().
  asio::awaitable<Result<void>> check(std::string owner);

  // Counts so many seconds, or as many of them as the owner may still have, and returns those.
  double take(const std::string& owner, double seconds);
  // A session of the owner has ended: all that was taken goes to the store.
  void settle(const std::string& owner);
  // Returns why take() has returned less than it was given.
  Error used_up(const std::string& owner) const;

  // Returns whether the store is being written to.
  bool is_busy() const { return writing_ > 0; }

 private:
  // Seconds of one owner since this object was made.
  struct Account {
    double taken = 0;
    double written = 0;  // of which so many were handed to the store
    double most = std::numeric_limits<double>::infinity();  // the highest that `taken` may be
    bool is_writing = false;
    bool settles = false;  // what is less than a step is written, too
  };

  void write_soon(const std::string& owner, Account& account);
  static asio::awaitable<void> write(std::shared_ptr<SoundQuota> self, std::string owner);

  asio::any_io_executor executor_;
  JobQueue& jobs_;
  std::map<std::string, Account> accounts_{};  // as many as there are names with a limit
  int writing_ = 0;
};

}  // namespace server
