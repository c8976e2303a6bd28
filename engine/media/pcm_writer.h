#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/media/error.h"
#include "protocol/worker_contract.h"

namespace engine::media {

inline constexpr int output_rate_hz = protocol::worker::pcm_rate_hz;

// 16 kHz mono samples to a pipe as float32 in this machine's byte order, which is little-endian on
// all that we build for. Holds at most half a second. Does not own the descriptor.
class PcmWriter {
 public:
  // `max_samples` 0: no limit.
  PcmWriter(int fd, std::int64_t max_samples);

  // Samples leave in [-1, 1]; what is not a number becomes silence. Fails with too_long at the
  // first sample over the limit (those before it are written) and with write_failed.
  Result<void> write(std::span<const float> samples);
  Result<void> flush();

  // The reader closed its end: there is nobody left to decode for, which is not an error.
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
