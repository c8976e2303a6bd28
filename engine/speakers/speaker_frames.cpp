#include "engine/speakers/speaker_frames.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "engine/speakers/assignment.h"
#include "engine/speakers/piece_votes.h"

namespace engine {
namespace {

// The vote of pieces that are sure outweighs the four windows that cover a frame: a window may hear
// one voice for two people, and pieces can tell them apart. Windows decide where pieces are unsure.
constexpr float piece_weight = 5;

// The sums of votes, for the frames that some window may still cover.
class Scores {
 public:
  explicit Scores(int speakers) : speakers_(static_cast<std::size_t>(speakers)) {}

  std::int64_t begin() const { return begin_; }
  std::int64_t end() const {
    return begin_ + static_cast<std::int64_t>(values_.size() / speakers_);
  }
  std::span<float> frame(std::int64_t frame) {
    return std::span(values_).subspan(static_cast<std::size_t>(frame - begin_) * speakers_,
                                      speakers_);
  }
  void grow_to(std::int64_t frame) {
    values_.resize(static_cast<std::size_t>(frame - begin_) * speakers_);
  }
  void drop_before(std::int64_t frame) {
    const auto gone =
        static_cast<std::ptrdiff_t>((frame - begin_)) * static_cast<std::ptrdiff_t>(speakers_);
    values_.erase(values_.begin(), values_.begin() + gone);
    begin_ = frame;
  }

 private:
  std::size_t speakers_;
  std::int64_t begin_ = 0;
  std::vector<float> values_;  // [frame][speaker]
};

// Returns how many frames each voice of the window has in common with each speaker.
std::vector<float> common_frames(const VoiceWindow& window, std::span<const PieceVote> votes,
                                 int speakers) {
  std::vector<float> common(static_cast<std::size_t>(voices_per_window * speakers));
  for (std::size_t i = 0; i < votes.size(); ++i) {
    if (votes[i].speaker < 0) continue;
    for (int voice = 0; voice < voices_per_window; ++voice) {
      if ((window.voices[i] >> voice & 1) == 0) continue;
      common[static_cast<std::size_t>(voice * speakers + votes[i].speaker)] += 1;
    }
  }
  return common;
}

class Reconstruction {
 public:
  Reconstruction(const SpeakerEvidence& evidence, std::span<const int> speakers, int most)
      : evidence_(evidence),
        pieces_(evidence, speakers),
        scores_(pieces_.speakers()),
        most_(most) {}

  SpeakerFrames run() {
    for (std::size_t i = 0; i < evidence_.windows.size(); ++i) {
      add(evidence_.windows[i]);
      const bool last = i + 1 == evidence_.windows.size();
      decide(last ? scores_.end() : evidence_.windows[i + 1].first());
    }
    return std::move(frames_);
  }

 private:
  void add(const VoiceWindow& window) {
    const std::int64_t first = window.first();
    const auto votes = pieces_.on_frames(first, frames_per_window);
    const std::int64_t known = std::max(scores_.end(), first);
    scores_.grow_to(std::max(scores_.end(), first + frames_per_window));
    for (std::int64_t frame = known; frame < scores_.end(); ++frame) {
      const PieceVote& vote = votes[static_cast<std::size_t>(frame - first)];
      if (vote.speaker < 0) continue;
      scores_.frame(frame)[static_cast<std::size_t>(vote.speaker)] = vote.weight * piece_weight;
    }
    const auto speaker_of =
        assign(common_frames(window, votes, pieces_.speakers()), pieces_.speakers());
    for (std::size_t voice = 0; voice < voices_per_window; ++voice) {
      if (speaker_of[voice] < 0) continue;
      for (int i = 0; i < frames_per_window; ++i) {
        if ((window.voices[static_cast<std::size_t>(i)] >> voice & 1) == 0) continue;
        scores_.frame(first + i)[static_cast<std::size_t>(speaker_of[voice])] += 1;
      }
    }
  }

  // Decides the frames before `end`.
  void decide(std::int64_t end) {
    std::vector<int> order(static_cast<std::size_t>(pieces_.speakers()));
    for (std::int64_t frame = scores_.begin(); frame < end; ++frame) {
      const auto score = scores_.frame(frame);
      std::iota(order.begin(), order.end(), 0);
      std::ranges::stable_sort(order, [&](int a, int b) {
        return score[static_cast<std::size_t>(a)] > score[static_cast<std::size_t>(b)];
      });
      std::uint64_t active = 0;
      const int count = std::min(evidence_.votes.count(frame), most_);
      for (std::size_t i = 0; i < order.size() && static_cast<int>(i) < count; ++i) {
        if (score[static_cast<std::size_t>(order[i])] > 0) active |= std::uint64_t{1} << order[i];
      }
      frames_.active.push_back(active);
      frames_.foremost.push_back(static_cast<std::int8_t>(active == 0 ? -1 : order.front()));
    }
    scores_.drop_before(end);
  }

  const SpeakerEvidence& evidence_;
  PieceVotes pieces_;
  Scores scores_;
  int most_;
  SpeakerFrames frames_;
};

}  // namespace

SpeakerFrames reconstruct(const SpeakerEvidence& evidence, std::span<const int> speakers,
                          int most) {
  if (speakers.empty()) return {};
  return Reconstruction(evidence, speakers, most).run();
}

}  // namespace engine
