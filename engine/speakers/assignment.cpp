#include "engine/speakers/assignment.h"

#include <algorithm>

namespace engine {
namespace {

constexpr int nobody = -1;

using Choices = std::vector<int>;

// Returns the speakers that a voice can have in the best assignment: the others take two of them at
// most, so that one of its best three is left. Equal ones go by their numbers.
Choices best_speakers(std::span<const float> common) {
  Choices order;
  for (std::size_t i = 0; i < common.size(); ++i) {
    if (common[i] > 0) order.push_back(static_cast<int>(i));
  }
  std::ranges::stable_sort(order, [&](int a, int b) {
    return common[static_cast<std::size_t>(a)] > common[static_cast<std::size_t>(b)];
  });
  if (order.size() > voices_per_window) order.resize(voices_per_window);
  order.push_back(nobody);
  return order;
}

}  // namespace

std::array<int, voices_per_window> assign(std::span<const float> common, int speakers) {
  const auto n = static_cast<std::size_t>(speakers);
  const auto row = [&](std::size_t voice) { return common.subspan(voice * n, n); };
  const auto worth = [&](std::size_t voice, int speaker) {
    return speaker == nobody ? 0.0
                             : static_cast<double>(row(voice)[static_cast<std::size_t>(speaker)]);
  };
  const auto clash = [](int a, int b) { return a != nobody && a == b; };
  const std::array<Choices, voices_per_window> choices{best_speakers(row(0)), best_speakers(row(1)),
                                                       best_speakers(row(2))};
  std::array<int, voices_per_window> best{nobody, nobody, nobody};
  double most = 0;
  for (const int a : choices[0]) {
    for (const int b : choices[1]) {
      if (clash(a, b)) continue;
      for (const int c : choices[2]) {
        if (clash(a, c) || clash(b, c)) continue;
        const double sum = worth(0, a) + worth(1, b) + worth(2, c);
        if (sum <= most) continue;
        most = sum;
        best = {a, b, c};
      }
    }
  }
  return best;
}

}  // namespace engine
