#pragma once

#include <ATen/ATen.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/torch/placement.h"
#include "engine/whisper/audio/mel_window.h"
#include "engine/whisper/cpu/window_rows.h"
#include "engine/whisper/model/model.h"

// Short windows (cpu::WindowRows) as tensors. Numbers of rows are rounded up, so that there are few
// shapes to record. The rows that fill up a window have the bias -inf, so nothing reads them.
namespace engine {

// The rows of short windows, on the model's device.
struct ShortRows {
  at::Tensor positions;  // [windows, rows] int64
  at::Tensor counts;     // [windows, rows] int64: positions that a row represents; 0: it fills up
};

// Returns the rows of one window, none of which fills up, on the CPU.
ShortRows short_rows(const cpu::WindowRows& rows);
// Returns what is added to the scores of the rows as keys, [windows, rows] float32.
at::Tensor key_bias(const ShortRows& rows);

// Returns the rows of each window.
std::vector<cpu::WindowRows> window_rows(std::span<const MelWindow> mels, int positions);
// Returns the indices of the windows that are encoded together: full and short ones apart, short
// ones with others of about their length. A group has a power of two of them, at most `most`.
std::vector<std::vector<std::size_t>> encode_groups(std::span<const cpu::WindowRows> rows,
                                                    int most);
// Returns how many rows are computed of each window of a group; 0: they are full.
int encoded_rows(std::span<const cpu::WindowRows> rows, std::span<const std::size_t> group);
// Appends the positions of all windows of a group, and then the counts: ShortRows as numbers.
void append_rows(std::span<const cpu::WindowRows> rows, std::span<const std::size_t> group,
                 int encoded, std::vector<std::int64_t>& numbers);

// Returns how many rows a step reads of each of these windows, with their bias; 0: all, since they
// are full.
//   counts  the rows of each window
int read_rows(std::span<const int> counts, int positions);

// Returns whether a model has short windows by default. In float32 it stays what openai/whisper
// computes. Other types were not measured on libtorch's operations, so they are tried.
ShortWindows short_windows_of(const ModelDims& dims, const Placement& placement);

}  // namespace engine
