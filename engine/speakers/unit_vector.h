#pragma once

#include <cmath>
#include <numeric>
#include <span>
#include <vector>

namespace engine {

// Returns the vector of length 1 in the same direction; zeros where there is none, or where a
// number is not finite.
template <class Number>
std::vector<double> unit_vector(std::span<const Number> values) {
  std::vector<double> unit(values.begin(), values.end());
  const double length = std::sqrt(std::inner_product(unit.begin(), unit.end(), unit.begin(), 0.0));
  const double scale = std::isfinite(length) && length > 1e-12 ? 1 / length : 0;
  for (double& x : unit) x = scale == 0 ? 0 : x * scale;
  return unit;
}

}  // namespace engine
