#include "engine/audio/spool_owners.h"

namespace engine {

std::int64_t SpoolOwners::Share::set(std::int64_t bytes) {
  const std::lock_guard lock(owners_->mutex_);
  auto& all = owners_->bytes_[owner_];
  all += bytes - std::exchange(bytes_, bytes);
  const std::int64_t of_owner = all;
  if (of_owner == 0) owners_->bytes_.erase(owner_);
  return of_owner;
}

}  // namespace engine
