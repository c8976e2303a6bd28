#include <gtest/gtest.h>

#include "engine/whisper/weights/readers.h"
#include "tests/engine/whisper/weights/toy_model.h"

namespace {

using engine::Errc;

engine::Error ggml_error(const std::string& file) {
  return toy::error_of([&] { engine::parse_ggml(toy::bytes(file)); });
}

// A file of no tensors, and one tensor's head.
std::string tensor_head(std::int32_t rank, std::int32_t name_bytes, std::int32_t type) {
  std::string out = toy::ggml_file({});
  for (const auto number : {rank, name_bytes, type}) toy::put(out, number);
  return out;
}

TEST(Ggml, GivesTensorsDimensionsAndTokens) {
  const auto toy_tensors = toy::tensors();
  const std::string file = toy::ggml_file(toy_tensors);
  const auto model = engine::parse_ggml(toy::bytes(file));
  toy::expect_same(model.tensors, toy_tensors);
  EXPECT_EQ(model.declared_dims, toy::dims());
  EXPECT_EQ(model.token_bytes, (std::vector<std::string>{"a", "\xc3\xa9\n"}));
}

TEST(Ggml, ReadsDimensionsWithTheFastestFirst) {
  std::string file = tensor_head(2, 1, 8);
  toy::put(file, 64);
  toy::put(file, 3);
  file += "t" + std::string(3 * 2 * 34, '\0');
  const auto model = engine::parse_ggml(toy::bytes(file));
  EXPECT_EQ(model.tensors.at("t").shape, (std::vector<std::int64_t>{3, 64}));
  EXPECT_EQ(model.tensors.at("t").dtype, engine::DType::q8_0);
}

TEST(Ggml, ReadsSuperBlocksOf256Numbers) {
  std::string file = tensor_head(2, 1, 12);
  toy::put(file, 512);
  toy::put(file, 3);
  const auto model = engine::parse_ggml(toy::bytes(file += "t" + std::string(3 * 2 * 144, '\0')));
  EXPECT_EQ(model.tensors.at("t").dtype, engine::DType::q4_k);
  std::string odd = tensor_head(2, 1, 12);
  toy::put(odd, 384);
  toy::put(odd, 3);
  EXPECT_NE(ggml_error(odd + "t").message.find("q4_K needs rows of a multiple of 256 numbers"),
            std::string::npos);
}

TEST(Ggml, RefusesTypesThatItDoesNotKnow) {
  std::string file = tensor_head(1, 1, 16);
  toy::put(file, 256);
  const auto error = ggml_error(file + "t");
  EXPECT_EQ(error.code, Errc::refused_model);
  EXPECT_NE(error.message.find("t: ggml type 16"), std::string::npos);
}

TEST(Ggml, RefusesHeadsThatMakeNoSense) {
  for (const auto& [rank, name_bytes] : {std::pair{0, 1}, {5, 1}, {-1, 1}, {1, 0}, {1, 257}}) {
    EXPECT_NE(ggml_error(tensor_head(rank, name_bytes, 0) + std::string(64, 'x'))
                  .message.find("no tensor at offset"),
              std::string::npos);
  }
}

TEST(Ggml, RefusesNegativeAndHugeDimensions) {
  for (const std::int32_t dimension : {-1, INT32_MAX}) {
    std::string file = tensor_head(4, 1, 0);
    for (int i = 0; i < 4; ++i) toy::put(file, dimension);
    EXPECT_NE(ggml_error(file + "t").message.find("t: impossible shape"), std::string::npos);
  }
}

TEST(Ggml, RefusesATensorThatAppearsTwice) {
  std::string tensor;
  for (const int number : {1, 1, 0, 1}) toy::put(tensor, number);
  tensor += "t" + std::string(4, '\0');
  EXPECT_NE(ggml_error(toy::ggml_file({}) + tensor + tensor).message.find("t: appears twice"),
            std::string::npos);
}

TEST(Ggml, TellsTruncationWhereverItHappens) {
  const std::string file = toy::ggml_file(toy::tensors());
  const std::size_t before_tensors = toy::ggml_file({}).size();
  for (std::size_t size = 0; size < before_tensors; ++size) {
    EXPECT_EQ(ggml_error(file.substr(0, size)).code, Errc::damaged_model) << size;
  }
  EXPECT_NE(ggml_error(file.substr(0, file.size() - 1)).message.find("truncated"),
            std::string::npos);
}

}  // namespace
