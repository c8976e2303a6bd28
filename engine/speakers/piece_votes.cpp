#include "engine/speakers/piece_votes.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "engine/speakers/frames.h"
#include "engine/speakers/unit_vector.h"

namespace engine {
namespace {

// A piece is sure of its speaker if the second is further away by so much (cosine).
constexpr double sure_margin = 0.3;
constexpr double least_certainty = 0.05;

using Vector = std::vector<double>;

Vector embedding(const SpeakerEvidence& evidence, std::size_t piece) {
  return unit_vector(
      std::span<const float>(evidence.embeddings).subspan(piece * embedding_size, embedding_size));
}

// Returns the direction of each speaker's mean.
std::vector<Vector> centres(const SpeakerEvidence& evidence, std::span<const int> speakers, int n) {
  std::vector<Vector> sums(static_cast<std::size_t>(n), Vector(embedding_size, 0.0));
  for (std::size_t i = 0; i < speakers.size(); ++i) {
    Vector& sum = sums[static_cast<std::size_t>(speakers[i])];
    const Vector unit = embedding(evidence, i);
    std::ranges::transform(sum, unit, sum.begin(), std::plus<>());
  }
  for (Vector& sum : sums) sum = unit_vector(std::span<const double>(sum));
  return sums;
}

double certainty(const Vector& embedding, const std::vector<Vector>& centres, std::size_t own) {
  double mine = 0;
  double second = -1;
  for (std::size_t i = 0; i < centres.size(); ++i) {
    const double alike =
        std::inner_product(embedding.begin(), embedding.end(), centres[i].begin(), 0.0);
    if (i == own) {
      mine = alike;
    } else {
      second = std::max(second, alike);
    }
  }
  return std::clamp((mine - second) / sure_margin, least_certainty, 1.0);
}

}  // namespace

PieceVotes::PieceVotes(const SpeakerEvidence& evidence, std::span<const int> speakers)
    : evidence_(evidence), speakers_(speakers) {
  if (!speakers.empty()) n_speakers_ = 1 + *std::ranges::max_element(speakers);
  certainty_.assign(speakers.size(), 1);
  if (n_speakers_ < 2) return;
  const auto all = centres(evidence, speakers, n_speakers_);
  for (std::size_t i = 0; i < speakers.size(); ++i) {
    const auto own = static_cast<std::size_t>(speakers[i]);
    certainty_[i] = static_cast<float>(certainty(embedding(evidence, i), all, own));
  }
}

std::vector<PieceVote> PieceVotes::on_frames(std::int64_t first, int frames) const {
  const auto speakers = static_cast<std::size_t>(n_speakers_);
  std::vector<float> sums(static_cast<std::size_t>(frames) * speakers);
  const double earliest = frame_time(first) - 2 * piece_s;
  const double latest = frame_time(first + frames);
  const auto begin = std::ranges::lower_bound(evidence_.pieces, earliest, {}, &Piece::begin);
  for (auto piece = begin; piece != evidence_.pieces.end() && piece->begin < latest; ++piece) {
    const auto i = static_cast<std::size_t>(piece - evidence_.pieces.begin());
    const auto from = std::max<std::int64_t>(frame_at(piece->begin) - first, 0);
    const auto to = std::min<std::int64_t>(frame_at(piece->end) - first, frames);
    for (auto frame = from; frame < to; ++frame) {
      sums[static_cast<std::size_t>(frame) * speakers + static_cast<std::size_t>(speakers_[i])] +=
          certainty_[i];
    }
  }
  std::vector<PieceVote> votes(static_cast<std::size_t>(frames));
  for (std::size_t frame = 0; frame < votes.size(); ++frame) {
    const auto row = std::span(sums).subspan(frame * speakers, speakers);
    const auto most = std::ranges::max_element(row);
    if (most == row.end() || *most == 0) continue;
    const float sum = std::accumulate(row.begin(), row.end(), 0.0F);
    votes[frame] = {static_cast<int>(most - row.begin()), *most / sum * std::min(1.0F, *most)};
  }
  return votes;
}

}  // namespace engine
