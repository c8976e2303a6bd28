#include "engine/media/allow_lists.h"

#include <gtest/gtest.h>

#include <sstream>

#include "engine/media/ffmpeg.h"

namespace engine::media {
namespace {

TEST(AllowLists, EveryDemuxerAndDecoderIsOneThatFfmpegKnows) {
  std::istringstream demuxers(demuxer_list());
  for (std::string name; std::getline(demuxers, name, ',');) {
    EXPECT_NE(av_find_input_format(name.c_str()), nullptr) << name;
  }
  std::istringstream decoders(decoder_list());
  for (std::string name; std::getline(decoders, name, ',');) {
    EXPECT_NE(avcodec_find_decoder_by_name(name.c_str()), nullptr) << name;
  }
}

TEST(AllowLists, NamesTheDecoderThatFfmpegTakesForACodec) {
  std::istringstream decoders(decoder_list());
  for (std::string name; std::getline(decoders, name, ',');) {
    const AVCodec* listed = avcodec_find_decoder_by_name(name.c_str());
    EXPECT_EQ(avcodec_find_decoder(listed->id)->name, name);
  }
}

TEST(AllowLists, TakesContainersByAnyOfTheirNames) {
  EXPECT_TRUE(is_allowed_demuxer("mov,mp4,m4a,3gp,3g2,mj2"));
  EXPECT_TRUE(is_allowed_demuxer("matroska,webm"));
  EXPECT_TRUE(is_container("webm"));
  EXPECT_TRUE(is_allowed_demuxer("mpegts"));
  EXPECT_FALSE(is_allowed_demuxer("mpegtsraw"));
  EXPECT_TRUE(is_allowed_demuxer("gsm"));  // its frames can be recognised
  EXPECT_FALSE(is_allowed_demuxer(""));
}

TEST(AllowLists, NamesTellOnlyRawFormatsThatNeedNoMore) {
  for (const char* extension : {"g722", "722", "gsm"}) {
    EXPECT_TRUE(is_raw_extension(extension)) << extension;
  }
  for (const char* extension : {"", "wav", "raw", "mulaw", "m3u8", "G722"}) {
    EXPECT_FALSE(is_raw_extension(extension)) << extension;
  }
}

TEST(AllowLists, LeavesOutEverythingThatLeadsElsewhere) {
  for (const char* name : {"hls", "concat", "dash", "sdp", "rtsp", "imf"}) {
    EXPECT_TRUE(refers_elsewhere(name)) << name;
    EXPECT_FALSE(is_allowed_demuxer(name)) << name;
  }
}

TEST(AllowLists, HasNoVideoDecoder) {
  std::istringstream decoders(decoder_list());
  for (std::string name; std::getline(decoders, name, ',');) {
    EXPECT_EQ(avcodec_find_decoder_by_name(name.c_str())->type, AVMEDIA_TYPE_AUDIO) << name;
  }
}

}  // namespace
}  // namespace engine::media
