#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/media/error.h"
#include "protocol/worker_contract.h"

namespace engine::media {

inline constexpr int output_rate_hz = protocol::worker::pcm_rate_hz;

// Writes 16 kHz mono samples to a pipe as float32 in this machine's byte order, which is
// little-endian on all supported machines. It holds at most half a second. The descriptor is not
// owned.
class PcmWriter {
 public:
  // `max_samples` 0 means no limit.
  PcmWriter(int fd, std::int64_t max_samples);

  // Writes samples, clipped to [-1, 1]; NaN becomes silence. Fails with too_long at the first
  // sample over the limit (those before it are written) and with write_failed.
  Result<void> write(std::span<const float> samples);
  Result<void> flush();

  // Returns whether the reader closed its end. Nobody needs the rest then; it is no error.
  bool reader_gone() const { return reader_gone_; }
  std::int64_t samples() const { return samples_; }
  double seconds() const { return static_cast<double>(samples_) / output_rate_hz; }

 private:
  Result<void> append(std::span<const float> samples);

  int fd_;
  std::int64_t max_samples_;
  std::int64_t samples_ = 0;
  bool reader_gone_ = false;
  std::vector<float> buffer_;
};

}  // namespace engine::media
