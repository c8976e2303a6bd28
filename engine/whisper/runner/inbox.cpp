#include "engine/whisper/runner/inbox.h"

#include <algorithm>

namespace engine {

// A window with its place among those that are held.
struct Inbox::Place {
  Place(std::shared_ptr<Inbox> inbox, EncodedWindow window, const Urgency& urgency, int spared)
      : inbox(std::move(inbox)), window(std::move(window)), urgency(urgency), spared(spared) {}
  Place(const Place&) = delete;
  ~Place() {
    window.reset();  // its memory first: the next window may need it
    inbox->let_go(urgency, spared);
  }

  std::shared_ptr<Inbox> inbox;
  EncodedWindow window;
  Urgency urgency;
  int spared;
};

int rows_of(const DecodeWork& work) {
  return work.decoding.choice().n_rows;
}

void count_window(Held& held, const Urgency& urgency, int spared, int count) {
  const bool urgent = is_urgent(urgency);
  (urgent ? held.urgent : held.others) += count;
  (urgent ? held.urgent_spared : held.other_spared) += count * spared;
  if (!urgent) return;
  if (count > 0) {
    held.owners.push_back(urgency.owner);
  } else {
    held.owners.erase(std::ranges::find(held.owners, urgency.owner));
  }
}

void cancel(Work& work) {
  const Error cancelled{Errc::cancelled, "the transcription was cancelled", ""};
  std::visit([&](auto& what) { what.answer.set_value(cancelled); }, work.what);
}

void Inbox::put(Work work) {
  {
    const std::lock_guard lock(mutex_);
    if (!closed_) {
      arrivals_.push_back(std::move(work));
      changed_.notify_one();
      return;
    }
  }
  cancel(work);
}

std::deque<Work> Inbox::take(const std::stop_token& stop,
                             std::optional<std::chrono::milliseconds> most) {
  std::unique_lock lock(mutex_);
  const auto is_changed = [this] { return !arrivals_.empty() || let_go_; };
  if (most) {
    changed_.wait_for(lock, stop, *most, is_changed);
  } else {
    changed_.wait(lock, stop, is_changed);
  }
  let_go_ = false;
  return std::exchange(arrivals_, {});
}

void Inbox::close() {
  std::deque<Work> late;
  {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    late = std::exchange(arrivals_, {});
  }
  for (Work& work : late) cancel(work);
}

Held Inbox::held() const {
  const std::lock_guard lock(mutex_);
  return held_;
}

EncodedWindow Inbox::hold(EncodedWindow window, const Urgency& urgency, int spared) {
  {
    const std::lock_guard lock(mutex_);
    count_window(held_, urgency, spared, 1);
  }
  const EncodedAudio* audio = window.get();
  const auto place =
      std::make_shared<Place>(shared_from_this(), std::move(window), urgency, spared);
  return EncodedWindow(place, audio);
}

void Inbox::let_go(const Urgency& urgency, int spared) {
  const std::lock_guard lock(mutex_);
  count_window(held_, urgency, spared, -1);
  let_go_ = true;
  changed_.notify_one();
}

}  // namespace engine
