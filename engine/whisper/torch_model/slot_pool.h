#pragma once

#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace engine {

// Hands out the numbers of places in a store, lowest first, so that what is in use stays near its
// beginning. Any thread may give one back: an encoded window ends with its last owner.
class SlotPool : public std::enable_shared_from_this<SlotPool> {
 public:
  // A place while it is in use. It may outlive the pool's owner.
  class Slot {
   public:
    Slot(std::shared_ptr<SlotPool> pool, int index) : pool_(std::move(pool)), index_(index) {}
    Slot(Slot&&) = default;
    Slot& operator=(Slot&&) = delete;
    ~Slot() {
      if (pool_) pool_->give_back(index_);
    }

    int index() const { return index_; }

   private:
    std::shared_ptr<SlotPool> pool_;
    int index_;
  };

  explicit SlotPool(int n_slots) : used_(static_cast<std::size_t>(n_slots)) {}

  // Returns nothing where all places are in use.
  std::optional<Slot> take();
  int in_use() const;

 private:
  void give_back(int index);

  mutable std::mutex mutex_;
  std::vector<bool> used_;  // guarded by mutex_
};

}  // namespace engine
