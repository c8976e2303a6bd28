#include "engine/whisper/cpu/windows_at_once.h"

#include <algorithm>

#include "engine/whisper/constants.h"
#include "engine/whisper/cpu/row_block.h"

namespace engine::cpu {
namespace {

// Urgent work that comes meanwhile waits for no more rounds than one window takes with 19 threads.
constexpr int most_rounds = 5;

// Attention, a sixth (large) to a third (base) of the encoder's multiplications, is shared more
// finely and gains nothing, so that a smaller gain of the rest would hardly be seen.
constexpr double least_gain = 0.1;

// Returns how many tiles the busiest thread computes.
int rounds(int windows, int threads) {
  constexpr int tiles = (audio_positions + RowBlock::tile - 1) / RowBlock::tile;
  const int smallest_team = threads / windows;
  return (tiles + smallest_team - 1) / smallest_team;
}

}  // namespace

int windows_at_once(int waiting, int threads) {
  int best = 1;
  double fewest = (1 - least_gain) * rounds(1, threads);  // for each window
  for (int windows = 2; windows <= std::min({waiting, most_windows_at_once, threads}); ++windows) {
    const int together = rounds(windows, threads);
    const double each = static_cast<double>(together) / windows;
    if (together > most_rounds || each >= fewest) continue;
    best = windows;
    fewest = each;
  }
  return best;
}

}  // namespace engine::cpu
