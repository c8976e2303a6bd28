#include "engine/live/live_pieces.h"

#include <utility>

namespace engine {

bool LivePieces::wait_for_room(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  return news_.wait(lock, stop, [this] { return has_room(); });
}

void LivePieces::append(live::Piece piece) {
  {
    const std::lock_guard lock(mutex_);
    auto* const sound = std::get_if<live::Sound>(&piece);
    if (sound != nullptr) samples_ += sound->samples.size();
    if (sound == nullptr || !join(*sound)) pieces_.push_back(std::move(piece));
  }
  news_.notify_all();
}

bool LivePieces::join(live::Sound& sound) {
  auto* const before = pieces_.empty() ? nullptr : std::get_if<live::Sound>(&pieces_.back());
  if (before == nullptr || before->turn != sound.turn) return false;
  before->samples.insert(before->samples.end(), sound.samples.begin(), sound.samples.end());
  before->silent = sound.silent;
  return true;
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
