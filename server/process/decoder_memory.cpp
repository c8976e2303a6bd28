#include "server/process/decoder_memory.h"

#include <algorithm>
#include <utility>

namespace server {

std::unique_ptr<DecoderMemory::Wish> DecoderMemory::ask(std::string owner,
                                                        std::function<void()> grant) {
  std::unique_ptr<Wish> wish(new Wish(shared_from_this(), std::move(owner), std::move(grant)));
  wishes_.push_back(wish.get());
  serve();
  return wish;
}

void DecoderMemory::drop(const Wish& wish) {
  wishes_.remove_if([&](const Wish* other) { return other == &wish; });
  serve();
}

void DecoderMemory::serve() {
  while (Wish* const wish = next()) {
    wish->is_granted_ = true;
    wish->grant_();
  }
}

int DecoderMemory::granted_to(const std::string& owner) const {
  return static_cast<int>(std::ranges::count_if(
      wishes_, [&](const Wish* wish) { return wish->is_granted_ && wish->owner_ == owner; }));
}

DecoderMemory::Wish* DecoderMemory::next() const {
  const int most_of_one = std::max(1, places_ - 1);
  const auto granted = std::ranges::count_if(wishes_, &Wish::is_granted);
  if (granted >= places_) return nullptr;
  Wish* next = nullptr;
  int fewest = most_of_one;
  for (Wish* const wish : wishes_) {
    if (wish->is_granted_) continue;
    if (const int has = granted_to(wish->owner_); has < fewest) {
      next = wish;
      fewest = has;
    }
  }
  return next;
}

}  // namespace server
