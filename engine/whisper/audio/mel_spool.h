#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "engine/audio/spool_file.h"
#include "engine/whisper/audio/mel_frames.h"
#include "engine/whisper/audio/mel_window.h"

namespace engine {

// Keeps the log-mel frames of a recording on disk, so that memory stays flat (float32: 115 MB an
// hour for 80 mels, 184 MB for 128, and nothing of digital silence, whose bits are stored as 0).
//
// They are spooled because Whisper's floor is 8 below the maximum of the whole recording, so that
// the first window can only be read when the last sample has been heard. They are frames and not
// PCM because then nothing is computed twice or rounded to 16 bits, and the size is the same. One
// thread appends; then any number may read.
class MelSpool {
 public:
  static Result<MelSpool> create(int n_mels,
                                 const std::filesystem::path& folder = SpoolFile::default_folder(),
                                 const SpoolOwner& owner = {});

  //   frames  of n_mels bands
  Result<void> append(const MelFrames& frames);

  std::int64_t frames() const { return frames_; }
  // Returns the maximum of all frames and of the silence after them.
  float maximum() const { return maximum_; }

  // Reads an encoder's input: floored at 8 below the maximum so far and scaled to about -1 … 1. The
  // first `n_frames` (at most 3000) are those from `first` on, silence where the recording has
  // ended; the others are 0, as openai/whisper's loop fills a short window. Its language detection
  // reads read_window(0, 3000).
  Result<MelWindow> read_window(std::int64_t first, int n_frames) const;

  // The counts of frames in which nothing can be heard (digital silence, or noise in the last bit)
  // before the first and after the last audible one; all frames if none is audible.
  struct SilentEnds {
    int before = 0;
    int after = 0;
  };
  Result<SilentEnds> silent_ends(std::int64_t first, int n_frames) const;
  // Returns whether nothing can be heard in the frames of that window.
  Result<bool> is_inaudible(std::int64_t first, int n_frames) const;
  // Returns whether all of those frames are 30 dB or more below the loudest of the recording.
  Result<bool> is_faint(std::int64_t first, int n_frames) const;
  // Returns how many of those frames, from the first on, are noise that does not change; 0 if they
  // are less than 5 s.
  Result<int> steady_frames(std::int64_t first, int n_frames) const;

 private:
  MelSpool(int n_mels, SpoolFile file) : n_mels_(n_mels), file_(std::move(file)) {}

  std::int64_t row_bytes() const { return n_mels_ * std::int64_t{sizeof(float)}; }

  // Reads [n_frames, n_mels] as they were appended, with silence where the recording has ended.
  Result<std::vector<float>> read_rows(std::int64_t first, int n_frames) const;

  int n_mels_;
  SpoolFile file_;
  std::int64_t frames_ = 0;
  float maximum_ = silence_log_mel;
};

}  // namespace engine
