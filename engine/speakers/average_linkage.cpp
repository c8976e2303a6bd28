#include "engine/speakers/average_linkage.h"

#include <algorithm>
#include <numeric>

#include "engine/kernels/aligned_vector.h"
#include "engine/kernels/most_similar.h"

namespace engine {
namespace {

// The clusters that are left, each at the index of its lowest point.
class Clusters {
 public:
  explicit Clusters(std::span<const VectorSum> points)
      : size_(rounded_up(points.empty() ? 0 : points.front().sum.size())),
        means_(points.size() * size_) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      alive_.push_back(i);
      counts_.push_back(points[i].count);
      float* to = means_.data() + i * size_;
      for (const double x : points[i].sum) *to++ = static_cast<float>(x / points[i].count);
    }
  }

  kernels::MostSimilar most_similar(std::size_t to) const {
    return similarity_.most_similar(means_.data(), size_, alive_, to);
  }

  float similarity(std::size_t a, std::size_t b) const {
    return similarity_.product(mean(a), mean(b), size_);
  }

  void merge(std::size_t into, std::size_t gone) {
    float* target = means_.data() + into * size_;
    const float* source = mean(gone);
    const double both = counts_[into] + counts_[gone];
    const auto kept = static_cast<float>(counts_[into] / both);
    const auto added = static_cast<float>(counts_[gone] / both);
    for (std::size_t i = 0; i < size_; ++i) target[i] = target[i] * kept + source[i] * added;
    counts_[into] = both;
    alive_.erase(std::ranges::lower_bound(alive_, gone));
  }

  std::size_t first() const { return alive_.front(); }
  std::size_t left() const { return alive_.size(); }

 private:
  static std::size_t rounded_up(std::size_t size) {
    return (size + kernels::similar_width - 1) / kernels::similar_width * kernels::similar_width;
  }
  const float* mean(std::size_t i) const { return means_.data() + i * size_; }

  kernels::Similarity similarity_ = kernels::fastest_similarity();
  std::size_t size_;                // of a row, with zeros at its end
  std::vector<std::size_t> alive_;  // in order
  std::vector<double> counts_;
  kernels::AlignedVector<float> means_;  // [point][size_]
};

}  // namespace

Dendrogram average_linkage(std::span<const VectorSum> points) {
  Clusters clusters(points);
  std::vector<Dendrogram::Merge> merges;
  std::vector<std::size_t> chain;
  while (clusters.left() > 1) {
    if (chain.empty()) chain.push_back(clusters.first());
    // Each is the nearest of the one before it, until two are each other's.
    for (;;) {
      const auto next = clusters.most_similar(chain.back());
      if (chain.size() > 1) {
        const float back = clusters.similarity(chain[chain.size() - 2], chain.back());
        if (back >= next.product) break;
      }
      // Rounding can lead back into the chain, where no distance should grow. The last two are
      // merged then, and the others of the circle are looked at again.
      if (std::ranges::find(chain, next.row) != chain.end()) {
        chain = {chain.back(), next.row};
        break;
      }
      chain.push_back(next.row);
    }
    const std::size_t a = chain[chain.size() - 1];
    const std::size_t b = chain[chain.size() - 2];
    chain.resize(chain.size() - 2);
    merges.push_back({1 - clusters.similarity(a, b), std::min(a, b), std::max(a, b)});
    clusters.merge(std::min(a, b), std::max(a, b));
  }
  return {points.size(), std::move(merges)};
}

std::vector<int> Dendrogram::cut(double distance) const {
  std::vector<std::size_t> up(leaves_);
  std::iota(up.begin(), up.end(), std::size_t{0});
  for (const Merge& merge : merges_) {
    if (merge.distance <= distance) up[merge.gone] = merge.into;
  }
  std::vector<int> labels(leaves_, -1);
  int next = 0;
  for (std::size_t leaf = 0; leaf < leaves_; ++leaf) {
    std::size_t root = leaf;
    while (up[root] != root) root = up[root];
    // The root is the lowest leaf of its cluster, so it has its number by now.
    labels[leaf] = root == leaf ? next++ : labels[root];
  }
  return labels;
}

}  // namespace engine
