#include "engine/speakers/clustering.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "engine/speakers/average_linkage.h"
#include "engine/speakers/unit_vector.h"

namespace engine {
namespace {

// A cosine distance. In conversations of two sets of voices 0.63 to 0.65 finds every number of
// speakers: in one 0.55 does, too, and in the other 0.68.
constexpr double same_speaker = 0.65;
constexpr double surely_the_same = 0.4;
constexpr std::size_t block = 1000;  // pieces, some ten minutes of speech
constexpr std::size_t most_at_once = 4 * block;
constexpr double distance_step = 0.01;  // towards a number of speakers that was asked for

// A speaker has so many pieces; what is smaller belongs to another one.
constexpr double least_pieces = 6;
constexpr double least_share = 0.1;

std::vector<VectorSum> unit_vectors(std::span<const float> embeddings, std::size_t size) {
  std::vector<VectorSum> vectors;
  for (std::size_t begin = 0; begin < embeddings.size(); begin += size) {
    vectors.push_back({unit_vector(embeddings.subspan(begin, size)), 1});
  }
  return vectors;
}

void add(const VectorSum& from, VectorSum& to) {
  to.sum.resize(from.sum.size());
  for (std::size_t i = 0; i < from.sum.size(); ++i) to.sum[i] += from.sum[i];
  to.count += from.count;
}

std::vector<VectorSum> sums_of(std::span<const VectorSum> vectors, std::span<const int> labels) {
  std::vector<VectorSum> sums;
  for (std::size_t i = 0; i < vectors.size(); ++i) {
    const auto label = static_cast<std::size_t>(labels[i]);
    if (label >= sums.size()) sums.resize(label + 1);
    add(vectors[i], sums[label]);
  }
  return sums;
}

double cosine(const VectorSum& a, const VectorSum& b) {
  const auto product = [](const VectorSum& x, const VectorSum& y) {
    return std::inner_product(x.sum.begin(), x.sum.end(), y.sum.begin(), 0.0);
  };
  return product(a, b) / std::max(std::sqrt(product(a, a) * product(b, b)), 1e-12);
}

// The clusters that the pieces were joined to: their sums, and each piece's.
struct SmallClusters {
  std::vector<VectorSum> sums{};
  std::vector<int> of_piece{};
};

SmallClusters join_in_blocks(std::span<const float> embeddings, std::size_t size) {
  const std::size_t pieces = embeddings.size() / size;
  SmallClusters small;
  if (pieces <= block) {
    small.sums = unit_vectors(embeddings, size);
    small.of_piece.resize(pieces);
    std::iota(small.of_piece.begin(), small.of_piece.end(), 0);
    return small;
  }
  for (std::size_t begin = 0; begin < pieces; begin += block) {
    const std::size_t count = std::min(block, pieces - begin);
    const auto part = unit_vectors(embeddings.subspan(begin * size, count * size), size);
    const std::vector<int> labels = average_linkage(part).cut(surely_the_same);
    const auto offset = static_cast<int>(small.sums.size());
    for (const int label : labels) small.of_piece.push_back(offset + label);
    std::ranges::move(sums_of(part, labels), std::back_inserter(small.sums));
  }
  return small;
}

// Joins neighbouring clusters in blocks again while there are too many to be looked at all
// together: voices that vary more than most.
void join_while_many(SmallClusters& small) {
  for (const double distance : {(surely_the_same + same_speaker) / 2, same_speaker}) {
    if (small.sums.size() <= most_at_once) return;
    std::vector<VectorSum> joined;
    std::vector<int> of_cluster;
    for (std::size_t begin = 0; begin < small.sums.size(); begin += block) {
      const auto part =
          std::span(small.sums).subspan(begin, std::min(block, small.sums.size() - begin));
      const std::vector<int> labels = average_linkage(part).cut(distance);
      const auto offset = static_cast<int>(joined.size());
      for (const int label : labels) of_cluster.push_back(offset + label);
      std::ranges::move(sums_of(part, labels), std::back_inserter(joined));
    }
    for (int& cluster : small.of_piece) cluster = of_cluster[static_cast<std::size_t>(cluster)];
    small.sums = std::move(joined);
  }
}

// A way to cut the tree: the clusters, and which of them are large enough to be a speaker.
struct Cut {
  std::vector<int> labels{};
  std::vector<VectorSum> sums{};
  std::vector<std::size_t> large{};

  int speakers() const { return static_cast<int>(large.size()); }
};

Cut cut_at(const Dendrogram& tree, std::span<const VectorSum> leaves, double least,
           double distance) {
  Cut cut{.labels = tree.cut(distance)};
  cut.sums = sums_of(leaves, cut.labels);
  for (std::size_t i = 0; i < cut.sums.size(); ++i) {
    if (cut.sums[i].count >= least) cut.large.push_back(i);
  }
  return cut;
}

// Returns the cut at the usual distance, or at the nearest one that gives as many speakers as are
// wanted.
Cut cut_within(const Dendrogram& tree, std::span<const VectorSum> leaves, double least,
               const SpeakerBounds& bounds) {
  const Cut usual = cut_at(tree, leaves, least, same_speaker);
  const bool too_many = usual.speakers() > bounds.most;
  if (!too_many && usual.speakers() >= bounds.least) return usual;
  for (int step = 1; step * distance_step < 1; ++step) {
    const double moved = step * distance_step;
    Cut cut = cut_at(tree, leaves, least, same_speaker + (too_many ? moved : -moved));
    const bool reached = too_many ? cut.speakers() <= bounds.most : cut.speakers() >= bounds.least;
    if (reached) return cut;
  }
  return usual;
}

// Returns the number of the speaker for each cluster: a small one goes to the most similar large.
std::vector<std::size_t> speakers_of(const Cut& cut) {
  std::vector<std::size_t> speaker(cut.sums.size());
  for (std::size_t i = 0; i < cut.sums.size(); ++i) {
    speaker[i] = *std::ranges::max_element(cut.large, {}, [&](std::size_t large) {
      return large == i ? 2 : cosine(cut.sums[large], cut.sums[i]);
    });
  }
  return speaker;
}

std::vector<int> in_order_of_appearance(std::span<const std::size_t> speakers) {
  std::vector<std::size_t> seen;
  std::vector<int> numbers;
  for (const std::size_t speaker : speakers) {
    const auto found = std::ranges::find(seen, speaker);
    numbers.push_back(static_cast<int>(found - seen.begin()));
    if (found == seen.end()) seen.push_back(speaker);
  }
  return numbers;
}

}  // namespace

std::vector<int> cluster_speakers(std::span<const float> embeddings, int size,
                                  const SpeakerBounds& bounds) {
  SmallClusters small = join_in_blocks(embeddings, static_cast<std::size_t>(size));
  join_while_many(small);
  const auto pieces = static_cast<double>(small.of_piece.size());
  const double least = std::min(least_pieces, std::max(1.0, std::nearbyint(least_share * pieces)));
  const Cut cut = cut_within(average_linkage(small.sums), small.sums, least, bounds);
  if (cut.large.empty()) return std::vector<int>(small.of_piece.size(), 0);
  const std::vector<std::size_t> speaker = speakers_of(cut);
  std::vector<std::size_t> of_piece;
  for (const int cluster : small.of_piece) {
    const auto in_cut = static_cast<std::size_t>(cut.labels[static_cast<std::size_t>(cluster)]);
    of_piece.push_back(speaker[in_cut]);
  }
  return in_order_of_appearance(of_piece);
}

}  // namespace engine
