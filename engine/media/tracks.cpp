#include "engine/media/tracks.h"

#include <string>

namespace engine::media {
namespace {

bool is_audio(const AVStream& stream) {
  return stream.codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
}

}  // namespace

int count_audio_tracks(const Container& container) {
  int count = 0;
  for (unsigned i = 0; i < container.get()->nb_streams; ++i) {
    if (is_audio(*container.get()->streams[i])) ++count;
  }
  return count;
}

Result<AVStream*> choose_track(const Container& container, int wanted) {
  AVStream* chosen = nullptr;
  int number = 0;
  for (unsigned i = 0; i < container.get()->nb_streams; ++i) {
    AVStream* stream = container.get()->streams[i];
    if (is_audio(*stream) && ++number == (wanted == 0 ? 1 : wanted)) {
      chosen = stream;
    } else {
      stream->discard = AVDISCARD_ALL;
    }
  }
  if (chosen != nullptr) return chosen;
  if (number == 0) {
    return Error{Errc::no_audio_track, "There is no audio track in this file.",
                 "Check that it was recorded with sound."};
  }
  return Error{
      Errc::track_not_found,
      "Audio track " + std::to_string(wanted) + " was asked for, but the file has " +
          std::to_string(number) + ".",
      number == 1 ? "Name track 1." : "Name a track from 1 to " + std::to_string(number) + "."};
}

std::optional<double> declared_seconds(const Container& container, const AVStream& track) {
  const AVFormatContext& format = *container.get();
  const bool constant_rate = av_get_exact_bits_per_sample(track.codecpar->codec_id) > 0;
  if (format.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE && !constant_rate) {
    return std::nullopt;
  }
  if (track.duration != AV_NOPTS_VALUE && track.duration > 0) {
    return static_cast<double>(track.duration) * av_q2d(track.time_base);
  }
  if (format.nb_streams == 1 && format.duration != AV_NOPTS_VALUE && format.duration > 0) {
    return static_cast<double>(format.duration) / AV_TIME_BASE;
  }
  return std::nullopt;
}

}  // namespace engine::media
