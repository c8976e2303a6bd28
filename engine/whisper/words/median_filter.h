#pragma once

#include <span>

namespace engine {

// Writes to `out`, which is as long as `row` and lies elsewhere, the median of the seven values
// around each value. Beyond its ends the row goes on mirrored, the end value not repeated. A row of
// three values or fewer cannot be mirrored and is copied.
// openai/whisper timing.py `median_filter`.
void median_filter(std::span<const float> row, std::span<float> out);

}  // namespace engine
