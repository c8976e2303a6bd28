#pragma once

#include <cmath>

// Numbers in the JSON that users read, with as many decimals as mean something. JSON knows neither
// NaN nor infinity, and clients expect a number: both become 0.
namespace protocol::json {

inline double rounded(double value, double steps) {
  if (!std::isfinite(value)) return 0;
  constexpr double whole_from = 1e12;  // so large a number has no such decimals
  return std::abs(value) < whole_from ? std::round(value * steps) / steps : value;
}

// Times and lengths of time, in seconds: to milliseconds.
inline double seconds(double value) {
  return rounded(value, 1'000);
}

// Probabilities, their logarithms, and ratios.
inline double score(double value) {
  return rounded(value, 10'000);
}

}  // namespace protocol::json
