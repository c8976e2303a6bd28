#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "server/objects/s3_client.h"

namespace server {

// How requests are repeated that may succeed at another try. A server that says nothing is not
// asked again: that took long enough.
struct Retries {
  int most = 3;                                // requests in all
  std::chrono::milliseconds first_pause{500};  // doubled each time
};

// Waits; it ends early when a stop is requested.
void pause_for(std::chrono::milliseconds time, const std::stop_token& stop);

// Calls `work` until it succeeds, or another try is of no use.
template <class Work>
auto repeated(const Retries& retries, const std::stop_token& stop, Work work) -> decltype(work()) {
  auto pause = retries.first_pause;
  for (int tries = 1;; ++tries) {
    auto result = work();
    if (result || result.error().code != S3Errc::unavailable || tries >= retries.most) {
      return result;
    }
    pause_for(pause, stop);
    pause *= 2;
  }
}

// Puts an object in parts of this size, one after the other. What fails is aborted, so that it
// takes no room; where that fails too, the bucket's rule for unfinished uploads has to.
S3Result<void> put_in_parts(const S3Client& client, const std::string& name, FileSlice bytes,
                            std::uint64_t part_bytes, const Retries& retries,
                            const CallLimits& limits);

}  // namespace server
