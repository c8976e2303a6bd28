#pragma once

namespace platform {

// The scores of scribed's children, of 1000 at most. If memory runs out, the kernel kills the
// process with the highest first. A decoder is cheap to lose: its one request fails.
inline constexpr int oom_score_of_decoders = 1000;
inline constexpr int oom_score_of_workers = 200;

// Raises the score of this process, and of those that it starts, to at least `score`. Raising needs
// no privilege. Systems other than Linux, and containers without /proc, stay as they are.
void raise_oom_score(int score);

}  // namespace platform
