#include "engine/whisper/torch_model/short_windows.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "engine/whisper/model/cpu_audio.h"

namespace engine {
namespace {

// An encode takes longer with each row. A step reads the windows of several decodes, whose length
// changes as they come and go, so it has fewer shapes.
constexpr int encode_step = 64;
constexpr int read_step = 256;

int rounded_rows(int rows, int step, int positions) {
  return std::min((rows + step - 1) / step * step, positions);
}

}  // namespace

ShortRows short_rows(const cpu::WindowRows& rows) {
  std::vector<std::int64_t> numbers;
  const std::size_t first = 0;
  append_rows({&rows, 1}, {&first, 1}, rows.count(), numbers);
  const auto parts = at::tensor(numbers, at::kLong).view({2, 1, rows.count()});
  return {parts[0], parts[1]};
}

at::Tensor key_bias(const ShortRows& rows) {
  return at::log(rows.counts.to(at::kFloat));
}

std::vector<cpu::WindowRows> window_rows(std::span<const MelWindow> mels, int positions) {
  std::vector<cpu::WindowRows> rows;
  for (const MelWindow& mel : mels) rows.emplace_back(positions, mel.frames);
  return rows;
}

// Sizes that are powers of two are few shapes. Thirteen windows are encoded as eight, four and one:
// a window that fills up a batch would take as long as a real one.
std::vector<std::vector<std::size_t>> encode_groups(std::span<const cpu::WindowRows> rows,
                                                    int most) {
  std::vector<std::size_t> order(rows.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return rows[i].count(); });
  const auto full = std::ranges::find_if(order, [&](std::size_t i) { return rows[i].is_full(); });
  std::vector<std::vector<std::size_t>> groups;
  for (std::span<const std::size_t> left : {std::span<const std::size_t>(order.begin(), full),
                                            std::span<const std::size_t>(full, order.end())}) {
    while (!left.empty()) {
      const std::size_t size =
          std::bit_floor(std::min(left.size(), static_cast<std::size_t>(most)));
      groups.emplace_back(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(size));
      left = left.subspan(size);
    }
  }
  return groups;
}

int encoded_rows(std::span<const cpu::WindowRows> rows, std::span<const std::size_t> group) {
  const cpu::WindowRows& longest = rows[group.back()];
  if (longest.is_full()) return 0;
  return rounded_rows(longest.count(), encode_step, longest.positions());
}

void append_rows(std::span<const cpu::WindowRows> rows, std::span<const std::size_t> group,
                 int encoded, std::vector<std::int64_t>& numbers) {
  const auto append = [&](auto number) {
    for (const std::size_t i : group) {
      for (int row = 0; row < encoded; ++row) {
        numbers.push_back(row < rows[i].count() ? number(rows[i], row) : 0);
      }
    }
  };
  append([](const cpu::WindowRows& window, int row) { return window.position(row); });
  append([](const cpu::WindowRows& window, int row) { return window.represented(row); });
}

int read_rows(std::span<const int> counts, int positions) {
  const auto [least, most] = std::ranges::minmax(counts);
  return least == positions ? 0 : rounded_rows(most, read_step, positions);
}

ShortWindows short_windows_of(const ModelDims& dims, const Placement& placement) {
  const bool is_exact = placement.type == ComputeType::float32 && !placement.int8_weights;
  return short_windows_of(dims, is_exact ? cpu::MatrixType::float32 : cpu::MatrixType::bfloat16);
}

}  // namespace engine
