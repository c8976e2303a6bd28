#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <stop_token>
#include <vector>

#include "engine/live/live_source.h"

namespace engine {

// The pieces of a session's sound that its recogniser has not taken yet. One thread appends them
// while another takes them.
class LivePieces {
 public:
  // So much sound, and so many pieces, wait for the recogniser before wait_for_room() waits.
  static constexpr std::size_t most_samples = std::size_t{60} * 16'000;
  static constexpr std::size_t most_pieces = 1000;

  // Waits while there is no room; returns false on a stop request.
  bool wait_for_room(const std::stop_token& stop);

  // Appends a piece, and joins sound to that of the same turn which waits before it.
  void append(live::Piece piece);

  // Ends the pieces with `error`, which take() returns once those that wait were taken.
  void fail(Error error);

  // Does what LiveSource::take() says; a stop request ends it with `cancelled`.
  Result<std::vector<live::Piece>> take(std::chrono::milliseconds wait,
                                        const std::stop_token& stop);

 private:
  bool has_room() const { return samples_ < most_samples && pieces_.size() < most_pieces; }

  std::mutex mutex_;
  std::condition_variable_any news_;
  std::vector<live::Piece> pieces_{};  // guarded by mutex_, as the following
  std::size_t samples_ = 0;
  std::optional<Error> error_{};
};

}  // namespace engine
