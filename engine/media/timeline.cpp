#include "engine/media/timeline.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/media/tracks.h"

namespace engine::media {
namespace {

constexpr double tolerance_s = 0.02;       // what containers round
constexpr double clear_s = 0.1;            // more than any container rounds
constexpr double lasting_s = 0.15;         // what lies between both counts after so long,
constexpr int fewest_frames = 2;           // in so many frames,
constexpr int enough_frames = 8;           // or after these, however short they are
constexpr double restart_s = 1;            // back by so much is another count
constexpr double longest_jump_s = 3600;    // forward, of formats that restart
constexpr double beyond_declared_s = 10;   // declared lengths are rounded, too
constexpr double longest_hole_s = 86'400;  // of a container that declares no length
constexpr double longest_picture_s = 1;    // of a video that lasts beyond the audio

bool is_heard_or_seen(const AVStream& stream) {
  const auto type = stream.codecpar->codec_type;
  const bool is_picture = (stream.disposition & AV_DISPOSITION_ATTACHED_PIC) != 0;
  return type == AVMEDIA_TYPE_AUDIO || (type == AVMEDIA_TYPE_VIDEO && !is_picture);
}

// Returns the earliest start of the streams of which the predicate holds; infinite: there is none.
template <class Predicate>
double earliest_start(const AVFormatContext& format, Predicate counts) {
  double earliest = std::numeric_limits<double>::infinity();
  for (unsigned i = 0; i < format.nb_streams; ++i) {
    const AVStream& stream = *format.streams[i];
    if (!counts(stream) || stream.start_time == AV_NOPTS_VALUE) continue;
    earliest = std::min(earliest, start_of(stream));
  }
  return earliest;
}

// Returns the timestamp from which players count.
double begin_of(const AVFormatContext& format) {
  const double heard = earliest_start(format, is_heard_or_seen);
  if (!std::isfinite(heard)) return 0;
  double before = heard;  // where a player shows 0, though there is nothing to hear or see
  if (begins_at_zero(format)) before = 0;
  if (counts_subtitles(format)) {
    before = earliest_start(format, [](const AVStream& stream) {
      return stream.codecpar->codec_type == AVMEDIA_TYPE_SUBTITLE;
    });
  }
  // Parts of broadcasts have the time of day, or of years.
  return before < heard && heard - before < longest_jump_s ? before : heard;
}

double seconds_of(const AVFrame& frame) {
  return frame.sample_rate > 0 ? static_cast<double>(frame.nb_samples) / frame.sample_rate : 0;
}

}  // namespace

Timeline::Timeline(const AVFormatContext& format, const AVStream& track)
    : tick_(av_q2d(track.time_base)),
      restarts_(restarts_clock(format)),
      is_counted_((format.iformat->flags & AVFMT_GENERIC_INDEX) != 0),
      last_possible_(longest_hole_s),
      start_(begin_of(format)),
      origin_(start_) {
  if (format.duration != AV_NOPTS_VALUE && format.duration > 0) {
    last_possible_ = static_cast<double>(format.duration) / AV_TIME_BASE + beyond_declared_s;
  }
}

void Timeline::see(const AVStream& stream, const AVPacket& packet) {
  if (!is_heard_or_seen(stream)) return;
  const double tick = av_q2d(stream.time_base);
  const bool is_shown = packet.pts != AV_NOPTS_VALUE;
  if (is_shown && !began_) {
    origin_ = start_ = std::min(start_, static_cast<double>(packet.pts) * tick);
  }
  // MPEG tells of some pictures alone when they are decoded, which is a picture earlier.
  const std::int64_t time = is_shown ? packet.pts : packet.dts;
  if (!restarts_ || time == AV_NOPTS_VALUE) return;
  const double length = static_cast<double>(packet.duration) * tick;
  const double begin = static_cast<double>(time) * tick;
  beside_.see(begin, begin + std::clamp(length, 0.0, longest_picture_s));
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
  if (has_timestamp(frame)) {
    const double begin = static_cast<double>(frame.best_effort_timestamp) * tick_ - origin_;
    moved = correction(begin, seconds_of(frame));
  }
  began_ = true;
  if (moved) {
    base_ = *moved;
    samples_ = 0;
  }
  advance(frame);
  return moved;
}

// Returns whether the frame's timestamp counts: one that FFmpeg counts itself is in units of a rate
// that another frame's samples do not have.
bool Timeline::has_timestamp(const AVFrame& frame) {
  if (frame.best_effort_timestamp == AV_NOPTS_VALUE) return false;
  if (!is_counted_) return true;
  if (!began_) counted_rate_hz_ = frame.sample_rate;
  const bool is_of_rate = frame.sample_rate == counted_rate_hz_;
  const bool is_back = is_of_rate && changed_rate_;
  changed_rate_ = !is_of_rate;
  had_discontinuity_ = had_discontinuity_ || changed_rate_;
  if (is_back) origin_ = static_cast<double>(frame.best_effort_timestamp) * tick_ - end();
  return is_of_rate;
}

std::optional<double> Timeline::correction(double begin, double length) {
  const double away = begin - end();
  const bool is_restart = away <= -restart_s || (begin > last_possible_ && away >= restart_s) ||
                          (restarts_ && away >= longest_jump_s && began_);
  if (is_restart) return restart(begin);
  beside_.track_went_on(length);
  const bool is_near = std::abs(away) <= tolerance_s;
  away_ = is_near ? 0 : away_ + 1;
  away_s_ = is_near ? 0 : away_s_ + length;
  const bool is_believed =
      away_ >= enough_frames || (away_ >= fewest_frames && away_s_ >= lasting_s);
  if (is_near || (std::abs(away) < clear_s && !is_believed && began_)) return std::nullopt;
  away_ = 0;
  away_s_ = 0;
  return std::max(begin, 0.0);
}

// Begins a new count with a frame, which follows all that the count before has.
std::optional<double> Timeline::restart(double begin) {
  had_discontinuity_ = true;
  away_ = 0;
  away_s_ = 0;
  double follows = end();
  const auto join = beside_.track_joined(begin + origin_);
  if (join) {
    const double behind_s = std::max(join->end - origin_ - end(), 0.0);
    const double late_s = begin + origin_ - join->begin;
    if (behind_s + late_s < longest_jump_s) follows += behind_s + late_s;
  }
  origin_ += begin - follows;
  return follows > end() + tolerance_s ? std::optional(follows) : std::nullopt;
}

}  // namespace engine::media
