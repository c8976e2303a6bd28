#include "protocol/cue_times.h"

#include <algorithm>

#include "protocol/text_rules.h"

namespace protocol {
namespace {

constexpr double shortest_s = 0.1;
constexpr double written_s = 0.001;  // the files count milliseconds

// NaN and negative times become 0, as in the files.
double sane(double seconds) {
  constexpr double longest_s = 1e9;
  return seconds > 0 ? std::min(seconds, longest_s) : 0;
}

bool has_length(const Cue& cue) {
  return to_milliseconds(cue.end) > to_milliseconds(cue.start);
}

// Returns how many cues from the first on have no length and begin at about the same time.
std::size_t count_without_length(std::span<const Cue> cues) {
  std::size_t count = 1;
  while (count < cues.size() && !has_length(cues[count]) &&
         cues[count].start - cues[count - 1].start < shortest_s) {
    ++count;
  }
  return count;
}

// The time that cues without a length share, and how long it should be.
struct Share {
  double begin = 0;
  double end = 0;
  double wanted = 0;

  double missing() const { return wanted - (end - begin); }
};

void take_silence(Share& share, const Cue* before, const Cue* next) {
  const double latest = next ? next->start : share.begin + share.wanted;
  share.end = std::max(share.end, std::min(latest, share.begin + share.wanted));
  const double earliest = before ? before->end : share.begin;
  share.begin = std::min(share.begin, std::max(earliest, share.end - share.wanted));
}

// Takes what is missing, but at most half of the time of a neighbor.
void take_from_before(Share& share, Cue& before) {
  const double last = std::max(before.end, share.begin);
  const double taken = std::min(share.missing(), (last - before.start) / 2);
  if (taken < written_s) return;
  share.begin = std::max(before.start, std::min(share.begin, last) - taken);
}

void take_from_next(Share& share, Cue& next) {
  const double taken = std::min(share.missing(), (next.end - next.start) / 2);
  if (taken < written_s) return;
  share.end = next.start + taken;
  next.start = share.end;
}

void give_time(std::span<Cue> cues, Cue* before, Cue* next) {
  const double count = static_cast<double>(cues.size());
  Share share{cues.front().start, cues.front().start, count * shortest_s};
  if (next) share.end = std::max(share.end, std::min(cues.back().start, next->start));
  take_silence(share, before, next);
  if (before) {
    take_from_before(share, *before);
    if (before->end > share.begin) {
      share.begin = std::max(share.begin, (before->start + before->end) / 2);
      share.end = std::max(share.end, share.begin);
      before->end = share.begin;
    }
  }
  if (next) take_from_next(share, *next);
  if (share.end - share.begin < count * written_s) share.end = share.begin + share.wanted;
  const double step = (share.end - share.begin) / count;
  for (std::size_t i = 0; i < cues.size(); ++i) {
    cues[i].start = share.begin + static_cast<double>(i) * step;
    cues[i].end = share.begin + static_cast<double>(i + 1) * step;
  }
}

}  // namespace

void give_time(std::span<Cue> cues) {
  for (Cue& cue : cues) {
    cue.start = sane(cue.start);
    cue.end = sane(cue.end);
  }
  for (std::size_t i = 0; i < cues.size(); ++i) {
    if (has_length(cues[i])) continue;
    const std::size_t end = i + count_without_length(cues.subspan(i));
    give_time(cues.subspan(i, end - i), i > 0 ? &cues[i - 1] : nullptr,
              end < cues.size() ? &cues[end] : nullptr);
    i = end - 1;
  }
}

}  // namespace protocol
