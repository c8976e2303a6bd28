#pragma once

#include <chrono>
#include <optional>
#include <vector>

#include "protocol/transcript_event.h"
#include "server/transcription/progress.h"

namespace server {

// Makes reliable figures from the reports of a worker that transcribes one recording: they never go
// back, and never pass what is decided or the end of the recording. Times are rounded as JSON has
// them. It reads no clock.
class ProgressMeter {
 public:
  using Time = std::chrono::steady_clock::time_point;

  // `clips` are the clip_timestamps of the whole recording; `position` and `duration` come from an
  // earlier attempt.
  explicit ProgressMeter(std::vector<double> clips = {}, double position = 0, double duration = 0);

  // An earlier phase than the present one changes nothing.
  void enter(TranscriptionPhase phase);
  void take(const protocol::Progress& report, Time now);

  const TranscriptionProgress& figures() const { return figures_; }

 private:
  // The position and time at which this attempt began to decide.
  struct Begin {
    double sound;
    Time time;
  };

  void take_diarized(const protocol::Progress& report);
  void decide(double position, Time now);
  // Returns the seconds before `position` that are to be transcribed: those within the clips.
  double sound_before(double position) const;
  void count_percent();

  std::vector<double> clips_;
  TranscriptionProgress figures_{};
  std::optional<Begin> begin_{};
  double furthest_ = 0;  // sound_before() at the end of what this attempt has decided
  int steps_ = 0;        // steps forward since it began
};

}  // namespace server
