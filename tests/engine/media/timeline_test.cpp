#include "engine/media/timeline.h"

#include <gtest/gtest.h>

#include <cmath>
#include <stdexcept>

namespace engine::media {
namespace {

constexpr int rate_hz = 48000;
constexpr int frame_samples = 960;  // 20 ms

// A container with streams, as FFmpeg describes it; times in milliseconds.
class Streams {
 public:
  explicit Streams(const char* demuxer) : format_(avformat_alloc_context()) {
    if (!format_) throw std::bad_alloc();
    format_->iformat = av_find_input_format(demuxer);
  }

  AVStream& add(AVMediaType type, std::int64_t start) {
    AVStream* stream = avformat_new_stream(format_.get(), nullptr);
    if (stream == nullptr) throw std::bad_alloc();
    stream->codecpar->codec_type = type;
    stream->time_base = {1, 1000};
    stream->start_time = start;
    return *stream;
  }
  void declare(double seconds) {
    format_->duration = static_cast<std::int64_t>(seconds * AV_TIME_BASE);
  }
  const AVFormatContext& get() const { return *format_; }

 private:
  // Nothing was opened that would have to be closed.
  struct Free {
    void operator()(AVFormatContext* format) const noexcept { avformat_free_context(format); }
  };
  std::unique_ptr<AVFormatContext, Free> format_;
};

// Gives frames of 20 ms to a time line.
class Player {
 public:
  Player(const Streams& streams, const AVStream& track)
      : timeline_(streams.get(), track), frame_(av_frame_alloc()) {
    if (!frame_) throw std::bad_alloc();
    frame_->sample_rate = rate_hz;
    frame_->nb_samples = frame_samples;
  }

  std::optional<double> at(std::int64_t timestamp_ms) {
    frame_->best_effort_timestamp = timestamp_ms;
    return timeline_.place(*frame_);
  }
  // Gives frames one behind the other from a time on, and returns how many of them were moved.
  int run(std::int64_t from_ms, std::int64_t to_ms) {
    int moved = 0;
    for (auto now = from_ms; now < to_ms; now += 20) moved += at(now) ? 1 : 0;
    return moved;
  }
  void take_frames_of(int samples) { frame_->nb_samples = samples; }
  void change_rate(int hz) { frame_->sample_rate = hz; }
  Timeline& timeline() { return timeline_; }

 private:
  Timeline timeline_;
  Frame frame_;
};

TEST(Timeline, SoundThatBeginsBehindTheVideoBeginsWithSilence) {
  Streams streams("matroska");
  streams.add(AVMEDIA_TYPE_VIDEO, 1000);
  const auto& track = streams.add(AVMEDIA_TYPE_AUDIO, 4000);
  Player player(streams, track);
  EXPECT_EQ(player.timeline().start(), 1.0);
  EXPECT_EQ(player.at(4000), 3.0);
  EXPECT_EQ(player.run(4020, 6000), 0);
}

TEST(Timeline, ACoverAndSubtitlesDoNotBeginTheRecording) {
  Streams streams("matroska");
  streams.add(AVMEDIA_TYPE_VIDEO, 0).disposition = AV_DISPOSITION_ATTACHED_PIC;
  streams.add(AVMEDIA_TYPE_SUBTITLE, 0);
  Player player(streams, streams.add(AVMEDIA_TYPE_AUDIO, 10'800'000));
  EXPECT_EQ(player.at(10'800'000), std::nullopt);
}

TEST(Timeline, Mp4HasA0OfItsOwn) {
  Streams streams("mov");
  streams.add(AVMEDIA_TYPE_VIDEO, 3000);
  Player player(streams, streams.add(AVMEDIA_TYPE_AUDIO, 2000));
  EXPECT_EQ(player.at(2000), 2.0);
  Streams of_a_day("mov");  // a part of a broadcast
  Player later(of_a_day, of_a_day.add(AVMEDIA_TYPE_AUDIO, 50'000'000));
  EXPECT_EQ(later.at(50'000'000), std::nullopt);
  Streams negative("mov");
  Player cut(negative, negative.add(AVMEDIA_TYPE_AUDIO, -500));
  EXPECT_EQ(cut.run(-500, 500), 0);
}

TEST(Timeline, SubtitlesMayBeginMatroskaAndNothingElse) {
  for (const char* name : {"matroska", "mpegts"}) {
    Streams streams(name);
    streams.add(AVMEDIA_TYPE_SUBTITLE, 0);
    streams.add(AVMEDIA_TYPE_VIDEO, 2000);
    Player player(streams, streams.add(AVMEDIA_TYPE_AUDIO, 2500));
    EXPECT_EQ(player.at(2500), name[0] == 'm' && name[1] == 'a' ? 2.5 : 0.5);
  }
}

TEST(Timeline, AVideoOfUnknownStartIsSeenInItsFirstPacket) {
  Streams streams("matroska");
  const auto& video = streams.add(AVMEDIA_TYPE_VIDEO, AV_NOPTS_VALUE);
  Player player(streams, streams.add(AVMEDIA_TYPE_AUDIO, 3000));
  const Packet packet(av_packet_alloc());
  packet->pts = 500;
  player.timeline().see(video, *packet);
  EXPECT_EQ(player.at(3000), 2.5);
  packet->pts = 0;  // sound was placed already: it cannot move any more
  player.timeline().see(video, *packet);
  EXPECT_EQ(player.run(3020, 4000), 0);
}

TEST(Timeline, AHoleStaysAHoleAndWhatOverlapsIsMovedBack) {
  Streams streams("matroska");
  streams.declare(60);
  Player player(streams, streams.add(AVMEDIA_TYPE_AUDIO, 0));
  EXPECT_EQ(player.run(0, 1000), 0);
  EXPECT_EQ(player.at(21'000), 21.0);
  EXPECT_EQ(player.run(21'020, 22'000), 0);
  EXPECT_EQ(player.at(21'600), 21.6);  // 0.4 s come twice
  EXPECT_EQ(player.run(21'620, 23'000), 0);
}

TEST(Timeline, RoundedTimestampsMoveNothing) {
  Streams streams("flv");
  Player player(streams, streams.add(AVMEDIA_TYPE_AUDIO, 0));
  for (int i = 0; i < 1000; ++i) {
    const auto exact = static_cast<std::int64_t>(i * 20);
    EXPECT_EQ(player.at(exact + (i * 7919) % 41 - 20), std::nullopt) << i;
  }
}

TEST(Timeline, ASmallHoleCountsOnceSeveralFramesHaveIt) {
  Streams streams("matroska");
  Player player(streams, streams.add(AVMEDIA_TYPE_AUDIO, 0));
  EXPECT_EQ(player.run(0, 1000), 0);
  EXPECT_EQ(player.at(1050), std::nullopt);  // one frame that is late
  EXPECT_EQ(player.run(1020, 2000), 0);
  EXPECT_EQ(player.run(2050, 2050 + 7 * 20), 0);
  EXPECT_NEAR(player.at(2190).value_or(0), 2.19, 1e-9);
}

TEST(Timeline, ASmallHoleCountsByTimeAndNotByFrames) {
  Streams streams("matroska");
  Player player(streams, streams.add(AVMEDIA_TYPE_AUDIO, 0));
  player.take_frames_of(4800);  // 100 ms
  EXPECT_EQ(player.at(0), std::nullopt);
  EXPECT_EQ(player.at(160), std::nullopt);
  EXPECT_NEAR(player.at(260).value_or(0), 0.26, 1e-9);
  EXPECT_EQ(player.at(360), std::nullopt);
}

TEST(Timeline, ANewCountOfTimestampsLeavesNoHole) {
  Streams streams("ogg");
  streams.declare(9);
  Player player(streams, streams.add(AVMEDIA_TYPE_AUDIO, 0));
  EXPECT_EQ(player.run(0, 9000), 0);
  EXPECT_EQ(player.run(0, 9000), 0);  // the second of two joined files
  EXPECT_EQ(player.run(95'000'000, 95'001'000), 0);
}

TEST(Timeline, WhatFFmpegCountsItselfHasNoTimesAtAnotherRate) {
  for (const char* name : {"ogg", "aac"}) {
    Streams streams(name);
    Player player(streams, streams.add(AVMEDIA_TYPE_AUDIO, 0));
    EXPECT_EQ(player.run(0, 2000), 0);
    player.change_rate(16'000);  // frames of 960 samples have 60 ms
    EXPECT_EQ(player.run(1000, 3000), 0);
    EXPECT_NEAR(player.timeline().end(), 8, 1e-9);
    EXPECT_TRUE(player.timeline().had_discontinuity());
    player.change_rate(rate_hz);
    EXPECT_EQ(player.run(0, 1000), 0);  // the first rate again, and another count
    EXPECT_NEAR(player.timeline().end(), 9, 1e-9);
    EXPECT_EQ(player.at(4000), 12.0);
  }
}

TEST(Timeline, TimestampsOfTheContainerCountAtEveryRate) {
  Streams streams("matroska");
  Player player(streams, streams.add(AVMEDIA_TYPE_AUDIO, 0));
  EXPECT_EQ(player.run(0, 2000), 0);
  player.change_rate(16'000);
  EXPECT_EQ(player.at(4000), 4.0);
}

TEST(Timeline, JoinedRecordingsFollowTheVideoOfThoseBefore) {
  for (const bool video_first : {false, true}) {
    Streams streams("mpegts");
    streams.declare(20);
    const auto& video = streams.add(AVMEDIA_TYPE_VIDEO, 0);
    Player player(streams, streams.add(AVMEDIA_TYPE_AUDIO, 3000));
    const Packet packet(av_packet_alloc());
    packet->duration = 40;
    const auto see = [&](std::int64_t from, std::int64_t to) {
      for (packet->pts = from; packet->pts < to; packet->pts += 40) {
        player.timeline().see(video, *packet);
      }
    };
    for (int part = 0; part < 3; ++part) {
      if (video_first) see(0, 3040);
      const auto moved = player.at(3000);
      const bool knows_begin = video_first || part == 0;
      EXPECT_NEAR(moved.value_or(0), knows_begin ? part * 10 + 3 : 3 + part * 7, 1e-9);
      if (!video_first) see(0, 3040);
      EXPECT_EQ(player.run(3020, 9000), 0);
      see(3040, 10'000);
    }
  }
}

TEST(Timeline, AnHourForwardIsANewCountInFormatsThatRestart) {
  for (const bool has_length : {false, true}) {
    Streams streams("mpegts");
    if (has_length) streams.declare(50'000);
    Player player(streams, streams.add(AVMEDIA_TYPE_AUDIO, 0));
    EXPECT_EQ(player.run(0, 1000), 0);
    EXPECT_EQ(player.at(1'201'000), 1201.0);
    EXPECT_EQ(player.at(4'801'020), std::nullopt);
    EXPECT_EQ(player.run(4'801'040, 4'802'000), 0);
  }
}

TEST(Timeline, AnHourForwardIsAHoleInFormatsThatDoNotRestart) {
  Streams streams("matroska");
  streams.declare(50'000);
  Player player(streams, streams.add(AVMEDIA_TYPE_AUDIO, 0));
  EXPECT_EQ(player.run(0, 1000), 0);
  EXPECT_EQ(player.at(4'801'000), 4801.0);
}

TEST(Timeline, TenHoursWithHolesDoNotDrift) {
  Streams streams("matroska");
  streams.declare(36'000);
  Player player(streams, streams.add(AVMEDIA_TYPE_AUDIO, 0));
  for (int hole = 0; hole < 200; ++hole) {
    const std::int64_t from = hole * 180'000;
    const auto moved = player.at(from);
    EXPECT_EQ(moved.value_or(0), from / 1000.0);
    EXPECT_EQ(player.run(from + 20, from + 179'000), 0);
  }
}

}  // namespace
}  // namespace engine::media
