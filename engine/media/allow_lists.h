#pragma once

#include <string>
#include <string_view>

// These lists name every part of FFmpeg that a file from outside can reach. Everything else is
// refused, whatever the file claims to be.
namespace engine::media {

inline constexpr int min_sample_rate_hz = 1000;
inline constexpr int max_sample_rate_hz = 768000;

// The lists are comma-separated, as FFmpeg's format_whitelist and codec_whitelist require.
const std::string& demuxer_list();
const std::string& decoder_list();

// Returns whether a name of --format is a container: "mp4", "webm", "wav".
bool is_container(std::string_view format);
// Returns whether a format has no header, so that content cannot identify it.
bool is_raw(std::string_view format);
// Returns whether files with this extension, in lower case, are in a raw format that needs no more
// than its name: "g722".
bool is_raw_extension(std::string_view extension);
// Returns whether a raw format needs a given sample rate and number of channels.
bool is_raw_pcm(std::string_view format);

// `ffmpeg_name` may be a list itself: "mov,mp4,m4a,3gp,3g2,mj2".
bool is_allowed_demuxer(std::string_view ffmpeg_name);
// Returns whether it is a playlist or description whose sound is in other files, or far away.
bool refers_elsewhere(std::string_view ffmpeg_name);
bool is_allowed_decoder(std::string_view ffmpeg_name);

}  // namespace engine::media
