#include "engine/media/timeline.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/media/tracks.h"

namespace engine::media {
namespace {

constexpr double tolerance_s = 0.02;       // what containers round
constexpr double clear_s = 0.1;            // more than any container rounds
constexpr int frames_to_believe = 8;       // of those between both
constexpr double restart_s = 1;            // back by so much is another count
constexpr double longest_jump_s = 3600;    // forward, of formats that restart
constexpr double beyond_declared_s = 10;   // declared lengths are rounded, too
constexpr double longest_hole_s = 86'400;  // of a container that declares no length

bool is_heard_or_seen(const AVStream& stream) {
  const auto type = stream.codecpar->codec_type;
  const bool is_picture = (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) != 0;
  return type == AVMEDIA_TYPE_AUDIO || (type == AVMEDIA_TYPE_VIDEO && !is_picture);
}

double earliest_start(const AVFormatContext& format) {
  double earliest = std::numeric_limits<double>::infinity();
  for (unsigned i = 0; i < format.nb_streams; ++i) {
    const AVStream& stream = *format.streams[i];
    if (!is_heard_or_seen(stream) || stream.start_time == AV_NOPTS_VALUE) continue;
    earliest = std::min(earliest, start_of(stream));
  }
  return std::isfinite(earliest) ? earliest : 0;
}

}  // namespace

Timeline::Timeline(const AVFormatContext& format, const AVStream& track)
    : tick_(av_q2d(track.time_base)),
      restarts_((format.iformat->flags & AVFMT_TS_DISCONT) != 0),
      last_possible_(longest_hole_s),
      start_(earliest_start(format)),
      origin_(start_) {
  if (format.duration != AV_NOPTS_VALUE && format.duration > 0) {
    last_possible_ = static_cast<double>(format.duration) / AV_TIME_BASE + beyond_declared_s;
  }
}

void Timeline::see(const AVStream& stream, const AVPacket& packet) {
  if (began_ || packet.pts == AV_NOPTS_VALUE || !is_heard_or_seen(stream)) return;
  start_ = std::min(start_, static_cast<double>(packet.pts) * av_q2d(stream.time_base));
  origin_ = start_;
}

double Timeline::end() const {
  return rate_hz_ > 0 ? base_ + static_cast<double>(samples_) / rate_hz_ : base_;
}

void Timeline::advance(const AVFrame& frame) {
  if (frame.sample_rate != rate_hz_) {
    base_ = end();
    samples_ = 0;
    rate_hz_ = frame.sample_rate;
  }
  samples_ += frame.nb_samples;
}

std::optional<double> Timeline::place(const AVFrame& frame) {
  std::optional<double> moved;
  if (frame.best_effort_timestamp != AV_NOPTS_VALUE) {
    moved = correction(static_cast<double>(frame.best_effort_timestamp) * tick_ - origin_);
  }
  began_ = true;
  if (moved) {
    base_ = *moved;
    samples_ = 0;
  }
  advance(frame);
  return moved;
}

std::optional<double> Timeline::correction(double begin) {
  const double away = begin - end();
  if (std::abs(away) <= tolerance_s) {
    away_ = 0;
    return std::nullopt;
  }
  const bool is_restart = away <= -restart_s || begin > last_possible_ ||
                          (restarts_ && away >= longest_jump_s && began_);
  if (is_restart) {
    origin_ += away;
    had_discontinuity_ = true;
    away_ = 0;
    return std::nullopt;
  }
  if (std::abs(away) < clear_s && ++away_ < frames_to_believe && began_) return std::nullopt;
  away_ = 0;
  return std::max(begin, 0.0);
}

}  // namespace engine::media
