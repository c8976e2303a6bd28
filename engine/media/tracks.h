#pragma once

#include <optional>

#include "engine/media/container.h"
#include "engine/media/error.h"

namespace engine::media {

int count_audio_tracks(const Container& container);

// The audio track that was asked for, counted from 1; 0 takes the first. All others are told to be
// skipped by the demuxer.
Result<AVStream*> choose_track(const Container& container, int wanted);

// Seconds of sound that the container promises for this track; unset where it does not say, or only
// guesses from file size and bit rate.
std::optional<double> declared_seconds(const Container& container, const AVStream& track);

}  // namespace engine::media
