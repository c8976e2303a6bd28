#pragma once

#include <span>

namespace engine {

// Writes to `out`, which is as long as `row`, the median of the `width` values around each value.
// Beyond its ends the row goes on mirrored, the end value not repeated. A row of width / 2 values
// or fewer cannot be mirrored and is copied. `width` is odd.
// openai/whisper timing.py `median_filter`.
void median_filter(std::span<const float> row, int width, std::span<float> out);

}  // namespace engine
