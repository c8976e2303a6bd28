#include "engine/speakers/turns.h"

#include <algorithm>
#include <array>
#include <bit>
#include <tuple>

#include "engine/speakers/frames.h"
#include "engine/speakers/spoken_turns.h"

namespace engine {
namespace {

constexpr double closed_pause_s = 0.5;
constexpr double least_turn_s = 0.1;

struct Span {
  std::int64_t begin = 0;
  std::int64_t end = 0;  // the frame after the last
};

bool silent(std::span<const std::uint64_t> active, std::int64_t begin, std::int64_t end) {
  return std::all_of(active.begin() + begin, active.begin() + end,
                     [](std::uint64_t speakers) { return speakers == 0; });
}

// Collects the spans of each speaker while frames come in order.
std::vector<std::vector<Span>> spans_of_speakers(std::span<const std::uint64_t> active) {
  std::vector<std::vector<Span>> spans(most_speakers);
  std::uint64_t before = 0;
  const auto n = static_cast<std::int64_t>(active.size());
  for (std::int64_t frame = 0; frame <= n; ++frame) {
    const std::uint64_t now = frame < n ? active[static_cast<std::size_t>(frame)] : 0;
    for (std::uint64_t changed = before ^ now; changed != 0; changed &= changed - 1) {
      const auto speaker = static_cast<std::size_t>(std::countr_zero(changed));
      auto& own = spans[speaker];
      if ((before >> speaker & 1) != 0) {
        own.back().end = frame;
        continue;
      }
      const bool resumes =
          !own.empty() && (frame - own.back().end) * frame_step < closed_pause_s * sample_rate_hz &&
          silent(active, own.back().end, frame);
      if (!resumes) own.push_back({frame, frame});
    }
    before = now;
  }
  return spans;
}

std::vector<Turn> turns_of(std::span<const std::uint64_t> active, double recording_s) {
  std::vector<Turn> turns;
  const auto spans = spans_of_speakers(active);
  for (std::size_t speaker = 0; speaker < spans.size(); ++speaker) {
    for (const Span& span : spans[speaker]) {
      const Turn turn{frame_time(span.begin), std::min(frame_time(span.end), recording_s),
                      static_cast<int>(speaker)};
      if (turn.end - turn.start > least_turn_s) turns.push_back(turn);
    }
  }
  std::ranges::sort(
      turns, {}, [](const Turn& turn) { return std::tuple(turn.start, turn.end, turn.speaker); });
  return turns;
}

// Numbers that speakers get in the order of their first turns.
class Order {
 public:
  explicit Order(std::span<const Turn> turns) {
    numbers_.fill(-1);
    for (const Turn& turn : turns) {
      int& number = numbers_[static_cast<std::size_t>(turn.speaker)];
      if (number >= 0) continue;
      number = static_cast<int>(speakers_.size());
      speakers_.push_back(turn.speaker);
    }
  }

  // The speakers in the order of their numbers.
  const std::vector<int>& speakers() const { return speakers_; }

  // Turns of speakers who have no number are dropped.
  void renumber(std::vector<Turn>& turns) const {
    for (Turn& turn : turns) turn.speaker = numbers_[static_cast<std::size_t>(turn.speaker)];
    std::erase_if(turns, [](const Turn& turn) { return turn.speaker < 0; });
  }

 private:
  std::array<int, most_speakers> numbers_{};
  std::vector<int> speakers_;
};

}  // namespace

Turns make_turns(const SpeakerFrames& frames, double recording_s, std::span<const float> speech) {
  std::vector<std::uint64_t> foremost;
  foremost.reserve(frames.foremost.size());
  for (const std::int8_t speaker : frames.foremost) {
    foremost.push_back(speaker < 0 ? 0 : std::uint64_t{1} << speaker);
  }
  Turns turns{.all = turns_of(frames.active, recording_s),
              .exclusive = turns_of(foremost, recording_s)};
  drop_unspoken(turns.all, speech);
  drop_unspoken(turns.exclusive, speech);
  const Order order(turns.all);
  order.renumber(turns.all);
  order.renumber(turns.exclusive);
  turns.speakers = order.speakers();
  return turns;
}

Turns find_turns(const SpeakerEvidence& evidence, const SpeakerBounds& bounds,
                 std::span<const KnownVoice> voices) {
  if (evidence.pieces.empty()) return {};
  const std::vector<int> speakers = cluster_speakers(evidence.embeddings, embedding_size, bounds);
  const double recording_s = static_cast<double>(evidence.samples) / sample_rate_hz;
  Turns turns =
      make_turns(reconstruct(evidence, speakers, bounds.most), recording_s, evidence.speech);
  turns.names =
      speaker_names(match_voices(evidence.embeddings, speakers, turns.speakers, voices), voices);
  return turns;
}

}  // namespace engine
