#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "protocol/transcript.h"
#include "server/base/error.h"

namespace server {

// The memory that texts of jobs take together while they are read, edited and written as answers.
// An owner may have half of what the others leave. Calls are from any thread.
class TextMemory {
 public:
  // So much is enough for a hundred hours of speech with the times of its words.
  static constexpr std::size_t usual_bytes = 128 << 20;

  // The memory of one text, all of which is given back at the end of this object.
  class Share {
   public:
    Share(std::shared_ptr<TextMemory> memory, std::string owner)
        : memory_(std::move(memory)), owner_(std::move(owner)) {}
    Share(const Share&) = delete;
    ~Share() { memory_->give_back(owner_, bytes_); }

    // Takes so many bytes more. Errors: too_large, where the owner alone has more than the half;
    // overloaded, where others are in the way.
    Result<void> take(std::size_t bytes);

   private:
    std::shared_ptr<TextMemory> memory_;
    std::string owner_;
    std::size_t bytes_ = 0;
  };

  explicit TextMemory(std::size_t bytes = usual_bytes) : bytes_(bytes) {}

  std::size_t taken() const;

 private:
  Result<void> take(const std::string& owner, std::size_t bytes);
  void give_back(const std::string& owner, std::size_t bytes);

  const std::size_t bytes_;
  mutable std::mutex mutex_{};
  std::size_t all_ = 0;
  std::map<std::string, std::size_t> of_owner_{};  // only owners who have some
};

// Returns how much memory a segment takes, with its words.
std::size_t memory_of(const protocol::Segment& segment);

}  // namespace server
