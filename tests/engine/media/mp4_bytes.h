#pragma once

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "tests/engine/media/media_bytes.h"

// Recordings in mp4 whose index says what no recorder writes.
namespace media_test {

// Each packet is one sample of 16 bits, and each lasts as long as the index says.
struct Mp4 {
  std::uint32_t packets = 1000;
  std::uint32_t ticks_of_packet = 1;  // FFmpeg makes one packet of many that last 1
  std::uint32_t ticks_a_second = 16000;
  std::uint32_t rate_hz = 16000;
  int tracks = 1;
  std::int16_t sample = 8000;  // all are the same
  int loud_track = 0;          // has samples of its own, which are loud; 0: none
};

namespace mp4 {

// Appends numbers with their first byte first.
inline std::string words(std::initializer_list<std::uint32_t> values) {
  std::string bytes;
  for (const std::uint32_t value : values) {
    for (const int shift : {24, 16, 8, 0}) bytes += static_cast<char>(value >> shift & 0xff);
  }
  return bytes;
}

inline std::string box(std::string_view type, const std::string& content) {
  return words({static_cast<std::uint32_t>(content.size() + 8)}) + std::string(type) + content;
}

inline std::string track(const Mp4& made, std::uint32_t number, std::uint32_t offset) {
  constexpr std::uint32_t in_chunk = 1000;
  const std::uint32_t chunks = (made.packets + in_chunk - 1) / in_chunk;
  const std::uint32_t length = made.packets * made.ticks_of_packet;
  const std::string entry = box("sowt", words({0, 1, 0, 0, 0x10010, 0, made.rate_hz << 16}));
  std::string places = words({0, chunks});
  for (std::uint32_t i = 0; i < chunks; ++i) places += words({offset});  // the same bytes again
  const std::string table =
      box("stbl", box("stsd", words({0, 1}) + entry) +
                      box("stts", words({0, 1, made.packets, made.ticks_of_packet})) +
                      box("stsz", words({0, 2, made.packets})) +
                      box("stsc", words({0, 1, 1, in_chunk, 1})) + box("stco", places));
  const std::string media =
      box("mdhd", words({0, 0, 0, made.ticks_a_second, length, 0x55c40000})) +
      box("hdlr", words({0, 0}) + "soun" + std::string(13, '\0')) +
      box("minf", box("smhd", words({0, 0})) +
                      box("dinf", box("dref", words({0, 1}) + box("url ", words({1})))) + table);
  const std::string header = words({7, 0, 0, number,  0, 0, 0, 0,          0, 0x1000000, 0x10000,
                                    0, 0, 0, 0x10000, 0, 0, 0, 0x40000000, 0, 0});
  return box("trak", box("tkhd", header) + box("mdia", media));
}

inline std::string index(const Mp4& made, std::uint32_t offset) {
  std::string content = box(
      "mvhd", words({0,       0, 0, 1000, 0,          0x10000, 0x1000000, 0, 0, 0x10000, 0, 0,  0,
                     0x10000, 0, 0, 0,    0x40000000, 0,       0,         0, 0, 0,       0, 100}));
  for (int i = 1; i <= made.tracks; ++i) {
    const std::uint32_t skipped = i == made.loud_track ? 2000 : 0;
    content += track(made, static_cast<std::uint32_t>(i), offset + skipped);
  }
  return box("moov", content);
}

}  // namespace mp4

inline std::string bytes_of(const Mp4& made) {
  const std::string type = mp4::box("ftyp", "isom" + mp4::words({0x200}) + "isommp41");
  const auto offset = type.size() + mp4::index(made, 0).size() + 8;
  std::string sound;
  for (int i = 0; i < 1000; ++i) append(sound, made.sample);
  for (int i = 0; i < 1000; ++i) append(sound, std::int16_t{20000});
  return type + mp4::index(made, static_cast<std::uint32_t>(offset)) + mp4::box("mdat", sound);
}

}  // namespace media_test
