#include "engine/live/live_pieces.h"

#include <utility>

namespace engine {

void live::append(std::vector<Piece>& pieces, Piece piece) {
  const auto* const sound = std::get_if<Sound>(&piece);
  auto* const before = pieces.empty() ? nullptr : std::get_if<Sound>(&pieces.back());
  if (sound == nullptr || before == nullptr || before->turn != sound->turn) {
    pieces.push_back(std::move(piece));
    return;
  }
  before->samples.insert(before->samples.end(), sound->samples.begin(), sound->samples.end());
  before->silent = sound->silent;
}

bool LivePieces::wait_for_room(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  return news_.wait(lock, stop, [this] { return has_room(); });
}

void LivePieces::append(live::Piece piece) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto* sound = std::get_if<live::Sound>(&piece)) samples_ += sound->samples.size();
    live::append(pieces_, std::move(piece));
  }
  news_.notify_all();
}

void LivePieces::fail(Error error) {
  {
    const std::lock_guard lock(mutex_);
    error_ = std::move(error);
  }
  news_.notify_all();
}

Result<std::vector<live::Piece>> LivePieces::take(std::chrono::milliseconds wait,
                                                  const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  news_.wait_for(lock, stop, wait, [this] { return !pieces_.empty() || error_; });
  if (stop.stop_requested()) {
    return Error{Errc::cancelled, "the transcription was cancelled", ""};
  }
  if (pieces_.empty() && error_) return *error_;
  samples_ = 0;
  auto taken = std::exchange(pieces_, {});
  lock.unlock();
  news_.notify_all();
  return taken;
}

}  // namespace engine
