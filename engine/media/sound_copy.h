#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/media/error.h"
#include "engine/media/ffmpeg.h"
#include "engine/media/resampler.h"

namespace engine::media {

struct SoundCopyOptions {
  int fd = -1;                     // a file, not owned; -1: no copy is made
  std::uint64_t max_bytes = 0;     // the most that the file may have
  bool is_of_one_channel = false;  // the PCM is one channel, and the copy all of them mixed
  Resampling resampling = Resampling::soxr;
};

// Writes what people hear of the recording into a file beside the PCM: s16 at 16 kHz, all channels
// mixed, from the file's offset on. A copy that cannot be written is given up, and the decoding
// goes on.
class SoundCopy {
 public:
  // `declared_seconds` is what the container promises: a copy that would not fit is not begun.
  SoundCopy(const SoundCopyOptions& options, std::optional<double> declared_seconds);

  // Takes one frame, and the samples that the PCM has of it. The error is the resampler's.
  Result<void> take(const AVFrame& frame, std::span<const float> pcm);
  // Continues so many samples later: silence fills the hole.
  void add_silence(std::int64_t samples);
  // Takes the rest of the PCM, and writes what is left of the copy. More may be taken after it.
  Result<void> finish(std::span<const float> pcm);

  // Returns why the copy was given up; empty: it was not.
  const std::string& problem() const { return problem_; }

 private:
  void add(std::span<const float> samples);
  void flush();

  int fd_;
  std::uint64_t bytes_left_;
  std::optional<Resampler> mix_{};  // empty: the PCM is what people hear
  std::vector<std::int16_t> buffer_{};
  std::string problem_{};
};

}  // namespace engine::media
