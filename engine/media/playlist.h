#pragma once

#include <optional>
#include <string_view>

// Playlists and descriptions of streams are told by their beginning, so that they are refused with
// the same words whatever FFmpeg is linked: the one that ships has no part that reads them.
namespace engine::media {

inline constexpr int playlist_head_bytes = 2048;

// Returns FFmpeg's name of the format ("hls"), where `head` begins a file whose sound is in other
// files or far away.
std::optional<std::string_view> playlist_format(std::string_view head);

}  // namespace engine::media
