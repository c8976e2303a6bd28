#pragma once

#include <cstddef>
#include <span>
#include <vector>

// These functions answer what a choice of tokens asks of the logits [n_vocab] of one row. A
// forbidden token has -infinity; are_finite alone may be given logits that are no numbers.
namespace engine {

// The logits of the rows of one decode, one below the other.
struct LogitRows {
  float* data = nullptr;  // [n_rows, n_vocab]
  int n_rows = 0;
  int n_vocab = 0;

  std::span<float> operator[](int row) const {
    const auto width = static_cast<std::size_t>(n_vocab);
    return {data + static_cast<std::size_t>(row) * width, width};
  }
  LogitRows first(int count) const { return {data, count, n_vocab}; }
  LogitRows behind(int count) const { return {(*this)[count].data(), n_rows - count, n_vocab}; }
};

// Returns whether each of them is a number, and none infinite.
bool are_finite(std::span<const float> logits);

// Returns the largest; -infinity where there are none.
float largest(std::span<const float> logits);

// Returns the first of the likeliest tokens.
int likeliest(std::span<const float> logits);

// Turns logits into the logarithms of their softmax, within 8e-6.
struct LogSoftmax {
  float largest = 0;
  float log_sum = 0;  // of what the exponentials are beside that of the largest

  float operator()(float logit) const { return logit - largest - log_sum; }
  float log_sum_exp() const { return largest + log_sum; }
};
LogSoftmax log_softmax(std::span<const float> logits);

// Returns the `count` likeliest tokens, the likeliest first; of equal ones the lower.
std::vector<int> likeliest(std::span<const float> logits, int count);

}  // namespace engine
