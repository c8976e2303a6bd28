#include "server/jobs/text_memory.h"

#include <numeric>

namespace server {

Result<void> TextMemory::Share::take(std::size_t bytes) {
  const auto taken = memory_->take(owner_, bytes);
  if (taken) bytes_ += bytes;
  return taken;
}

Result<void> TextMemory::take(const std::string& owner, std::size_t bytes) {
  const std::lock_guard lock(mutex_);
  const auto found = of_owner_.find(owner);
  const std::size_t mine = (found == of_owner_.end() ? 0 : found->second) + bytes;
  const std::size_t others = all_ + bytes - mine;
  if (mine > bytes_ / 2) {
    return Error{errc::too_large, "The text is too large to be read as a whole.",
                 "Read its segments page by page."};
  }
  if (others > bytes_ || mine > (bytes_ - others) / 2) {
    return Error{errc::overloaded, "The server has no memory left for texts.", "Try again later."};
  }
  all_ += bytes;
  of_owner_[owner] = mine;
  return {};
}

void TextMemory::give_back(const std::string& owner, std::size_t bytes) {
  if (bytes == 0) return;
  const std::lock_guard lock(mutex_);
  all_ -= bytes;
  const auto found = of_owner_.find(owner);
  found->second -= bytes;
  if (found->second == 0) of_owner_.erase(found);
}

std::size_t TextMemory::taken() const {
  const std::lock_guard lock(mutex_);
  return all_;
}

std::size_t memory_of(const protocol::Segment& segment) {
  const auto of_word = [](std::size_t sum, const protocol::Word& word) {
    return sum + sizeof(word) + (word.word.size() < sizeof(std::string) / 2 ? 0 : word.word.size());
  };
  const auto of_token = [](std::size_t sum, const protocol::TokenLogprob& token) {
    return sum + sizeof(token) + token.bytes.size() * sizeof(int);
  };
  const std::size_t words =
      std::accumulate(segment.words.begin(), segment.words.end(), std::size_t{0}, of_word);
  const std::size_t logprobs = std::accumulate(
      segment.token_logprobs.begin(), segment.token_logprobs.end(), std::size_t{0}, of_token);
  return sizeof(segment) + segment.text.size() + segment.tokens.size() * sizeof(int) + words +
         logprobs;
}

}  // namespace server
