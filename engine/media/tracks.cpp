#include "engine/media/tracks.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <tuple>

#include "protocol/languages.h"

namespace engine::media {
namespace {

constexpr int side_dispositions = AV_DISPOSITION_COMMENT | AV_DISPOSITION_LYRICS |
                                  AV_DISPOSITION_KARAOKE | AV_DISPOSITION_VISUAL_IMPAIRED |
                                  AV_DISPOSITION_DESCRIPTIONS;

// Titles of such tracks if no disposition marks them, in lower case.
constexpr std::string_view side_titles[] = {
    "commentary", "commentaire", "comentario",  "comentário", "commento",
    "kommentar",  "descripti",   "descripci",   "descrição",  "descrizion",
    "deskripti",  "beskriv",     "audiodescri", "hörfilm",    "karaoke",
};

// More are not listed: a file may have hundreds.
constexpr std::size_t most_listed = 8;

bool is_named(const AVFormatContext& format, std::string_view name) {
  return format.iformat->name == name;
}

bool is_audio(const AVStream& stream) {
  return stream.codecpar->codec_type == AVMEDIA_TYPE_AUDIO;
}

std::string tag_of(const AVStream& stream, const char* name) {
  const AVDictionaryEntry* entry = av_dict_get(stream.metadata, name, nullptr, 0);
  return entry != nullptr ? entry->value : "";
}

bool is_side_track(const AVStream& stream) {
  if ((stream.disposition & side_dispositions) != 0) return true;
  std::string title = tag_of(stream, "title");
  std::ranges::transform(title, title.begin(), [](unsigned char c) { return std::tolower(c); });
  return std::ranges::any_of(side_titles,
                             [&](auto part) { return title.find(part) != title.npos; });
}

std::vector<AudioTrack> audio_tracks(const Container& container) {
  std::vector<AudioTrack> tracks;
  for (unsigned i = 0; i < container.get()->nb_streams; ++i) {
    AVStream* stream = container.get()->streams[i];
    if (!is_audio(*stream)) continue;
    const auto language = protocol::language_code(tag_of(*stream, "language"));
    tracks.push_back({.stream = stream,
                      .number = static_cast<int>(tracks.size()) + 1,
                      .language = std::string(language.value_or("")),
                      .is_default = (stream->disposition & AV_DISPOSITION_DEFAULT) != 0,
                      .is_side = is_side_track(*stream)});
  }
  return tracks;
}

std::string describe(const AudioTrack& track) {
  std::string facts(track.language.empty() ? "language unknown"
                                           : protocol::language_name(track.language));
  if (track.is_side) facts += ", commentary or description";
  if (track.is_default) facts += ", default";
  return std::to_string(track.number) + " (" + facts + ")";
}

Error no_such_track(const TrackWish& wish, const std::vector<AudioTrack>& tracks) {
  const auto count = std::to_string(tracks.size());
  if (wish.number > 0) {
    return {Errc::track_not_found,
            "Audio track " + std::to_string(wish.number) + " was asked for, but the file has " +
                count + ".",
            tracks.size() == 1 ? "Name track 1." : "Name a track from 1 to " + count + "."};
  }
  std::string known;
  for (const auto& track : tracks) {
    if (!known.empty()) known += ", ";
    known += describe(track);
  }
  return {Errc::track_not_found,
          "An audio track in " + std::string(protocol::language_name(wish.language)) +
              " was asked for, but the file has none.",
          "Name a track by its number: " + known + "."};
}

// Returns whether the stream is the video of the track: each programme of a broadcast has a clock.
bool is_video_of(AVFormatContext& format, const AVStream& stream, const AVStream& track) {
  if (stream.codecpar->codec_type != AVMEDIA_TYPE_VIDEO) return false;
  return av_find_program_from_stream(&format, nullptr, stream.index) ==
         av_find_program_from_stream(&format, nullptr, track.index);
}

// ASF has one length, that of the file from the time 0 on, and FFmpeg gives it to each track.
bool declares_file(const Container& container) {
  return is_named(*container.get(), "asf");
}

}  // namespace

Result<std::vector<AudioTrack>> rank_tracks(const Container& container, const TrackWish& wish) {
  const auto all = audio_tracks(container);
  if (all.empty()) {
    return Error{Errc::no_audio_track, "There is no audio track in this file.",
                 "Check that it was recorded with audio."};
  }
  std::vector<AudioTrack> fitting;
  std::ranges::copy_if(all, std::back_inserter(fitting), [&](const AudioTrack& track) {
    return (wish.number == 0 || wish.number == track.number) &&
           (wish.language.empty() || wish.language == track.language);
  });
  if (fitting.empty()) return no_such_track(wish, all);
  std::ranges::stable_sort(fitting, {}, [&](const AudioTrack& track) {
    const bool is_preferred = !wish.preferred.empty() && track.language == wish.preferred;
    return std::tuple(track.is_side, !is_preferred, !track.is_default);
  });
  return fitting;
}

int count_audio_tracks(const Container& container) {
  return static_cast<int>(audio_tracks(container).size());
}

bool restarts_clock(const AVFormatContext& format) {
  return (format.iformat->flags & AVFMT_TS_DISCONT) != 0;
}

bool begins_at_zero(const AVFormatContext& format) {
  return std::string_view(format.iformat->name).starts_with("mov");
}

bool counts_subtitles(const AVFormatContext& format) {
  return std::string_view(format.iformat->name).starts_with("matroska");
}

void take_only(const Container& container, const AVStream& track) {
  AVFormatContext& format = *container.get();
  for (unsigned i = 0; i < format.nb_streams; ++i) {
    AVStream& stream = *format.streams[i];
    const bool is_needed =
        &stream == &track || (restarts_clock(format) && is_video_of(format, stream, track));
    stream.discard = is_needed ? AVDISCARD_DEFAULT : AVDISCARD_ALL;
  }
}

std::string tell_choice(const Container& container, const AudioTrack& chosen) {
  const auto tracks = audio_tracks(container);
  if (tracks.size() < 2) return "";
  std::string others;
  for (std::size_t i = 0, listed = 0; i < tracks.size() && listed < most_listed; ++i) {
    if (tracks[i].stream == chosen.stream) continue;
    others += (others.empty() ? "" : ", ") + describe(tracks[i]);
    ++listed;
  }
  return "The file has " + std::to_string(tracks.size()) +
         " audio tracks. Transcribed: " + describe(chosen) + ". Not transcribed: " + others +
         (tracks.size() > most_listed + 1 ? " …." : ".");
}

double start_of(const AVStream& track) {
  if (track.start_time == AV_NOPTS_VALUE) return 0;
  return static_cast<double>(track.start_time) * av_q2d(track.time_base);
}

bool declares_end(const Container& container) {
  return !declares_file(container) || container.get()->nb_streams == 1;
}

std::optional<double> declared_seconds(const Container& container, const AVStream& track,
                                       double start) {
  const AVFormatContext& format = *container.get();
  const bool constant_rate = av_get_exact_bits_per_sample(track.codecpar->codec_id) > 0;
  if (format.duration_estimation_method == AVFMT_DURATION_FROM_BITRATE && !constant_rate) {
    return std::nullopt;
  }
  if (track.duration != AV_NOPTS_VALUE && track.duration > 0) {
    const double length = static_cast<double>(track.duration) * av_q2d(track.time_base);
    const double begins = std::max(start_of(track) - start, 0.0);
    if (declares_file(container)) return length - std::max(start, 0.0);
    // FFmpeg counts the length of Opus in Ogg from 0, not from its start.
    const bool is_opus = track.codecpar->codec_id == AV_CODEC_ID_OPUS;
    const double own_start = start_of(track);
    if (is_opus && is_named(format, "ogg") && length > own_start)
      return begins + length - own_start;
    // So is that of MP4's fragments, and the file's.
    const double end = static_cast<double>(format.duration) / AV_TIME_BASE - start;
    const bool has_end = begins_at_zero(format) && format.duration != AV_NOPTS_VALUE && end > 0;
    return has_end ? std::min(begins + length, end) : begins + length;
  }
  if (format.nb_streams == 1 && format.duration != AV_NOPTS_VALUE && format.duration > 0) {
    // Some containers count from their first timestamp, others from 0: the shorter one is taken.
    return static_cast<double>(format.duration) / AV_TIME_BASE - std::max(start, 0.0);
  }
  return std::nullopt;
}

}  // namespace engine::media
