#include "engine/speakers/online_voices.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace engine {
namespace {

// Pieces of one voice are within 0.65 of each other (clustering.cpp) when there are many of them.
// The mean over a few is less sure, and a voice that is split stays split: a single piece is given
// to a voice up to 0.73. Pieces of two voices are farther than 0.76 apart in 95 of 100 cases.
constexpr double many_pieces = 6;
constexpr double same_by_many = 0.65;
constexpr double same_by_one = 0.73;

// In one and a half second and less a voice varies more. Pieces of one voice are within 0.56 in
// nearly all cases, and no other voice may be about as near.
constexpr double clearly_near = 0.56;
constexpr double clear_lead = 0.1;

// The mean of a voice's unit vectors is so long: it varies from piece to piece (known_voices.cpp).
constexpr double mean_length = 0.787;  // √0.62

void add_pieces(const VectorSum& from, VectorSum& to) {
  to.sum.resize(from.sum.size());
  for (std::size_t i = 0; i < from.sum.size(); ++i) to.sum[i] += from.sum[i];
  to.count += from.count;
}

double mean_distance(const VectorSum& a, const VectorSum& b) {
  const double product = std::inner_product(a.sum.begin(), a.sum.end(), b.sum.begin(), 0.0);
  return 1 - product / (a.count * b.count);
}

double farthest_of_one_voice(const VectorSum& a, const VectorSum& b) {
  const double pieces = std::clamp(std::min(a.count, b.count), 1.0, many_pieces);
  return same_by_one + (same_by_many - same_by_one) * (pieces - 1) / (many_pieces - 1);
}

}  // namespace

OnlineVoices::OnlineVoices(std::span<const KnownVoice> known, int most)
    : most_(std::min(most, most_speakers)) {
  for (const KnownVoice& voice : known) {
    VectorSum pieces{voice.direction, many_pieces};
    for (double& x : pieces.sum) x *= mean_length * many_pieces;
    voices_.push_back({std::move(pieces), false});
  }
}

std::optional<int> OnlineVoices::voice_of(const VectorSum& turn, double speech_s) {
  const bool is_something = std::ranges::any_of(turn.sum, [](double x) { return x != 0; });
  if (turn.count <= 0 || !is_something) return std::nullopt;
  auto voice = nearest(turn, false);
  if (speech_s < least_speech_s) {
    if (!voice || !is_clearly_near(turn, *voice)) return std::nullopt;
    voices_[*voice].is_heard = true;
    return static_cast<int>(*voice);
  }
  const bool is_known = voice && mean_distance(turn, voices_[*voice].pieces) <=
                                     farthest_of_one_voice(turn, voices_[*voice].pieces);
  if (!is_known && is_full()) {
    voice = nearest(turn, true);
  } else if (!is_known) {
    voice = voices_.size();
    voices_.push_back({});
  }
  Voice& speaker = voices_.at(*voice);
  speaker.is_heard = true;
  add_pieces(turn, speaker.pieces);
  return static_cast<int>(*voice);
}

// Where several voices are equally near, the first is taken.
std::optional<std::size_t> OnlineVoices::nearest(const VectorSum& turn, bool of_heard) const {
  std::optional<std::size_t> found;
  double least = 0;
  for (std::size_t i = 0; i < voices_.size(); ++i) {
    if (of_heard && !voices_[i].is_heard) continue;
    const double distance = mean_distance(turn, voices_[i].pieces);
    if (found && distance >= least) continue;
    found = i;
    least = distance;
  }
  return found;
}

bool OnlineVoices::is_clearly_near(const VectorSum& turn, std::size_t voice) const {
  const double distance = mean_distance(turn, voices_[voice].pieces);
  if (distance > clearly_near) return false;
  return std::ranges::all_of(voices_, [&](const Voice& other) {
    return &other == &voices_[voice] || mean_distance(turn, other.pieces) >= distance + clear_lead;
  });
}

// Known voices count when they were heard.
bool OnlineVoices::is_full() const {
  return std::ranges::count(voices_, true, &Voice::is_heard) >= most_;
}

}  // namespace engine
