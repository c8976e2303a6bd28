#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace engine {

// Finds what several windows say together about the language: the mean of their probabilities, but
// a window that is sure decides alone.
class LanguageVote {
 public:
  // A window is sure whose likeliest language lies above `threshold`.
  explicit LanguageVote(double threshold) : threshold_(threshold) {}

  // Takes the probabilities of one more window, of as many languages as those before. Returns true
  // when the window is sure, and the vote over.
  bool add(std::span<const double> probabilities);

  struct Winner {
    std::size_t language = 0;
    double probability = 0;
  };
  // Returns the likeliest languages, `most` at most, best first. At least one window must have been
  // added.
  std::vector<Winner> winners(std::size_t most) const;
  Winner winner() const { return winners(1).front(); }

 private:
  double threshold_;
  std::vector<double> sums_;
  int windows_ = 0;
};

}  // namespace engine
