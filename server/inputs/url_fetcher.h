#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "server/base/blocking_calls.h"
#include "server/inputs/spool.h"
#include "server/outbound/call_places.h"

namespace server {

// Fetches sound from addresses that clients name: https to public addresses only, decided by the
// address that is connected to and not by its name, without redirects that lead elsewhere. Owners
// take turns, and one of them gets half of the threads at most.
class UrlFetcher {
 public:
  struct Settings {
    std::vector<std::string> hosts{};  // that may be asked: "a.org", "*.a.org"; "*": every one
    std::uint64_t max_bytes = 2ULL << 30;
    std::chrono::seconds limit{600};  // from the call to the last byte
    int max_pending_of_one = 8;       // owner; more at once is queue_full
    // Tests only: loopback and http.
    bool allow_private = false;
  };

  struct Fetched {
    std::filesystem::path file{};  // in the spool, on the disk, the caller's to remove
    std::string name{};            // the last part of the address's path; may be empty
  };

  // Both outlive the fetcher. Goes before the io_context of its callers.
  UrlFetcher(Settings settings, const Spool& spool);

  // Cancelling the call ends the transfer. Errors: url_refused, too_large, unreachable, timed_out,
  // queue_full, and those of the spool.
  asio::awaitable<Result<Fetched>> fetch(std::string url, std::string owner);

 private:
  Settings settings_;
  const Spool& spool_;
  std::shared_ptr<CallPlaces> places_;
  BlockingCalls calls_;  // last: its threads end before what they use
};

}  // namespace server
