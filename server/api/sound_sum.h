#pragma once

#include <boost/asio/awaitable.hpp>
#include <chrono>
#include <optional>

#include "server/api/shared_calls.h"
#include "server/base/fair_calls.h"
#include "server/inputs/sound_store.h"

namespace server {

// How much sound is kept of all jobs. That is read from the disk, file by file, so it is read once
// for all who ask, and is good for a while. It is used on one thread.
class SoundSum {
 public:
  // Other daemons may change the folder, so there is no sum to be kept here.
  static constexpr std::chrono::milliseconds good_for{5'000};

  // `now` is a clock for tests; nullptr: the system's.
  explicit SoundSum(std::chrono::steady_clock::time_point (*now)() = nullptr);

  // Returns what was there at most `good_for` ago.
  asio::awaitable<Result<SoundUse>> find(FairCalls& disk, const SoundStore& sounds);

 private:
  asio::awaitable<Result<SoundUse>> count(FairCalls& disk, const SoundStore& sounds);

  std::chrono::steady_clock::time_point (*now_)();
  std::optional<SoundUse> last_{};
  std::chrono::steady_clock::time_point counted_{};
  api::SharedCalls<SoundUse> calls_{};
};

}  // namespace server
