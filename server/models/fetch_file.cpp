#include "server/models/fetch_file.h"

#include <algorithm>

#include "server/models/check_file.h"

namespace server {

namespace fs = std::filesystem;

StoreResult<InstalledFile> fetch_file(const Download& wanted, const KnownFile& expected,
                                      const Observer& observer) {
  std::error_code ignored;
  const bool resumed = fs::exists(fs::path(wanted.to) += ".part", ignored);
  if (fs::exists(wanted.to, ignored)) {
    auto checked = check_file(wanted.to, expected, observer);
    if (checked || checked.error().code == StoreErrc::cancelled) return checked;
    discard_download(wanted.to);
  }
  for (int attempt = 0;; ++attempt) {
    if (auto done = download(wanted, observer); !done) return done.error();
    auto checked = check_file(wanted.to, expected, observer);
    if (checked || checked.error().code != StoreErrc::wrong_content) return checked;
    discard_download(wanted.to);
    if (!resumed || attempt > 0) return checked;
  }
}

std::uint64_t missing_bytes(const Download& wanted) {
  std::error_code error;
  std::uint64_t have = 0;
  for (const auto& file : {wanted.to, fs::path(wanted.to) += ".part"}) {
    const auto size = fs::file_size(file, error);
    if (!error) have = std::max<std::uint64_t>(have, size);
  }
  const std::uint64_t all = wanted.size.value_or(0);
  return all > have ? all - have : 0;
}

}  // namespace server
