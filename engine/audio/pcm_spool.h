#pragma once

#include <cstdint>
#include <utility>

#include "engine/audio/pcm_sink.h"
#include "engine/audio/spool_file.h"

namespace engine {

// Keeps the sound itself of a recording, on disk: 230 MB an hour, and nothing of digital silence.
// It is for whom the sound is given faster than it can be listened to.
class PcmSpool : public PcmSink {
 public:
  explicit PcmSpool(SpoolFile file) : file_(std::move(file)) {}

  Result<void> push(std::span<const float> pcm) override {
    const auto written = file_.append(std::as_bytes(pcm));
    if (written) samples_ += static_cast<std::int64_t>(pcm.size());
    return written;
  }
  Result<void> finish() override { return {}; }

  std::int64_t samples() const { return samples_; }

  // Reads samples from `first` on; there must be as many.
  Result<void> read(std::int64_t first, std::span<float> pcm) const {
    return file_.read(first * sample_bytes, std::as_writable_bytes(pcm));
  }

  // Frees the room of samples before this one, which nobody reads any more.
  void forget_before(std::int64_t sample) {
    file_.free(forgotten_ * sample_bytes, (sample - forgotten_) * sample_bytes);
    forgotten_ = sample;
  }

 private:
  static constexpr std::int64_t sample_bytes = sizeof(float);

  SpoolFile file_;
  std::int64_t samples_ = 0;
  std::int64_t forgotten_ = 0;
};

}  // namespace engine
