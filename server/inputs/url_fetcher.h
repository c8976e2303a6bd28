#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "server/base/blocking_calls.h"
#include "server/base/call_places.h"
#include "server/inputs/spool.h"

namespace server {

// Fetches sound from addresses that clients name: https to public addresses only, decided by the
// address that is connected to and not by its name, without redirects that lead elsewhere. Owners
// take turns, and one owner gets at most half of the threads.
class UrlFetcher {
 public:
  struct Settings {
    std::vector<std::string> hosts{};  // allowed hosts: "a.org", "*.a.org"; "*": every one
    std::uint64_t max_bytes = 2ULL << 30;
    std::chrono::seconds limit{600};  // from the call to the last byte
    int max_pending_of_one = 8;       // of one owner; more at once is queue_full
    // Allows loopback and http; for tests only.
    bool allow_private = false;
  };

  struct Fetched {
    std::filesystem::path file{};  // in the spool, synced; the caller removes it
    std::string name{};            // the last part of the address's path; may be empty
  };

  // `spool` outlives the fetcher. The fetcher must be destroyed before the io_context of its
  // callers.
  UrlFetcher(Settings settings, const Spool& spool);

  // Returns the hosts that an address may name.
  const std::vector<std::string>& hosts() const { return settings_.hosts; }
  // Sets the most bytes of a file that is fetched from now on.
  void set_max_bytes(std::uint64_t bytes) { settings_.max_bytes = bytes; }

  // Cancelling the call ends the transfer. Errors: url_refused, too_large, unreachable, timed_out,
  // queue_full, and those of the spool.
  asio::awaitable<Result<Fetched>> fetch(std::string url, std::string owner);

 private:
  Settings settings_;
  const Spool& spool_;
  std::shared_ptr<CallPlaces> places_;
  BlockingCalls calls_;  // the last member: its threads end before what they use
};

}  // namespace server
