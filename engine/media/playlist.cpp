#include "engine/media/playlist.h"

namespace engine::media {

std::optional<std::string_view> playlist_format(std::string_view head) {
  // Containers have bytes of zero early, and text has none.
  head = head.substr(0, head.find('\0'));
  const auto has = [head](std::string_view words) { return head.find(words) != head.npos; };
  if (head.starts_with("#EXTM3U") && has("#EXT-X-")) return "hls";
  if (head.starts_with("ffconcat version")) return "concat";
  if (has("<MPD") && has("dash:profile")) return "dash";
  if (has("<CompositionPlaylist") && has("ContentTitle>")) return "imf";
  if (head.starts_with("c=IN IP") || has("\nc=IN IP")) return "sdp";
  return std::nullopt;
}

}  // namespace engine::media
