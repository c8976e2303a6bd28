#include "engine/weights/zip_archive.h"

#include <algorithm>
#include <optional>

#include "engine/weights/byte_reader.h"

namespace engine {
namespace {

using Bytes = std::span<const std::byte>;

constexpr std::uint32_t end_signature = 0x06054b50;
constexpr std::uint32_t end64_signature = 0x06064b50;
constexpr std::uint32_t locator64_signature = 0x07064b50;
constexpr std::uint32_t entry_signature = 0x02014b50;
constexpr std::uint32_t local_signature = 0x04034b50;
constexpr std::size_t end_bytes = 22;
constexpr std::size_t locator64_bytes = 20;
// Marks a 32-bit size whose value is in the zip64 field.
constexpr std::uint32_t in_zip64_field = 0xffffffff;
constexpr std::uint64_t max_members = 100'000;

struct Directory {
  std::uint64_t members = 0;
  std::uint64_t offset = 0;
};

struct Entry {
  std::string name;
  std::uint64_t packed_size = 0;
  std::uint64_t local_offset = 0;
  ZipMember member{};
};

constexpr std::uint16_t stored_method = 0, deflated_method = 8;

[[noreturn]] void refuse_packed(const std::string& name) {
  refused("zip: " + name + " is compressed or encrypted",
          "Save the checkpoint with torch.save, which stores tensors as they are.");
}

Bytes from(Bytes file, std::uint64_t offset) {
  if (offset > file.size()) damaged("zip: an offset lies beyond the end of the file");
  return file.subspan(offset);
}

void expect(ByteReader& reader, std::uint32_t signature, const char* what) {
  if (reader.read<std::uint32_t>() != signature) damaged(std::string("zip: no ") + what);
}

// Finds the end record, which is the last thing in the file, except for a comment of at most 65535
// bytes.
std::size_t find_end_record(Bytes file) {
  if (file.size() < end_bytes) damaged("zip: truncated");
  const std::size_t last = file.size() - end_bytes;
  const std::size_t first = last - std::min<std::size_t>(last, 0xffff);
  for (std::size_t at = last + 1; at-- > first;) {
    if (load_unaligned<std::uint32_t>(file.data() + at) == end_signature) return at;
  }
  damaged("zip: truncated: the directory at its end is missing");
}

std::optional<Directory> read_zip64_directory(Bytes file, std::size_t end) {
  if (end < locator64_bytes) return std::nullopt;
  ByteReader locator(file.subspan(end - locator64_bytes, locator64_bytes), "zip64 locator");
  if (locator.read<std::uint32_t>() != locator64_signature) return std::nullopt;
  locator.take(4);  // number of the disk
  ByteReader record(from(file, locator.read<std::uint64_t>()), "zip64 directory");
  expect(record, end64_signature, "zip64 directory");
  record.take(8 + 2 + 2 + 4 + 4 + 8);  // size, versions, disks, members on this disk
  Directory directory;
  directory.members = record.read<std::uint64_t>();
  record.take(8);  // bytes of the directory
  directory.offset = record.read<std::uint64_t>();
  return directory;
}

Directory read_directory(Bytes file) {
  const std::size_t end = find_end_record(file);
  if (const auto zip64 = read_zip64_directory(file, end)) return *zip64;
  ByteReader record(file.subspan(end), "zip directory");
  record.take(4 + 2 + 2 + 2);  // signature, disks, members on this disk
  Directory directory;
  directory.members = record.read<std::uint16_t>();
  record.take(4);  // bytes of the directory
  directory.offset = record.read<std::uint32_t>();
  return directory;
}

// Reads the values that did not fit into 32 bits, in this order, each only where it did not.
void read_zip64_fields(Bytes extra, std::uint64_t& plain, std::uint64_t& packed,
                       std::uint64_t& local_offset) {
  ByteReader fields(extra, "zip extra field");
  while (fields.remaining() >= 4) {
    const auto id = fields.read<std::uint16_t>();
    const auto size = fields.read<std::uint16_t>();
    ByteReader field(fields.take(size), "zip64 field");
    if (id != 1) continue;
    for (std::uint64_t* value : {&plain, &packed, &local_offset}) {
      if (*value == in_zip64_field) *value = field.read<std::uint64_t>();
    }
    return;
  }
}

Entry read_entry(ByteReader& reader) {
  expect(reader, entry_signature, "directory entry");
  reader.take(2 + 2);  // versions
  const auto flags = reader.read<std::uint16_t>();
  const auto method = reader.read<std::uint16_t>();
  reader.take(2 + 2);  // time, date
  const auto checksum = reader.read<std::uint32_t>();
  std::uint64_t packed = reader.read<std::uint32_t>();
  std::uint64_t plain = reader.read<std::uint32_t>();
  const auto name_bytes = reader.read<std::uint16_t>();
  const auto extra_bytes = reader.read<std::uint16_t>();
  const auto comment_bytes = reader.read<std::uint16_t>();
  reader.take(2 + 2 + 4);  // disk, attributes
  Entry entry;
  entry.local_offset = reader.read<std::uint32_t>();
  entry.name = reader.text(name_bytes);
  read_zip64_fields(reader.take(extra_bytes), plain, packed, entry.local_offset);
  reader.take(comment_bytes);
  const bool deflated = method == deflated_method;
  const bool stored = method == stored_method && packed == plain;
  if ((flags & 1) != 0 || !(stored || deflated)) refuse_packed(entry.name);
  entry.packed_size = packed;
  entry.member = {.size = plain, .checksum = checksum, .deflated = deflated};
  return entry;
}

// The local header repeats name and extra field, which may differ in length.
Bytes read_packed(Bytes file, const Entry& entry) {
  ByteReader local(from(file, entry.local_offset), "zip member " + entry.name);
  expect(local, local_signature, "member where the directory says");
  local.take(22);  // skips to the lengths; the directory has the rest
  const auto name_bytes = local.read<std::uint16_t>();
  const auto extra_bytes = local.read<std::uint16_t>();
  local.take(name_bytes);
  local.take(extra_bytes);
  return local.take(entry.packed_size);
}

}  // namespace

std::map<std::string, ZipMember> read_zip(Bytes file) {
  const Directory directory = read_directory(file);
  if (directory.members > max_members) {
    damaged("zip: " + std::to_string(directory.members) + " members");
  }
  ByteReader reader(from(file, directory.offset), "zip directory");
  std::map<std::string, ZipMember> members;
  for (std::uint64_t i = 0; i < directory.members; ++i) {
    Entry entry = read_entry(reader);
    entry.member.packed = read_packed(file, entry);
    if (!members.emplace(entry.name, entry.member).second) {
      damaged("zip: " + entry.name + " appears twice");
    }
  }
  return members;
}

std::map<std::string, Bytes> read_stored_zip(Bytes file) {
  std::map<std::string, Bytes> members;
  for (const auto& [name, member] : read_zip(file)) {
    if (member.deflated) refuse_packed(name);
    members.emplace(name, member.packed);
  }
  return members;
}

}  // namespace engine
