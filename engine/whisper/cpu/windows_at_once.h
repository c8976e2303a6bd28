#pragma once

namespace engine::cpu {

// No more windows are encoded at once, since each needs working memory of its own.
inline constexpr int most_windows_at_once = 4;

// Returns how many of the `waiting` windows are encoded at once, each by a team of the threads;
// 1 where one after the other with all threads is as quick, as it is with fewer than 38.
//
// A window's rows are shared in whole tiles, 94 of 16 rows, so that threads idle while others
// compute the last ones: 64 threads take two rounds for a window and are busy 73 % of that time,
// two teams of 32 take three rounds for two windows and are busy 98 %. These rounds are counted.
// This idle time is the only reason for teams: on two cores, two teams of one thread, which have no
// barriers to wait at, were measured to take 0.5 to 2 % less time than two threads on one window.
int windows_at_once(int waiting, int threads);

}  // namespace engine::cpu
