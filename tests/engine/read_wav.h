#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace engine {

// The samples of a WAV file of 16 bits, mono; the header is not checked.
inline std::vector<float> read_wav(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(in)), {});
  const auto number = [&](std::size_t at) {
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return std::size_t{value};
  };
  std::size_t chunk = 12;
  while (bytes.compare(chunk, 4, "data") != 0) chunk += 8 + number(chunk + 4);
  std::vector<std::int16_t> samples(std::min(number(chunk + 4), bytes.size() - chunk - 8) / 2);
  std::memcpy(samples.data(), bytes.data() + chunk + 8, samples.size() * 2);
  std::vector<float> pcm;
  for (const auto sample : samples) pcm.push_back(static_cast<float>(sample) / 32768);
  return pcm;
}

}  // namespace engine
