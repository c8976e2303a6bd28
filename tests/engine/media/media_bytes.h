#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/media/decode.h"
#include "platform/unique_fd.h"

// Recordings made in memory, and one run of the decoder over them.
namespace media_test {

inline platform::UniqueFd memory_file(const std::string& bytes) {
  platform::UniqueFd fd(::memfd_create("media", MFD_CLOEXEC));
  if (::write(fd.get(), bytes.data(), bytes.size()) != static_cast<ssize_t>(bytes.size())) {
    throw std::runtime_error("[media_bytes] a memory file could not be written");
  }
  ::lseek(fd.get(), 0, SEEK_SET);
  return fd;
}

inline std::string contents(int fd) {
  std::string bytes(static_cast<std::size_t>(::lseek(fd, 0, SEEK_END)), '\0');
  if (::pread(fd, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) {
    throw std::runtime_error("[media_bytes] a memory file could not be read");
  }
  return bytes;
}

template <class Number>
void append(std::string& bytes, Number value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

// Makes a WAV file of `samples`, which are interleaved.
inline std::string wav(std::span<const std::int16_t> samples, int rate_hz, int channels) {
  const auto data_bytes = static_cast<std::uint32_t>(samples.size_bytes());
  std::string bytes = "RIFF";
  append(bytes, data_bytes + 36);
  bytes += "WAVEfmt ";
  append(bytes, std::uint32_t{16});
  append(bytes, std::uint16_t{1});
  append(bytes, static_cast<std::uint16_t>(channels));
  append(bytes, static_cast<std::uint32_t>(rate_hz));
  append(bytes, static_cast<std::uint32_t>(rate_hz * channels * 2));
  append(bytes, static_cast<std::uint16_t>(channels * 2));
  append(bytes, std::uint16_t{16});
  bytes += "data";
  append(bytes, data_bytes);
  bytes.append(reinterpret_cast<const char*>(samples.data()), data_bytes);
  return bytes;
}

inline std::vector<std::int16_t> ramp(std::size_t count) {
  std::vector<std::int16_t> samples(count);
  for (std::size_t i = 0; i < count; ++i) samples[i] = static_cast<std::int16_t>(i * 7919);
  return samples;
}

struct Outcome {
  engine::media::Result<protocol::decoder::Finished> finished;
  std::vector<float> pcm;
  std::string report;
};

inline Outcome run(int input_fd, const engine::media::Options& options = {}) {
  const auto pcm_file = memory_file("");
  const auto report_file = memory_file("");
  engine::media::Report report(report_file.get());
  engine::media::DescriptorInput input(input_fd, options.max_bytes);
  auto finished = engine::media::decode(input, pcm_file.get(), options, report);
  const std::string bytes = contents(pcm_file.get());
  std::vector<float> pcm(bytes.size() / sizeof(float));
  if (!pcm.empty()) std::memcpy(pcm.data(), bytes.data(), bytes.size());
  return {std::move(finished), std::move(pcm), contents(report_file.get())};
}

inline Outcome run(const std::string& bytes, const engine::media::Options& options = {}) {
  return run(memory_file(bytes).get(), options);
}

}  // namespace media_test
