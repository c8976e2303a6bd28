#pragma once

#include <filesystem>
#include <utility>

#include "server/inputs/spool.h"

namespace server {

// A whole file of the spool that no job has yet. It is removed with this object unless claim()
// hands it over, so that nothing stays behind a client that leaves in between.
class UnclaimedFile {
 public:
  UnclaimedFile() = default;
  // `spool` must outlive this object.
  UnclaimedFile(const Spool& spool, std::filesystem::path file)
      : spool_(&spool), file_(std::move(file)) {}
  UnclaimedFile(UnclaimedFile&& other) noexcept
      : spool_(std::exchange(other.spool_, nullptr)), file_(std::move(other.file_)) {}
  UnclaimedFile& operator=(UnclaimedFile&& other) noexcept {
    std::swap(spool_, other.spool_);
    std::swap(file_, other.file_);
    return *this;
  }
  ~UnclaimedFile() {
    if (spool_ != nullptr) spool_->remove(file_);
  }

  const std::filesystem::path& path() const { return file_; }

  // Hands the file over to the caller.
  std::filesystem::path claim() {
    spool_ = nullptr;
    return std::move(file_);
  }

 private:
  const Spool* spool_ = nullptr;  // nullptr: there is nothing to remove
  std::filesystem::path file_{};
};

}  // namespace server
