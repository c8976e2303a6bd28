#include "engine/speakers/average_linkage.h"

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>

namespace engine {
namespace {

// Adds in eight columns, which the compiler turns into vectors; the order of additions is fixed.
double product(const double* a, const double* b, std::size_t size) {
  constexpr std::size_t width = 8;
  std::array<double, width> sums{};
  std::size_t i = 0;
  for (; i + width <= size; i += width) {
    for (std::size_t j = 0; j < width; ++j) sums[j] += a[i + j] * b[i + j];
  }
  for (; i < size; ++i) sums[0] += a[i] * b[i];
  return std::accumulate(sums.begin(), sums.end(), 0.0);
}

// The clusters that are left, each at the index of its lowest point.
class Clusters {
 public:
  explicit Clusters(std::span<const VectorSum> points)
      : size_(points.empty() ? 0 : points.front().sum.size()) {
    for (std::size_t i = 0; i < points.size(); ++i) {
      alive_.push_back(i);
      counts_.push_back(points[i].count);
      for (const double x : points[i].sum) means_.push_back(x / points[i].count);
    }
  }

  struct Neighbour {
    std::size_t index = 0;
    double distance = std::numeric_limits<double>::infinity();
  };

  Neighbour nearest(std::size_t to) const {
    Neighbour best;
    for (const std::size_t i : alive_) {
      if (i == to) continue;
      const double d = distance(i, to);
      if (d < best.distance) best = {i, d};
    }
    return best;
  }

  double distance(std::size_t a, std::size_t b) const {
    return 1 - product(mean(a), mean(b), size_);
  }

  void merge(std::size_t into, std::size_t gone) {
    double* target = means_.data() + into * size_;
    const double* source = mean(gone);
    const double a = counts_[into];
    const double b = counts_[gone];
    for (std::size_t i = 0; i < size_; ++i) target[i] = (target[i] * a + source[i] * b) / (a + b);
    counts_[into] = a + b;
    alive_.erase(std::ranges::lower_bound(alive_, gone));
  }

  std::size_t first() const { return alive_.front(); }
  std::size_t left() const { return alive_.size(); }

 private:
  const double* mean(std::size_t i) const { return means_.data() + i * size_; }

  std::size_t size_;
  std::vector<std::size_t> alive_;  // in order
  std::vector<double> counts_;
  std::vector<double> means_;  // [point][size_]
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
      const auto next = clusters.nearest(chain.back());
      if (chain.size() > 1) {
        const double back = clusters.distance(chain[chain.size() - 2], chain.back());
        if (back <= next.distance) break;
      }
      chain.push_back(next.index);
    }
    const std::size_t a = chain[chain.size() - 1];
    const std::size_t b = chain[chain.size() - 2];
    chain.resize(chain.size() - 2);
    merges.push_back({clusters.distance(a, b), std::min(a, b), std::max(a, b)});
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
