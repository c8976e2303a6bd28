#include "engine/media/pcm_writer.h"

#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <cstring>

namespace engine::media {
namespace {

static_assert(std::endian::native == std::endian::little,
              "the PCM pipe carries little-endian floats");

constexpr std::size_t buffered_samples = output_rate_hz / 2;

float in_range(float sample) {
  return std::isnan(sample) ? 0.0F : std::clamp(sample, -1.0F, 1.0F);
}

}  // namespace

PcmWriter::PcmWriter(int fd, std::int64_t max_samples) : fd_(fd), max_samples_(max_samples) {
  buffer_.reserve(buffered_samples);
}

Result<void> PcmWriter::write(std::span<const float> samples) {
  std::size_t fitting = samples.size();
  if (max_samples_ > 0) {
    fitting = std::min<std::size_t>(fitting, static_cast<std::size_t>(max_samples_ - samples_));
  }
  if (const auto appended = append(samples.first(fitting)); !appended) return appended;
  if (fitting == samples.size()) return {};
  if (const auto flushed = flush(); !flushed) return flushed;
  return Error{Errc::too_long,
               "The recording is longer than the limit of " +
                   std::to_string(max_samples_ / output_rate_hz) + " seconds.",
               "Split the recording, or raise the limit."};
}

Result<void> PcmWriter::append(std::span<const float> samples) {
  while (!samples.empty() && !reader_gone_) {
    const std::size_t count = std::min(samples.size(), buffered_samples - buffer_.size());
    std::transform(samples.begin(), samples.begin() + static_cast<std::ptrdiff_t>(count),
                   std::back_inserter(buffer_), in_range);
    samples = samples.subspan(count);
    samples_ += static_cast<std::int64_t>(count);
    if (buffer_.size() == buffered_samples) {
      if (const auto flushed = flush(); !flushed) return flushed;
    }
  }
  return {};
}

Result<void> PcmWriter::flush() {
  auto rest = std::as_bytes(std::span(buffer_));
  while (!rest.empty()) {
    const ssize_t written = ::write(fd_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0 && errno == EPIPE) {
      reader_gone_ = true;
      break;
    }
    if (written < 0) {
      return Error{
          Errc::write_failed,
          std::string("The decoded audio could not be passed on: ") + std::strerror(errno) + ".",
          ""};
    }
    rest = rest.subspan(static_cast<std::size_t>(written));
  }
  buffer_.clear();
  return {};
}

}  // namespace engine::media
