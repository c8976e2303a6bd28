#include "engine/whisper/torch_model/short_windows.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

namespace engine {
namespace {

using Groups = std::vector<std::vector<std::size_t>>;

constexpr int positions = 1500;

std::vector<cpu::WindowRows> rows_for(const std::vector<int>& frames) {
  std::vector<cpu::WindowRows> rows;
  for (const int count : frames) rows.emplace_back(positions, count);
  return rows;
}

TEST(ShortWindows, RowsHaveTheirPositionsAndTheBiasOfWhatTheyRepresent) {
  const cpu::WindowRows window(positions, 500);
  const ShortRows rows = short_rows(window);
  ASSERT_EQ(rows.positions.sizes(), (std::array<std::int64_t, 2>{1, window.count()}));
  EXPECT_EQ(rows.counts.sum().item<int>(), positions);
  const at::Tensor bias = key_bias(rows)[0];
  for (const int row : {0, 299, 300, window.count() - 1}) {
    EXPECT_EQ(rows.positions[0][row].item<int>(), window.position(row));
    EXPECT_NEAR(bias[row].item<float>(), std::log(window.represented(row)), 1e-6);
  }
}

TEST(ShortWindows, FullAndShortOnesAreEncodedApartAndThoseOfALengthTogether) {
  const auto rows = rows_for({3000, 900, 200, 3000, 500, 3000});
  EXPECT_EQ(encode_groups(rows, 16), (Groups{{2, 4}, {1}, {0, 3}, {5}}));
  EXPECT_EQ(encode_groups(rows, 1), (Groups{{2}, {4}, {1}, {0}, {3}, {5}}));
  EXPECT_EQ(encoded_rows(rows, std::vector<std::size_t>{2, 4}), 448) << "413 rounded up";
  EXPECT_EQ(encoded_rows(rows, std::vector<std::size_t>{0, 3}), 0);
}

TEST(ShortWindows, FewShapesAreReadAndFullOnesWithoutABias) {
  EXPECT_EQ(read_rows(std::vector{413, 280}, positions), 512);
  EXPECT_EQ(read_rows(std::vector{1500, 280}, positions), 1500);
  EXPECT_EQ(read_rows(std::vector{1400}, positions), 1500);
  EXPECT_EQ(read_rows(std::vector{1500, 1500}, positions), 0);
}

TEST(ShortWindows, RowsThatFillUpAWindowRepresentNothing) {
  const auto rows = rows_for({500, 200});
  std::vector<std::int64_t> numbers;
  append_rows(rows, std::vector<std::size_t>{1, 0}, 448, numbers);
  const at::Tensor parts = at::tensor(numbers, at::kLong).view({2, 2, 448});
  const at::Tensor bias = key_bias({parts[0], parts[1]});
  for (const auto& [place, window] : {std::pair{0, 1}, std::pair{1, 0}}) {
    const int count = rows[static_cast<std::size_t>(window)].count();
    EXPECT_EQ(parts[1][place].sum().item<int>(), positions);
    EXPECT_TRUE(at::isneginf(bias[place].narrow(0, count, 448 - count)).all().item<bool>());
    EXPECT_TRUE(at::isfinite(bias[place].narrow(0, 0, count)).all().item<bool>());
  }
}

TEST(ShortWindows, Float32HasThemOnRequestAndOtherTypesAreTried) {
  const ModelDims base{
      .n_audio_state = 512, .n_audio_layer = 6, .n_vocab = 51865, .n_text_layer = 6};
  EXPECT_EQ(short_windows_of(base, {at::kCPU, ComputeType::float32}), ShortWindows::on_request);
  for (const ComputeType type : {ComputeType::float16, ComputeType::bfloat16}) {
    for (const bool int8 : {false, true}) {
      EXPECT_EQ(short_windows_of(base, {at::kCPU, type, int8}), ShortWindows::by_trial);
    }
  }
  ModelDims tiny_en = base;
  tiny_en.n_audio_state = 384;
  tiny_en.n_vocab = 51864;
  EXPECT_EQ(short_windows_of(tiny_en, {at::kCPU, ComputeType::float16}), ShortWindows::on_request);
}

}  // namespace
}  // namespace engine
