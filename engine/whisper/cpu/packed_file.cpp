#include "engine/whisper/cpu/packed_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <system_error>

#include "engine/whisper/cpu/checksum.h"
#include "platform/unique_fd.h"

namespace engine::cpu {
namespace {

constexpr const char* unfinished_pattern = ".XXXXXX";
constexpr std::chrono::hours longest_write{1};

std::shared_ptr<std::byte> mapping(int fd, std::size_t bytes, int protection, int flags) {
  void* data = ::mmap(nullptr, bytes, protection, flags, fd, 0);
  if (data == MAP_FAILED) return nullptr;
  return {static_cast<std::byte*>(data), [bytes](std::byte* p) { ::munmap(p, bytes); }};
}

std::shared_ptr<std::byte> behind_header(const std::shared_ptr<std::byte>& file) {
  return {file, file.get() + PackedFile::page_bytes};
}

// Gives the file its size and room on the disk for all of it.
bool reserve(int fd, std::size_t bytes) {
  const auto size = static_cast<off_t>(bytes);
#if defined(__APPLE__)
  fstore_t room{};
  room.fst_flags = F_ALLOCATEALL;
  room.fst_posmode = F_PEOFPOSMODE;
  room.fst_length = size;
  return ::fcntl(fd, F_PREALLOCATE, &room) == 0 && ::ftruncate(fd, size) == 0;
#else
  return ::posix_fallocate(fd, 0, size) == 0;
#endif
}

std::uint64_t sum_of_block(const std::byte* file, std::size_t block_bytes) {
  return checksum({file + PackedFile::page_bytes, block_bytes});
}

// Removes its file if that was not finished.
class Unfinished {
 public:
  explicit Unfinished(std::string path) : path_(std::move(path)) {}
  ~Unfinished() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }
  bool finish(const std::filesystem::path& as) {
    if (::rename(path_.c_str(), as.c_str()) != 0) return false;
    path_.clear();
    return true;
  }

 private:
  std::string path_;
};

}  // namespace

PackedFile::Found PackedFile::map(const std::filesystem::path& path, const Header& header) {
  const platform::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!fd) return {};
  struct stat facts {};
  if (::fstat(fd.get(), &facts) != 0 || !S_ISREG(facts.st_mode) ||
      facts.st_size <= static_cast<off_t>(page_bytes)) {
    return {nullptr, true};
  }
  const auto bytes = static_cast<std::size_t>(facts.st_size);
  const std::size_t block_bytes = bytes - page_bytes;
  const auto file = mapping(fd.get(), bytes, PROT_READ, MAP_PRIVATE);
  if (!file) return {};
  const std::uint64_t sum = sum_of_block(file.get(), block_bytes);
  if (std::memcmp(file.get(), header.data(), header_bytes) != 0 ||
      std::memcmp(file.get() + header_bytes, &sum, sizeof(sum)) != 0) {
    return {nullptr, true};
  }
  return {behind_header(file), false};
}

std::shared_ptr<std::byte> PackedFile::write(const std::filesystem::path& path,
                                             const Header& header, std::size_t block_bytes,
                                             const std::function<void(std::byte*)>& fill) {
  std::string name = path.string() + unfinished_pattern;
  const platform::UniqueFd fd(::mkostemp(name.data(), O_CLOEXEC));
  if (!fd) return nullptr;
  Unfinished unfinished(name);
  const std::size_t bytes = page_bytes + block_bytes;
  // The room is reserved beforehand: writing to a mapping without room on the disk kills the
  // process.
  if (!reserve(fd.get(), bytes)) return nullptr;
  {
    const auto file = mapping(fd.get(), bytes, PROT_READ | PROT_WRITE, MAP_SHARED);
    if (!file) return nullptr;
    fill(file.get() + page_bytes);
    const std::uint64_t sum = sum_of_block(file.get(), block_bytes);
    std::memcpy(file.get(), header.data(), header_bytes);
    std::memcpy(file.get() + header_bytes, &sum, sizeof(sum));
    if (::msync(file.get(), bytes, MS_SYNC) != 0) return nullptr;
  }
  if (::fsync(fd.get()) != 0 || !unfinished.finish(path)) return nullptr;
  return map(path, header).block;
}

bool PackedFile::is_left_over(const std::filesystem::path& path) {
  if (path.extension().string().size() != std::strlen(unfinished_pattern)) return false;
  std::error_code gone;
  const auto written = std::filesystem::last_write_time(path, gone);
  return !gone && std::filesystem::file_time_type::clock::now() - written > longest_write;
}

}  // namespace engine::cpu
