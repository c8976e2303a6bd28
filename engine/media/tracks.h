#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/media/container.h"
#include "engine/media/error.h"

namespace engine::media {

struct AudioTrack {
  AVStream* stream = nullptr;
  int number = 0;          // counted from 1 among audio tracks
  std::string language{};  // Whisper's code; empty: unknown
  bool is_default = false;
  bool is_side = false;  // commentary, audio description, karaoke
};

// Returns the audio tracks that satisfy the wish, the best first: the main programme before
// commentary and descriptions, the preferred language, the container's default, then its order.
Result<std::vector<AudioTrack>> rank_tracks(const Container& container, const TrackWish& wish);

int count_audio_tracks(const Container& container);

// Returns whether the container may begin its clock anew on the way: MPEG, MPEG-TS and Ogg.
bool restarts_clock(const AVFormatContext& format);

// Returns whether the container has a 0 of its own, from which players count: MP4 and QuickTime.
bool begins_at_zero(const AVFormatContext& format);

// Returns whether players count from the first subtitle, too: Matroska.
bool counts_subtitles(const AVFormatContext& format);

// Has the demuxer skip all streams but this one, and the video that tells where recordings were
// joined.
void take_only(const Container& container, const AVStream& track);

// Returns a sentence that says which of several tracks was taken and which others there are; empty
// if there is only one.
std::string tell_choice(const Container& container, const AudioTrack& chosen);

// Returns the track's first timestamp in seconds; 0 if the container does not say.
double start_of(const AVStream& track);

// Returns whether declared_seconds() is of the track: in ASF it is of the file, whose other tracks
// may be longer.
bool declares_end(const Container& container);

// Returns when this track ends by what the container declares, in seconds; empty where it does not
// say, or only guesses from file size and bit rate. `start` is the timestamp of the time 0.
std::optional<double> declared_seconds(const Container& container, const AVStream& track,
                                       double start);

}  // namespace engine::media
