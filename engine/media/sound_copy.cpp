#include "engine/media/sound_copy.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <iterator>

#include "engine/media/pcm_writer.h"

namespace engine::media {
namespace {

constexpr std::size_t copied_at_once = 4 * output_rate_hz;  // samples
constexpr double copy_bytes_per_second = output_rate_hz * sizeof(std::int16_t);
constexpr char no_room[] = "there is no room for it";

// The inverse of what a decoder makes of s16: such sound comes out as it was.
std::int16_t to_s16(float sample) {
  if (std::isnan(sample)) return 0;
  return static_cast<std::int16_t>(
      std::clamp(std::nearbyint(sample * 32768.0F), -32768.0F, 32767.0F));
}

}  // namespace

SoundCopy::SoundCopy(const SoundCopyOptions& options, std::optional<double> declared_seconds)
    : fd_(options.fd), bytes_left_(options.max_bytes) {
  if (fd_ < 0) return;
  if (declared_seconds.value_or(0) * copy_bytes_per_second > static_cast<double>(bytes_left_)) {
    problem_ = no_room;
    return;
  }
  if (options.is_of_one_channel) mix_.emplace(/*channel=*/0, options.resampling);
  buffer_.reserve(copied_at_once);
}

Result<void> SoundCopy::take(const AVFrame& frame, std::span<const float> pcm) {
  if (fd_ < 0 || !problem_.empty()) return {};
  if (!mix_) {
    add(pcm);
    return {};
  }
  const auto mixed = mix_->convert(frame);
  if (!mixed) return mixed.error();
  add(*mixed);
  return {};
}

Result<void> SoundCopy::finish(std::span<const float> pcm) {
  if (fd_ < 0 || !problem_.empty()) return {};
  if (mix_) {
    const auto rest = mix_->finish();
    if (!rest) return rest.error();
    add(*rest);
  } else {
    add(pcm);
  }
  flush();
  return {};
}

void SoundCopy::add_silence(std::int64_t samples) {
  static constexpr std::array<float, copied_at_once> silence{};
  while (samples > 0 && fd_ >= 0 && problem_.empty()) {
    const auto some = std::min<std::int64_t>(samples, copied_at_once);
    add(std::span(silence).first(static_cast<std::size_t>(some)));
    samples -= some;
  }
}

void SoundCopy::add(std::span<const float> samples) {
  std::ranges::transform(samples, std::back_inserter(buffer_), to_s16);
  if (buffer_.size() >= copied_at_once) flush();
}

void SoundCopy::flush() {
  auto rest = std::as_bytes(std::span(buffer_));
  if (rest.size() > bytes_left_) {
    problem_ = no_room;
    return;
  }
  bytes_left_ -= rest.size();
  while (!rest.empty()) {
    const ssize_t written = ::write(fd_, rest.data(), rest.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) {
      problem_ = std::strerror(errno);
      return;
    }
    rest = rest.subspan(static_cast<std::size_t>(written));
  }
  buffer_.clear();
}

}  // namespace engine::media
