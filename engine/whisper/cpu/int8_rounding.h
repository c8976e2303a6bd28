#pragma once

#include <span>
#include <vector>

// These functions estimate what rounding to int8 does to a linear layer, from the numbers of the
// model alone, and make layers easier to round.
namespace engine::cpu {

// The spread of a linear layer's inputs, by input. Behind a layer norm the norm's weight is
// taken for the deviation of what comes out, and its bias for the mean. A channel that is larger
// than the others before the norm's weight is not seen.
struct InputSpread {
  std::vector<float> mean;
  std::vector<float> deviation;
};

// Returns the spread of inputs that nothing is known of but that they are about equally large.
InputSpread equal_spread(int n_in);

// Returns, by input, the factors that go from the inputs into the columns of the weight, so that
// both are easier to round (SmoothQuant, Xiao et al. 2023, with α = ½): √(a/b), where a is the
// input's largest number and b the largest weight of its column. Xiao et al. measure the inputs;
// here the spread stands for them.
//   weight  [n_out, n_in]
std::vector<float> column_factors(const InputSpread& inputs, std::span<const float> weight);

// Moves the factors from the inputs into the columns of the weight.
void move_factors(std::span<const float> factors, InputSpread& inputs, std::span<float> weight);

// Estimates the error of the layer's outputs in int8 as a part of how much each output varies, the
// root of the mean square of all outputs. A row of inputs has one scale, and each output's weights
// have one. The error is overestimated, up to four times, where one input alone makes the range of
// its row.
//   weight  [n_out, n_in]
float int8_error(const InputSpread& inputs, std::span<const float> weight);

// A layer with a larger error stays in bfloat16. The largest of base is 0.033.
inline constexpr float most_int8_error = 0.05F;

}  // namespace engine::cpu
