#pragma once

#include <sys/stat.h>
#include <unistd.h>

#include <cstdint>

namespace engine::test {

// The disk that the next file takes that this process opens: it gets the lowest descriptor.
class DiskUse {
 public:
  DiskUse() : descriptor_(::dup(STDIN_FILENO)) { ::close(descriptor_); }

  std::int64_t bytes() const {
    constexpr std::int64_t block_bytes = 512;
    struct stat file {};
    return ::fstat(descriptor_, &file) == 0 ? file.st_blocks * block_bytes : -1;
  }

 private:
  int descriptor_;
};

}  // namespace engine::test
