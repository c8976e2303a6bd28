#pragma once

#include <cmath>

// These functions round numbers in the JSON that users read to as many decimals as mean something.
// JSON knows neither NaN nor infinity, and clients expect a number: both become 0.
namespace protocol::json {

inline double rounded(double value, double steps) {
  if (!std::isfinite(value)) return 0;
  constexpr double whole_from = 1e12;  // larger numbers have no such decimals
  return std::abs(value) < whole_from ? std::round(value * steps) / steps : value;
}

// Rounds times and durations in seconds to milliseconds.
inline double seconds(double value) {
  return rounded(value, 1'000);
}

// Rounds probabilities, their logarithms, and ratios.
inline double score(double value) {
  return rounded(value, 10'000);
}

}  // namespace protocol::json
