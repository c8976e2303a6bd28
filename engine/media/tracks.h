#pragma once

#include <optional>

#include "engine/media/container.h"
#include "engine/media/error.h"

namespace engine::media {

int count_audio_tracks(const Container& container);

// Returns the wanted audio track, counted from 1; 0 takes the first. The demuxer skips all others.
Result<AVStream*> choose_track(const Container& container, int wanted);

// Returns the seconds of sound that the container declares for this track; empty where it does not,
// or only guesses from file size and bit rate.
std::optional<double> declared_seconds(const Container& container, const AVStream& track);

}  // namespace engine::media
