#include "engine/weights/tensor.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "tests/engine/whisper/weights/toy_model.h"

namespace {

using engine::DType;
using engine::WeightTensor;

std::vector<float> floats(DType dtype, std::vector<std::int64_t> shape, const std::string& data,
                          const std::string& scales = {}) {
  const WeightTensor tensor{dtype, std::move(shape), toy::bytes(data), toy::bytes(scales)};
  std::vector<float> out(static_cast<std::size_t>(tensor.elements()));
  to_float(tensor, out);
  return out;
}

float half(std::uint16_t bits) {
  std::string data;
  toy::put(data, bits);
  return floats(DType::f16, {1}, data)[0];
}

TEST(HalfPrecision, GivesTheExactValueOfEveryKind) {
  EXPECT_EQ(half(0x3c00), 1.0f);
  EXPECT_EQ(half(0xc000), -2.0f);
  EXPECT_EQ(half(0x7bff), 65504.0f);
  EXPECT_EQ(half(0x0001), std::ldexp(1.0f, -24));
  EXPECT_EQ(half(0x83ff), -std::ldexp(1023.0f, -24));
  EXPECT_EQ(half(0x7c00), std::numeric_limits<float>::infinity());
  EXPECT_EQ(half(0xfc00), -std::numeric_limits<float>::infinity());
  EXPECT_TRUE(std::isnan(half(0x7e00)));
  EXPECT_TRUE(std::signbit(half(0x8000)));
}

TEST(HalfPrecision, AgreesWithTheDefinitionForEveryFiniteNumber) {
  for (unsigned bits = 0; bits < 0x7c00; ++bits) {
    const int exponent = static_cast<int>(bits >> 10);
    const auto mantissa = static_cast<float>(bits & 0x3ff);
    const float expected =
        exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    ASSERT_EQ(half(static_cast<std::uint16_t>(bits)), expected) << bits;
  }
}

TEST(ToFloat, ReadsNumbersAtAnyAlignment) {
  std::string data = "x";
  toy::put(data, 1.5f);
  toy::put(data, -2.25f);
  const WeightTensor tensor{DType::f32, {2}, toy::bytes(data).subspan(1), {}};
  std::vector<float> out(2);
  to_float(tensor, out);
  EXPECT_EQ(out, (std::vector<float>{1.5f, -2.25f}));
}

TEST(ToFloat, WidensBfloat16) {
  std::string data;
  toy::put(data, std::uint16_t{0x3fc0});
  EXPECT_EQ(floats(DType::bf16, {1}, data)[0], 1.5f);
}

TEST(ToFloat, DividesIntegersByTheScaleOfTheirRow) {
  std::string scales;
  toy::put(scales, 2.0f);
  toy::put(scales, 4.0f);
  EXPECT_EQ(floats(DType::i8, {2, 2}, "\x02\xff\x04\x80", scales),
            (std::vector<float>{1.0f, -0.5f, 1.0f, -32.0f}));
  std::string one_scale;
  toy::put(one_scale, 100.0f);
  std::string wide;
  toy::put(wide, std::int16_t{-500});
  toy::put(wide, std::int16_t{250});
  EXPECT_EQ(floats(DType::i16, {2, 1}, wide, one_scale), (std::vector<float>{-5.0f, 2.5f}));
}

// Scale 2 (0x4000 in half precision); number j is j in the low nibbles and 15 - j in the high ones.
std::string nibble_block() {
  std::string nibbles;
  for (int j = 0; j < 16; ++j) nibbles += static_cast<char>(j | (15 - j) << 4);
  return nibbles;
}

TEST(ToFloat, UnpacksQ40AroundEight) {
  const auto out = floats(DType::q4_0, {1, 32}, std::string("\x00\x40", 2) + nibble_block());
  for (int j = 0; j < 16; ++j) {
    EXPECT_EQ(out[static_cast<std::size_t>(j)], 2.0f * static_cast<float>(j - 8));
    EXPECT_EQ(out[static_cast<std::size_t>(j + 16)], 2.0f * static_cast<float>(15 - j - 8));
  }
}

TEST(ToFloat, AddsTheFifthBitOfQ50) {
  std::string block("\x00\x40", 2);
  toy::put(block, std::uint32_t{1u << 3 | 1u << 17});
  const auto out = floats(DType::q5_0, {32}, block + nibble_block());
  EXPECT_EQ(out[0], 2.0f * (0 - 16));
  EXPECT_EQ(out[3], 2.0f * (3 + 16 - 16));
  EXPECT_EQ(out[16], 2.0f * (15 - 16));
  EXPECT_EQ(out[17], 2.0f * (14 + 16 - 16));
}

TEST(ToFloat, AddsTheMinimumOfQ51) {
  std::string block("\x00\x40\x00\xc2", 4);  // scale 2, minimum -3
  toy::put(block, std::uint32_t{1});
  const auto out = floats(DType::q5_1, {32}, block + nibble_block());
  EXPECT_EQ(out[0], 2.0f * 16 - 3);
  EXPECT_EQ(out[1], 2.0f * 1 - 3);
}

TEST(ToFloat, UnpacksBothBlocksOfQ80) {
  std::string data;
  for (const char* scale : {"\x00\x40", "\x00\x3c"}) {
    data += std::string(scale, 2);
    for (int j = 0; j < 32; ++j) data += static_cast<char>(j - 16);
  }
  const auto out = floats(DType::q8_0, {2, 32}, data);
  EXPECT_EQ(out[0], -32.0f);
  EXPECT_EQ(out[31], 30.0f);
  EXPECT_EQ(out[32], -16.0f);
  EXPECT_EQ(out[63], 15.0f);
}

TEST(ToFloat, RefusesAnOutputOfTheWrongSize) {
  const WeightTensor tensor{DType::i8, {2}, {}, {}};
  std::vector<float> out(3);
  EXPECT_THROW(to_float(tensor, out), std::invalid_argument);
}

TEST(ByteSize, CountsBlocksAndSingleNumbers) {
  EXPECT_EQ(engine::byte_size("t", DType::f32, std::vector<std::int64_t>{}), 4u);
  EXPECT_EQ(engine::byte_size("t", DType::f16, std::vector<std::int64_t>{3, 5}), 30u);
  EXPECT_EQ(engine::byte_size("t", DType::q5_1, std::vector<std::int64_t>{3, 64}), 144u);
}

TEST(ByteSize, RefusesShapesThatOverflowOrSplitABlock) {
  for (const std::vector<std::int64_t>& shape :
       {std::vector<std::int64_t>{-1}, {1LL << 32, 1LL << 32}, {1LL << 62, 1}}) {
    const auto error = toy::error_of([&] { engine::byte_size("some.weight", DType::f32, shape); });
    EXPECT_EQ(error.code, engine::Errc::damaged_model);
    EXPECT_NE(error.message.find("some.weight: impossible shape"), std::string::npos);
  }
  const auto error = toy::error_of([] {
    engine::byte_size("t", DType::q4_0, std::vector<std::int64_t>{2, 33});
  });
  EXPECT_NE(error.message.find("[2, 33]"), std::string::npos);
}

TEST(Rows, TakesTheDataAndTheScalesOfTheRows) {
  const std::string data = "abcdef";
  std::string scales;
  for (const float scale : {1.0f, 2.0f, 3.0f}) toy::put(scales, scale);
  const WeightTensor tensor{DType::i8, {3, 2}, toy::bytes(data), toy::bytes(scales)};
  const WeightTensor part = rows(tensor, 1, 2);
  EXPECT_EQ(part.shape, (std::vector<std::int64_t>{2, 2}));
  EXPECT_EQ(part.data.data(), tensor.data.data() + 2);
  EXPECT_EQ(part.data.size(), 4u);
  EXPECT_EQ(part.scales.data(), tensor.scales.data() + 4);
  EXPECT_EQ(part.scales.size(), 8u);
}

}  // namespace
