#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace engine {

// Points that belong together: the sum of their unit vectors, and how many they are.
struct VectorSum {
  std::vector<double> sum{};
  double count = 0;
};

// The history of an agglomerative clustering, from which it can be cut at any distance.
class Dendrogram {
 public:
  struct Merge {
    double distance = 0;
    std::size_t into = 0;  // the lower index of two, which stands for both from then on
    std::size_t gone = 0;
  };

  Dendrogram(std::size_t leaves, std::vector<Merge> merges)
      : leaves_(leaves), merges_(std::move(merges)) {}

  // Returns the number of each leaf's cluster, when those within `distance` are merged. Clusters
  // are numbered in the order of their first leaves.
  std::vector<int> cut(double distance) const;

 private:
  std::size_t leaves_;
  std::vector<Merge> merges_;
};

// Clusters by average linkage of cosine distances ("UPGMA"). The mean distance of two clusters of
// unit vectors is one minus the product of their means, so the sums are all it takes: no matrix of
// distances, O(n) memory and O(n²) time, along chains of nearest neighbours (Müllner 2011). Equal
// distances go to the lower index.
Dendrogram average_linkage(std::span<const VectorSum> points);

}  // namespace engine
