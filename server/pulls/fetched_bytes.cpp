#include "server/pulls/fetched_bytes.h"

#include <algorithm>

namespace server {

void FetchedBytes::add(const PullProgress& progress) {
  if (progress.phase != PullProgress::Phase::downloading) return;
  File& file = files_[progress.item];
  file.done = progress.done_bytes;
  file.total = std::max(progress.done_bytes, progress.total_bytes.value_or(0));
  std::uint64_t done = 0, total = 0;
  for (const auto& [name, one] : files_) {
    done += one.done;
    total += one.total;
  }
  done_ = done;
  total_ = std::max<std::uint64_t>(total_, total);
}

void FetchedBytes::begin_anew() {
  files_.clear();
  done_ = 0;
}

std::optional<std::uint64_t> FetchedBytes::total() const {
  const std::uint64_t total = total_;
  if (total == 0) return std::nullopt;
  return total;
}

}  // namespace server
