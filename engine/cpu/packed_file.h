#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>

namespace engine::cpu {

// A file of a header and a block that is mapped whole. What is handed out keeps the mapping.
class PackedFile {
 public:
  // A page, so that the block behind it is aligned.
  static constexpr std::size_t header_bytes = 4096;
  using Header = std::array<std::byte, header_bytes>;

  // The block of `path`; nothing where the file is not there, or has another header or size.
  static std::shared_ptr<std::byte> map(const std::filesystem::path& path, const Header& header,
                                        std::size_t block_bytes);

  // Writes a new file: `fill` gets the block to write to. The file appears under its name when it
  // is whole. Nothing where that is not possible. What `fill` throws goes through.
  static std::shared_ptr<std::byte> write(const std::filesystem::path& path, const Header& header,
                                          std::size_t block_bytes,
                                          const std::function<void(std::byte* block)>& fill);
};

}  // namespace engine::cpu
