#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace engine {

// What several windows say together about the language: the mean of their probabilities, but a
// window that is sure decides alone.
class LanguageVote {
 public:
  // threshold: a window is sure whose likeliest language lies above it
  explicit LanguageVote(double threshold) : threshold_(threshold) {}

  // Takes the probabilities of one more window, of as many languages as those before. True when the
  // window is sure, and the vote over.
  bool add(std::span<const double> probabilities);

  struct Winner {
    std::size_t language = 0;
    double probability = 0;
  };
  // The likeliest languages, `most` at most, best first; of one window at least.
  std::vector<Winner> winners(std::size_t most) const;
  Winner winner() const { return winners(1).front(); }

 private:
  double threshold_;
  std::vector<double> sums_;
  int windows_ = 0;
};

}  // namespace engine
