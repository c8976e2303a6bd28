#include "engine/weights/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "engine/error.h"
#include "platform/unique_fd.h"

namespace engine {
namespace {

[[noreturn]] void fail(Errc code, const std::filesystem::path& path, const std::string& what,
                       std::string fix) {
  throw Exception({code, "[weights] " + path.string() + ": " + what, std::move(fix)});
}

std::string errno_text() {
  return std::generic_category().message(errno);
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) : path_(path) {
  // O_NONBLOCK is set so that a named pipe instead of the file does not hang the open.
  platform::UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!fd) {
    if (errno == ENOENT || errno == ENOTDIR) {
      fail(Errc::not_found, path, "no such file", "Check the path of the model.");
    }
    fail(Errc::unreadable, path, errno_text(), "Check who may read the file.");
  }
  struct stat facts {};
  if (::fstat(fd.get(), &facts) != 0) fail(Errc::unreadable, path, errno_text(), "");
  if (!S_ISREG(facts.st_mode)) {
    fail(Errc::unreadable, path, "is not a regular file", "Name the model's file or its folder.");
  }
  if (facts.st_size == 0) {
    fail(Errc::damaged_model, path, "the file is empty", "Fetch the model again.");
  }
  const auto size = static_cast<std::size_t>(facts.st_size);
  void* data = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd.get(), 0);
  if (data == MAP_FAILED) fail(Errc::unreadable, path, "cannot be mapped: " + errno_text(), "");
  data_ = static_cast<const std::byte*>(data);
  size_ = size;
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)),
      data_(std::exchange(other.data_, nullptr)),
      size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

void MappedFile::release_pages() const noexcept {
  ::madvise(const_cast<std::byte*>(data_), size_, MADV_DONTNEED);
}

MappedFile::~MappedFile() {
  if (data_ != nullptr) ::munmap(const_cast<std::byte*>(data_), size_);
}

}  // namespace engine
