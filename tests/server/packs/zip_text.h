#pragma once

#include <zlib.h>

#include <cstdint>
#include <string>
#include <vector>

namespace server::testing {

struct Zipped {
  std::string name;
  std::string text;
  bool deflated = true;
};

inline std::string little_endian(std::uint64_t number, int bytes) {
  std::string text;
  for (int i = 0; i < bytes; ++i, number >>= 8) {
    text += static_cast<char>(number & 0xff);
  }
  return text;
}

inline std::string deflated(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  ::deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

// The bytes of a zip archive.
inline std::string zip_text(const std::vector<Zipped>& members) {
  std::string file, directory;
  for (const auto& member : members) {
    const std::string packed = member.deflated ? deflated(member.text) : member.text;
    const auto crc =
        ::crc32(0, reinterpret_cast<const Bytef*>(member.text.data()), member.text.size());
    // Flags, method, time and date, checksum, sizes, lengths of the name and the extra field.
    const std::string common = little_endian(0, 2) + little_endian(member.deflated ? 8 : 0, 2) +
                               little_endian(0, 4) + little_endian(crc, 4) +
                               little_endian(packed.size(), 4) +
                               little_endian(member.text.size(), 4) +
                               little_endian(member.name.size(), 2) + little_endian(0, 2);
    directory += little_endian(0x02014b50, 4) + little_endian(20, 4) + common +
                 little_endian(0, 10) + little_endian(file.size(), 4) + member.name;
    file += little_endian(0x04034b50, 4) + little_endian(20, 2) + common + member.name + packed;
  }
  return file + directory + little_endian(0x06054b50, 4) + little_endian(0, 4) +
         little_endian(members.size(), 2) + little_endian(members.size(), 2) +
         little_endian(directory.size(), 4) + little_endian(file.size(), 4) + little_endian(0, 2);
}

}  // namespace server::testing
