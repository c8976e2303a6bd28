#include "server/daemon/backup_tar.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

namespace server {
namespace {

// Where the fields of a block begin, and how long they are.
struct TarField {
  std::size_t at;
  std::size_t bytes;
};
constexpr TarField name_field{0, 100}, mode_field{100, 8}, owner_field{108, 8}, group_field{116, 8},
    size_field{124, 12}, time_field{136, 12}, sum_field{148, 8}, kind_field{156, 1},
    magic_field{257, 8};
constexpr std::uint64_t most_in_octal = 077777777777;

void put(std::string& block, TarField field, std::string_view text) {
  block.replace(field.at, text.size(), text);
}

std::string_view get(std::string_view block, TarField field) {
  return block.substr(field.at, field.bytes);
}

// A size beyond 8 GiB is written as GNU tar does: in binary, behind a byte with its top bit set.
std::string size_text(std::uint64_t bytes) {
  if (bytes <= most_in_octal) return fmt::format("{:011o}", bytes);
  std::string text(size_field.bytes, '\0');
  for (std::size_t at = text.size(); bytes > 0; bytes >>= 8) {
    text[--at] = static_cast<char>(bytes & 0xff);
  }
  text[0] = static_cast<char>(0x80);
  return text;
}

std::optional<std::uint64_t> parse_size(std::string_view text) {
  std::uint64_t size = 0;
  if (text[0] == static_cast<char>(0x80)) {
    for (const char byte : text.substr(4)) size = size << 8 | static_cast<unsigned char>(byte);
    return size;
  }
  const std::string digits(text.substr(0, text.find_last_not_of(std::string_view("\0 ", 2)) + 1));
  const auto [rest, failure] =
      std::from_chars(digits.data(), digits.data() + digits.size(), size, 8);
  if (failure != std::errc() || rest != digits.data() + digits.size()) return std::nullopt;
  return size;
}

// The sum of all bytes, where those of the sum itself count as spaces.
std::string sum_text(std::string block) {
  put(block, sum_field, "        ");
  const auto add = [](unsigned sum, char byte) { return sum + static_cast<unsigned char>(byte); };
  return fmt::format("{:06o}", std::accumulate(block.begin(), block.end(), 0U, add));
}

Error damaged(const char* what) {
  return {"damaged_backup", what, "Take another file: this one cannot be restored."};
}

}  // namespace

std::string tar_head(const TarEntry& entry) {
  std::string block(tar_block_bytes, '\0');
  put(block, name_field, std::string_view(entry.name).substr(0, name_field.bytes - 1));
  put(block, mode_field, "0000600");
  put(block, owner_field, "0000000");
  put(block, group_field, "0000000");
  put(block, size_field, size_text(entry.bytes));
  put(block, time_field, "00000000000");
  put(block, kind_field, "0");
  put(block, magic_field, std::string_view("ustar\00000", 8));
  put(block, sum_field, sum_text(block) + std::string("\0 ", 2));
  return block;
}

Result<std::optional<TarEntry>> parse_tar_head(std::string_view block) {
  if (block.size() != tar_block_bytes) return damaged("The backup ends in the middle.");
  if (std::ranges::all_of(block, [](char byte) { return byte == '\0'; })) {
    return std::optional<TarEntry>();
  }
  if (get(block, sum_field).substr(0, 6) != sum_text(std::string(block))) {
    return damaged("This is no backup of scribed, or it is damaged.");
  }
  const auto size = parse_size(get(block, size_field));
  const char kind = block[kind_field.at];
  if (!size || (kind != '0' && kind != '\0')) return damaged("The backup holds what is no file.");
  const auto name = get(block, name_field);
  return std::optional<TarEntry>({std::string(name.substr(0, name.find('\0'))), *size});
}

std::size_t tar_padding(std::uint64_t bytes) {
  return static_cast<std::size_t>((tar_block_bytes - bytes % tar_block_bytes) % tar_block_bytes);
}

std::string tar_end() {
  return std::string(2 * tar_block_bytes, '\0');
}

}  // namespace server
