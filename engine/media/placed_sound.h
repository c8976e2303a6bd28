#pragma once

#include <optional>
#include <span>
#include <vector>

#include "engine/media/error.h"
#include "engine/media/ffmpeg.h"
#include "engine/media/options.h"
#include "engine/media/pcm_writer.h"
#include "engine/media/resampler.h"
#include "engine/media/sound_copy.h"

namespace engine::media {

// Passes decoded frames through the resampler to the PCM and its copy, each at its time: silence
// fills holes, and sound that overlaps is dropped.
class PlacedSound {
 public:
  PlacedSound(const Options& options, PcmWriter& writer, SoundCopy& copy)
      : resampler_(options.channel, options.resampling), writer_(writer), copy_(copy) {}

  // Takes a frame that begins at a time of the recording, in seconds; nothing: where the frame
  // before it ended.
  Result<void> take(const AVFrame& frame, std::optional<double> begin_s);
  // Passes on what the filters still hold. More may be taken after it.
  Result<void> finish();

  bool is_audible() const { return is_audible_; }
  // Returns whether so much sound was dropped that the rest is not worth decoding: of a recording
  // whose time stands still, packets without end give nothing.
  bool stands_still() const;
  // These two return what the resampler has found out about the channels (resampler.h).
  const std::vector<Polarity>& pairs() const { return resampler_.pairs(); }
  int mixed_channels() const { return resampler_.mixed_channels(); }

 private:
  Result<void> move_to(double begin_s, const AVFrame& frame);
  Result<void> fill(double hole_s, const AVFrame& like);
  Result<void> write_silence(std::int64_t samples);
  int count_dropped(const AVFrame& frame);
  Result<void> convert(const AVFrame& frame);

  Resampler resampler_;
  PcmWriter& writer_;
  SoundCopy& copy_;
  bool is_audible_ = false;  // the sound was, up to here
  double to_drop_s_ = 0;     // of the frames that come next
  double dropped_s_ = 0;     // in all
};

}  // namespace engine::media
