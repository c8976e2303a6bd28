#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace engine {

// A whole regular file, mapped for reading.
class MappedFile {
 public:
  // Throws engine::Exception: not_found, unreadable, damaged_model (empty).
  explicit MappedFile(const std::filesystem::path& path);
  MappedFile(MappedFile&& other) noexcept;
  MappedFile& operator=(MappedFile&& other) noexcept;
  ~MappedFile();

  std::span<const std::byte> bytes() const { return {data_, size_}; }
  const std::filesystem::path& path() const { return path_; }

  // Releases the pages that were read, so that they no longer count as this process's memory.
  // Reading them again gets them from the file, or from the system's cache of it.
  void release_pages() const noexcept;

 private:
  std::filesystem::path path_;
  const std::byte* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace engine
