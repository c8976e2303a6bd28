#pragma once

#include <cstdint>
#include <optional>

#include "engine/media/ffmpeg.h"
#include "engine/media/streams_beside.h"

namespace engine::media {

// Places decoded frames on the time line that players show: 0 is the start of the earliest audio
// or video stream, a stream that begins later begins with silence, and a hole between packets stays
// a hole. Times are seconds. MP4 and QuickTime have a 0 of their own, and in Matroska text of
// subtitles may begin earlier: these are the 0 of players unless they lie an hour back.
//
// Containers round timestamps, so a frame that is at most 20 ms away from the end of the frame
// before it follows that one directly; 20 to 100 ms must hold for a while before they count.
// A timestamp that goes back by a second or more, that leaves the declared length, or that leaves
// an hour without a packet in a format for broadcasts, is a discontinuity: the container began a
// new count. What it counts follows all that came before, of the video too, without a hole. Formats
// whose timestamps FFmpeg counts itself have none behind a change of the sample rate.
class Timeline {
 public:
  // To be made behind avformat_find_stream_info(), which finds the streams' start times.
  Timeline(const AVFormatContext& format, const AVStream& track);

  // Takes a packet of another stream, in the order of the container: a video whose start time is
  // not known before may begin earlier than the track, and one of joined files may end later.
  void see(const AVStream& stream, const AVPacket& packet);

  // Returns when the frame has to be heard, if that is not the end of the frame before it. Frames
  // are given in the order in which they were decoded, each once.
  std::optional<double> place(const AVFrame& frame);

  // Returns when the last frame ends that was placed.
  double end() const;
  // Returns the container's timestamp of the time 0; 0 if the container has no timestamps.
  double start() const { return start_; }
  // Returns whether the container began a new count, so that its own length counts what is no hole.
  bool had_discontinuity() const { return had_discontinuity_; }

 private:
  bool has_timestamp(const AVFrame& frame);
  std::optional<double> correction(double begin, double length);
  std::optional<double> restart(double begin);
  void advance(const AVFrame& frame);

  double tick_;           // seconds of the track's time base
  bool restarts_;         // an hour forward is a new count, too (AVFMT_TS_DISCONT)
  bool is_counted_;       // by FFmpeg, at the rate of the first frame
  double last_possible_;  // no frame begins later
  double start_;
  double origin_;  // as start_, for timestamps behind the last discontinuity
  // The end of the last frame: samples at one rate since a time, so that ten hours do not drift.
  double base_ = 0;
  std::int64_t samples_ = 0;
  int rate_hz_ = 0;
  int counted_rate_hz_ = 0;  // of the first frame
  bool changed_rate_ = false;
  StreamsBeside beside_{};
  bool began_ = false;  // a frame was placed
  bool had_discontinuity_ = false;
  int away_ = 0;       // frames in a row that were more than the tolerance away
  double away_s_ = 0;  // how long they are
};

}  // namespace engine::media
