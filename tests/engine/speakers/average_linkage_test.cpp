#include "engine/speakers/average_linkage.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <random>

namespace engine {
namespace {

using Labels = std::vector<int>;

VectorSum at_degrees(double degrees) {
  const double angle = degrees / 180 * std::acos(-1);
  return {{std::cos(angle), std::sin(angle)}, 1};
}

std::vector<VectorSum> random_points(int count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<double> number;
  std::vector<VectorSum> points;
  for (int i = 0; i < count; ++i) {
    VectorSum point{std::vector<double>(5), 1};
    for (double& x : point.sum) x = number(random);
    const double length =
        std::sqrt(std::inner_product(point.sum.begin(), point.sum.end(), point.sum.begin(), 0.0));
    for (double& x : point.sum) x /= length;
    points.push_back(point);
  }
  return points;
}

// Average linkage as it is defined: the two clusters whose points are nearest on average are
// merged, until none are within the distance.
Labels naive(const std::vector<VectorSum>& points, double distance) {
  std::vector<std::vector<std::size_t>> clusters;
  for (std::size_t i = 0; i < points.size(); ++i) clusters.push_back({i});
  const auto mean_distance = [&](const auto& a, const auto& b) {
    double sum = 0;
    for (const auto i : a) {
      for (const auto j : b) {
        sum += 1 - std::inner_product(points[i].sum.begin(), points[i].sum.end(),
                                      points[j].sum.begin(), 0.0);
      }
    }
    return sum / static_cast<double>(a.size() * b.size());
  };
  for (;;) {
    double nearest = distance;
    std::size_t into = 0;
    std::size_t gone = 0;
    for (std::size_t i = 0; i < clusters.size(); ++i) {
      for (std::size_t j = i + 1; j < clusters.size(); ++j) {
        const double d = mean_distance(clusters[i], clusters[j]);
        if (d < nearest) nearest = d, into = i, gone = j;
      }
    }
    if (gone == 0) break;
    clusters[into].insert(clusters[into].end(), clusters[gone].begin(), clusters[gone].end());
    clusters.erase(clusters.begin() + static_cast<std::ptrdiff_t>(gone));
  }
  Labels labels(points.size());
  for (std::size_t c = 0; c < clusters.size(); ++c) {
    for (const auto i : clusters[c]) labels[i] = static_cast<int>(c);
  }
  return labels;
}

TEST(AverageLinkage, JoinsWhatIsNearAndNumbersByTheFirstPoint) {
  const std::vector<VectorSum> points{at_degrees(90), at_degrees(0), at_degrees(95), at_degrees(5),
                                      at_degrees(180)};
  const Dendrogram tree = average_linkage(points);
  EXPECT_EQ(tree.cut(0.1), (Labels{0, 1, 0, 1, 2}));
  EXPECT_EQ(tree.cut(-1), (Labels{0, 1, 2, 3, 4}));
  EXPECT_EQ(tree.cut(2), (Labels{0, 0, 0, 0, 0}));
}

TEST(AverageLinkage, IsWhatTheDefinitionGivesAtAnyDistance) {
  for (unsigned seed = 0; seed < 10; ++seed) {
    const auto points = random_points(40, seed);
    const Dendrogram tree = average_linkage(points);
    for (const double distance : {0.1, 0.3, 0.5, 0.7, 0.9}) {
      ASSERT_EQ(tree.cut(distance), naive(points, distance)) << seed << " " << distance;
    }
  }
}

TEST(AverageLinkage, CountsASumAsSoManyPoints) {
  // Three points at 0° weigh more than one at 60°, so their mean is further from 100°.
  VectorSum three = at_degrees(0);
  for (double& x : three.sum) x *= 3;
  three.count = 3;
  const std::vector<VectorSum> points{three, at_degrees(60), at_degrees(150)};
  const double expected =
      1 - (3 * std::cos(150.0 / 180 * std::acos(-1)) + std::cos(90.0 / 180 * std::acos(-1))) / 4;
  const Dendrogram tree = average_linkage(points);
  EXPECT_EQ(tree.cut(expected - 1e-6), (Labels{0, 0, 1}));
  EXPECT_EQ(tree.cut(expected + 1e-6), (Labels{0, 0, 0}));
}

TEST(AverageLinkage, MergesAllCopiesThoughRoundingBlursTheirDistances) {
  for (unsigned seed = 0; seed < 30; ++seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> number;
    std::vector<std::vector<double>> voices(10, std::vector<double>(16));
    for (auto& voice : voices) {
      double square = 0;
      for (double& x : voice) x = number(random), square += x * x;
      for (double& x : voice) x /= std::sqrt(square);
    }
    std::vector<VectorSum> points;
    for (std::size_t i = 0; i < 600; ++i) {
      VectorSum& point = points.emplace_back(VectorSum{voices[i % 10], 1});
      for (double& x : point.sum) x += 1e-7 * number(random);
    }
    ASSERT_EQ(average_linkage(points).cut(3), Labels(points.size(), 0)) << seed;
  }
}

TEST(AverageLinkage, EndsWithEqualPointsAndWithFew) {
  EXPECT_EQ(average_linkage(std::vector<VectorSum>(4, at_degrees(30))).cut(0.01),
            (Labels{0, 0, 0, 0}));
  EXPECT_EQ(average_linkage(std::vector<VectorSum>{at_degrees(1)}).cut(1), Labels{0});
  EXPECT_EQ(average_linkage({}).cut(1), Labels{});
}

}  // namespace
}  // namespace engine
