#include "engine/media/playlist.h"

#include <gtest/gtest.h>

#include <string>

namespace engine::media {
namespace {

TEST(Playlist, IsToldByItsBeginning) {
  EXPECT_EQ(playlist_format("#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\na.ts\n"), "hls");
  EXPECT_EQ(playlist_format("ffconcat version 1.0\nfile a.wav\n"), "concat");
  EXPECT_EQ(playlist_format("<?xml version=\"1.0\"?>\n<MPD profiles=\"urn:mpeg:dash:profile:x\">"),
            "dash");
  EXPECT_EQ(playlist_format("v=0\r\ns=x\r\nc=IN IP4 127.0.0.1\r\n"), "sdp");
  EXPECT_EQ(playlist_format("<CompositionPlaylist><ContentTitle>x</ContentTitle>"), "imf");
}

TEST(Playlist, IsNeitherOtherTextNorARecording) {
  EXPECT_EQ(playlist_format(""), std::nullopt);
  EXPECT_EQ(playlist_format("#EXTM3U\n/music/a.mp3\n"), std::nullopt);
  EXPECT_EQ(playlist_format("Dear c=IN IP"), std::nullopt);
  EXPECT_EQ(playlist_format(std::string("RIFF\0\0\0\0WAVE\nc=IN IP4", 21)), std::nullopt);
}

}  // namespace
}  // namespace engine::media
