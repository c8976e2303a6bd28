#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>

namespace engine::cpu {

// A file of a header and a block that is mapped whole, with a checksum of the block behind the
// header. What is handed out keeps the mapping.
class PackedFile {
 public:
  // The size is a page, so that the block behind header and checksum is aligned.
  static constexpr std::size_t page_bytes = 4096;
  static constexpr std::size_t header_bytes = page_bytes - 8;
  using Header = std::array<std::byte, header_bytes>;

  struct Found {
    std::shared_ptr<std::byte> block;  // null where there is none
    bool damaged = false;              // there is a file, but not what was written
  };
  // Returns the block of `path`. A file with another header or checksum is damaged.
  static Found map(const std::filesystem::path& path, const Header& header);

  // Writes a new file: `fill` gets the block to write to. The file appears under its name when all
  // of it is on the disk. Returns nothing where that is not possible. What `fill` throws goes
  // through.
  static std::shared_ptr<std::byte> write(const std::filesystem::path& path, const Header& header,
                                          std::size_t block_bytes,
                                          const std::function<void(std::byte* block)>& fill);

  // Returns whether `path` is a file that write() has begun, and its process did not live to
  // finish.
  static bool is_left_over(const std::filesystem::path& path);
};

}  // namespace engine::cpu
