#include "engine/whisper/transcriber/live_place.h"

#include <chrono>
#include <utility>

namespace engine {

void LivePlace::wait(bool ends_turn) {
  if (place_ || runner_->is_ahead()) return;
  const auto begin = std::chrono::steady_clock::now();
  if (auto place = runner_->passes().enter(runner_->owner(), ends_turn, *stop_)) {
    place_.emplace(*std::move(place));
  }
  waited_s_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double LivePlace::enter(bool ends_turn) {
  wait(ends_turn);
  return std::exchange(waited_s_, 0);
}

void LivePlace::leave() {
  place_.reset();
}

}  // namespace engine
