#pragma once

#include <string>
#include <string_view>

// Everything of FFmpeg that a file from outside can reach. What is not named here is refused,
// however the file calls itself.
namespace engine::media {

inline constexpr int min_sample_rate_hz = 1000;
inline constexpr int max_sample_rate_hz = 768000;

// Comma-separated, as FFmpeg's format_whitelist and codec_whitelist want them.
const std::string& demuxer_list();
const std::string& decoder_list();

// Names as in --format: "mp4", "webm", "wav".
bool is_container(std::string_view format);
// Headerless formats, which content cannot tell apart.
bool is_raw(std::string_view format);
// Those of them whose sample rate and channels must be said.
bool is_raw_pcm(std::string_view format);

// FFmpeg's name of a demuxer, which may be a list itself: "mov,mp4,m4a,3gp,3g2,mj2".
bool is_allowed_demuxer(std::string_view ffmpeg_name);
// Playlists and descriptions whose sound lies in other files or on the network.
bool refers_elsewhere(std::string_view ffmpeg_name);
bool is_allowed_decoder(std::string_view ffmpeg_name);

}  // namespace engine::media
