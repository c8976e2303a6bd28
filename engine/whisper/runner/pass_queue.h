#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>

namespace engine {

// Whose pass over live sound is next. A session that waits here takes its sound when its turn has
// come, so that the pass hears the latest, where one that waited for the device itself would be
// answered about sound that is old by then. Owners take turns, whatever number of sessions each
// has: the one whose latest pass is the longest ago is next. Of one owner, passes that end a turn
// go before others; otherwise who has come first is first, so that all its sessions have as many. A
// pass that ends a turn goes before those of other owners, too, but not twice in a row for one
// owner. Any number of threads use it.
class PassQueue {
 public:
  // Leaves the queue when it ends.
  class Place {
   public:
    explicit Place(PassQueue& queue) : queue_(&queue) {}
    ~Place() {
      if (queue_ != nullptr) queue_->leave();
    }
    Place(Place&& other) noexcept : queue_(std::exchange(other.queue_, nullptr)) {}
    Place& operator=(Place&&) = delete;

   private:
    PassQueue* queue_;
  };

  // So many passes are worth having under way at once: as many as urgent windows are encoded
  // together.
  explicit PassQueue(int places) : places_(places), free_(places) {}

  // Waits for a place; a stop request ends that without one.
  std::optional<Place> enter(std::uint64_t owner, bool ends_turn, const std::stop_token& stop);

  // Returns how many wait for a place.
  std::size_t waiting() const;

 private:
  struct Waiting {
    std::uint64_t owner = 0;
    bool ends_turn = false;
  };

  void leave();
  bool is_next(const Waiting& waiting) const;

  int places_;
  mutable std::mutex mutex_;
  std::condition_variable_any news_;
  std::deque<const Waiting*> waiting_{};  // guarded by mutex_, as the next
  // When owners had their latest pass, since there was none under way.
  std::map<std::uint64_t, std::uint64_t> turns_{};
  std::uint64_t entered_ = 0;
  std::optional<std::uint64_t> last_owner_{};
  int free_;
};

}  // namespace engine
