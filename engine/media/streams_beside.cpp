#include "engine/media/streams_beside.h"

#include <algorithm>

namespace engine::media {
namespace {

constexpr double back_s = 1;  // pictures are out of order by less
constexpr double forward_s = 3600;
constexpr double most_apart_s = 2;  // streams are not interleaved any wider

}  // namespace

void StreamsBeside::see(double begin, double end) {
  const bool goes_on = count_ && begin > count_->end - back_s && begin < count_->end + forward_s;
  if (goes_on) {
    count_->begin = std::min(count_->begin, begin);
    count_->end = std::max(count_->end, end);
    return;
  }
  if (!is_behind_) before_ = count_;
  is_behind_ = false;
  waited_s_ = 0;
  count_ = Count{begin, end};
}

void StreamsBeside::track_went_on(double seconds) {
  waited_s_ += seconds;
  if (waited_s_ < most_apart_s) return;
  before_.reset();
  is_behind_ = false;
}

std::optional<StreamsBeside::Join> StreamsBeside::track_joined(double begin) {
  if (!count_) return std::nullopt;
  waited_s_ = 0;
  is_behind_ = !before_;
  if (is_behind_) return Join{.end = count_->end, .begin = begin};
  const Join join{.end = before_->end, .begin = std::min(count_->begin, begin)};
  before_.reset();
  return join;
}

}  // namespace engine::media
