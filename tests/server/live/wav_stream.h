#pragma once

#include <cstdint>
#include <string>

namespace server::test {

// Returns 16-bit samples at 16 kHz of one channel as a WAV file of unknown length, as recorders
// write it into a pipe. FFmpeg reads 64 KiB of it, two seconds, before it gives the first samples.
inline std::string wav_stream(const std::string& samples) {
  const auto number = [](std::uint32_t value, int bytes) {
    std::string text;
    for (int i = 0; i < bytes; ++i) text += static_cast<char>(value >> 8 * i & 0xff);
    return text;
  };
  return "RIFF" + number(0xffffffff, 4) + "WAVEfmt " + number(16, 4) + number(1, 2) + number(1, 2) +
         number(16'000, 4) + number(32'000, 4) + number(2, 2) + number(16, 2) + "data" +
         number(0xffffffff, 4) + samples;
}

}  // namespace server::test
