#include "engine/cpu/packed_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <string>

#include "platform/unique_fd.h"

namespace engine::cpu {
namespace {

std::shared_ptr<std::byte> mapping(int fd, std::size_t bytes, int protection, int flags) {
  void* data = ::mmap(nullptr, bytes, protection, flags, fd, 0);
  if (data == MAP_FAILED) return nullptr;
  return {static_cast<std::byte*>(data), [bytes](std::byte* p) { ::munmap(p, bytes); }};
}

std::shared_ptr<std::byte> behind_header(const std::shared_ptr<std::byte>& file) {
  return {file, file.get() + PackedFile::header_bytes};
}

// Removes a file that was not finished.
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

std::shared_ptr<std::byte> PackedFile::map(const std::filesystem::path& path, const Header& header,
                                           std::size_t block_bytes) {
  const platform::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat facts {};
  const std::size_t bytes = header_bytes + block_bytes;
  if (!fd || ::fstat(fd.get(), &facts) != 0 || !S_ISREG(facts.st_mode) ||
      static_cast<std::size_t>(facts.st_size) != bytes) {
    return nullptr;
  }
  const auto file = mapping(fd.get(), bytes, PROT_READ, MAP_PRIVATE);
  if (!file || std::memcmp(file.get(), header.data(), header_bytes) != 0) return nullptr;
  return behind_header(file);
}

std::shared_ptr<std::byte> PackedFile::write(const std::filesystem::path& path,
                                             const Header& header, std::size_t block_bytes,
                                             const std::function<void(std::byte*)>& fill) {
  std::string name = path.string() + ".XXXXXX";
  const platform::UniqueFd fd(::mkostemp(name.data(), O_CLOEXEC));
  if (!fd) return nullptr;
  Unfinished unfinished(name);
  const std::size_t bytes = header_bytes + block_bytes;
  // Reserved beforehand: writing to a mapping without room on the disk kills the process.
  if (::posix_fallocate(fd.get(), 0, static_cast<off_t>(bytes)) != 0) return nullptr;
  {
    const auto file = mapping(fd.get(), bytes, PROT_READ | PROT_WRITE, MAP_SHARED);
    if (!file) return nullptr;
    fill(file.get() + header_bytes);
    std::memcpy(file.get(), header.data(), header_bytes);
    if (::msync(file.get(), bytes, MS_SYNC) != 0) return nullptr;
  }
  if (!unfinished.finish(path)) return nullptr;
  return map(path, header, block_bytes);
}

}  // namespace engine::cpu
