#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "server/models/observer.h"

namespace server {

// Sums up what a pull tells of its files, one after the other, so that there is one figure for the
// model. One thread writes, any may read.
class FetchedBytes {
 public:
  // `expected` is what the registry knows of the model's size.
  explicit FetchedBytes(std::optional<std::uint64_t> expected) : total_(expected.value_or(0)) {}

  void add(const PullProgress& progress);
  // Forgets all files, because another source is tried.
  void begin_anew();

  std::uint64_t done() const { return done_; }
  // Returns nothing as long as nobody has said it.
  std::optional<std::uint64_t> total() const;

 private:
  struct File {
    std::uint64_t done = 0, total = 0;
  };

  std::map<std::string, File> files_{};
  std::atomic<std::uint64_t> done_ = 0;
  std::atomic<std::uint64_t> total_;  // 0: unknown
};

}  // namespace server
