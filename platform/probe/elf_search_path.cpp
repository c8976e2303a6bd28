#include "platform/probe/elf_search_path.h"

#if defined(__linux__)
#include <elf.h>
#endif

#include <bit>
#include <cstring>
#include <fstream>
#include <optional>
#include <string>

namespace platform {
namespace {

namespace fs = std::filesystem;

#if defined(__linux__)

constexpr std::uint64_t max_table_bytes = 1 << 20;  // for headers or strings; real tables are small

// Reads structures from an ELF file by offset. It reads nothing past the file's end, or from a
// table that is larger than any real one.
class ElfFile {
 public:
  explicit ElfFile(const fs::path& path) : file_(path, std::ios::binary) {}

  template <class T>
  std::optional<std::vector<T>> table(std::uint64_t offset, std::uint64_t count) {
    if (count > max_table_bytes / sizeof(T)) return {};
    std::vector<T> entries(count);
    const auto bytes = static_cast<std::streamsize>(count * sizeof(T));
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    if (!file_.read(reinterpret_cast<char*>(entries.data()), bytes)) return {};
    return entries;
  }

  std::string text(std::uint64_t offset) {
    std::string result;
    file_.clear();
    file_.seekg(static_cast<std::streamoff>(offset));
    for (char letter = 0; file_.get(letter) && letter != '\0';) {
      if (result.size() >= max_table_bytes) return {};
      result += letter;
    }
    return result;
  }

 private:
  std::ifstream file_;
};

bool is_ours(const Elf64_Ehdr& header) {
  constexpr auto order = std::endian::native == std::endian::little ? ELFDATA2LSB : ELFDATA2MSB;
  return std::memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
         header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_ident[EI_DATA] == order &&
         header.e_phentsize == sizeof(Elf64_Phdr);
}

std::optional<std::uint64_t> file_offset(const std::vector<Elf64_Phdr>& segments,
                                         std::uint64_t address) {
  for (const auto& segment : segments) {
    if (segment.p_type == PT_LOAD && address >= segment.p_vaddr &&
        address - segment.p_vaddr < segment.p_filesz) {
      return segment.p_offset + (address - segment.p_vaddr);
    }
  }
  return {};
}

std::vector<Elf64_Dyn> dynamic_entries(ElfFile& file, const std::vector<Elf64_Phdr>& segments) {
  for (const auto& segment : segments) {
    if (segment.p_type != PT_DYNAMIC) continue;
    const auto count = segment.p_filesz / sizeof(Elf64_Dyn);
    return file.table<Elf64_Dyn>(segment.p_offset, count).value_or(std::vector<Elf64_Dyn>());
  }
  return {};
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

std::vector<fs::path> expand(std::string text, const fs::path& origin) {
  replace_all(text, "${ORIGIN}", origin.string());
  replace_all(text, "$ORIGIN", origin.string());
  return split_search_path(text);
}

#endif

}  // namespace

std::vector<fs::path> split_search_path(std::string_view text) {
  std::vector<fs::path> folders;
  while (!text.empty()) {
    const auto colon = text.find(':');
    const auto part = text.substr(0, colon);
    if (!part.empty()) folders.emplace_back(part);
    text.remove_prefix(colon == std::string_view::npos ? text.size() : colon + 1);
  }
  return folders;
}

#if defined(__linux__)
ElfSearchPath read_elf_search_path(const fs::path& path) {
  ElfFile file(path);
  const auto header = file.table<Elf64_Ehdr>(0, 1);
  if (!header || !is_ours(header->front())) return {};
  const auto segments = file.table<Elf64_Phdr>(header->front().e_phoff, header->front().e_phnum);
  if (!segments) return {};

  std::optional<std::uint64_t> strings, rpath, runpath;
  for (const auto& entry : dynamic_entries(file, *segments)) {
    if (entry.d_tag == DT_NULL) break;
    if (entry.d_tag == DT_STRTAB) strings = file_offset(*segments, entry.d_un.d_ptr);
    if (entry.d_tag == DT_RPATH) rpath = entry.d_un.d_val;
    if (entry.d_tag == DT_RUNPATH) runpath = entry.d_un.d_val;
  }
  if (!strings) return {};
  const fs::path origin = path.parent_path();
  ElfSearchPath result;
  if (runpath) {
    result.runpath = expand(file.text(*strings + *runpath), origin);
  } else if (rpath) {
    result.rpath = expand(file.text(*strings + *rpath), origin);
  }
  return result;
}
#else
ElfSearchPath read_elf_search_path(const fs::path&) {
  return {};
}
#endif

}  // namespace platform
