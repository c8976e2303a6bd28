#include "engine/weights/gguf.h"

#include <gtest/gtest.h>

#include "engine/weights/mapped_file.h"
#include "tests/engine/whisper/weights/toy_model.h"

namespace {

using engine::DType;
using engine::Errc;

// Written by the packages gguf and ggml themselves: see data/make_fixtures.py.
engine::MappedFile types_file() {
  return engine::MappedFile(std::string(SCRIBED_SOURCE_DIR) +
                            "/tests/engine/weights/data/types.gguf");
}

engine::Error gguf_error(const std::string& file) {
  return toy::error_of([&] { engine::parse_gguf(toy::bytes(file)); });
}

TEST(Gguf, GivesTheNumbersThatGgmlReadsInEveryQuantisedType) {
  const auto file = types_file();
  const auto content = engine::parse_gguf(file.bytes());
  const std::pair<const char*, DType> types[]{
      {"Q4_0", DType::q4_0}, {"Q4_1", DType::q4_1}, {"Q5_0", DType::q5_0}, {"Q5_1", DType::q5_1},
      {"Q8_0", DType::q8_0}, {"Q2_K", DType::q2_k}, {"Q3_K", DType::q3_k}, {"Q4_K", DType::q4_k},
      {"Q5_K", DType::q5_k}, {"Q6_K", DType::q6_k}, {"Q8_K", DType::q8_k}};
  for (const auto& [name, dtype] : types) {
    const engine::WeightTensor& tensor = content.tensors.at(name);
    EXPECT_EQ(tensor.dtype, dtype) << name;
    EXPECT_EQ(tensor.shape, (std::vector<std::int64_t>{1, 256})) << name;
    std::vector<float> numbers(256);
    std::vector<float> expected(256);
    to_float(tensor, numbers);
    to_float(content.tensors.at(std::string(name) + ".numbers"), expected);
    // A CPU that multiplies and adds in one step rounds once where ggml rounds twice.
    for (std::size_t i = 0; i < 256; ++i) ASSERT_NEAR(numbers[i], expected[i], 1e-7) << name << i;
  }
}

TEST(Gguf, GivesTheValuesByTheirKind) {
  const auto file = types_file();
  const auto content = engine::parse_gguf(file.bytes());
  EXPECT_EQ(content.texts.at("general.architecture"), "numbers");
  EXPECT_EQ(content.numbers.at("numbers.count"), 256u);
  EXPECT_EQ(content.numbers.at("numbers.random"), 1u);
  EXPECT_FALSE(content.numbers.contains("numbers.negative"));
  EXPECT_EQ(content.lists.at("numbers.names").size(), 11u);
  EXPECT_EQ(content.lists.at("numbers.names")[10], "Q8_K");
  EXPECT_FALSE(content.lists.contains("numbers.seeds"));
}

TEST(Gguf, ReadsDimensionsWithTheFastestFirst) {
  const std::string file = toy::gguf_file({}, {{"t", {{2, 3}, {0, 1, 2, 3, 4, 5}}}});
  const auto content = engine::parse_gguf(toy::bytes(file));
  EXPECT_EQ(content.tensors.at("t").shape, (std::vector<std::int64_t>{2, 3}));
  std::vector<float> numbers(6);
  to_float(content.tensors.at("t"), numbers);
  EXPECT_EQ(numbers, (std::vector<float>{0, 1, 2, 3, 4, 5}));
}

TEST(Gguf, AlignsItsDataAsTheFileSays) {
  const std::string file =
      toy::gguf_file({toy::gguf_number("general.alignment", 128)}, {{"t", {{1}, {1.5f}}}}, 128);
  const auto content = engine::parse_gguf(toy::bytes(file));
  std::vector<float> number(1);
  to_float(content.tensors.at("t"), number);
  EXPECT_EQ(number[0], 1.5f);
  for (const std::uint32_t alignment : {0u, 3u, 1u << 30}) {
    const auto error =
        gguf_error(toy::gguf_file({toy::gguf_number("general.alignment", alignment)}, {}));
    EXPECT_NE(error.message.find("general.alignment"), std::string::npos) << alignment;
  }
}

TEST(Gguf, RefusesVersionsThatItDoesNotKnow) {
  std::string file = toy::gguf_file({}, {});
  file[4] = 1;
  EXPECT_EQ(gguf_error(file).code, Errc::refused_model);
  EXPECT_NE(gguf_error(file).message.find("version 1"), std::string::npos);
  file.replace(4, 4, std::string("\0\0\0\x03", 4));
  EXPECT_NE(gguf_error(file).message.find("big-endian"), std::string::npos);
}

TEST(Gguf, RefusesTypesThatItDoesNotKnow) {
  std::string file = toy::gguf_file({}, {{"t", {{1}, {0}}}});
  file[file.find('t', 24) + 1 + 4 + 8] = 16;  // behind the name: the rank and one dimension
  const auto error = gguf_error(file);
  EXPECT_EQ(error.code, Errc::refused_model);
  EXPECT_NE(error.message.find("t: ggml type 16"), std::string::npos) << error.message;
}

TEST(Gguf, RefusesWhatAppearsTwice) {
  const auto value = toy::gguf_number("one.key", 1);
  EXPECT_NE(gguf_error(toy::gguf_file({value, value}, {})).message.find("one.key: appears twice"),
            std::string::npos);
}

TEST(Gguf, RefusesHugeCounts) {
  for (const std::size_t at : {8u, 16u}) {  // of tensors, of values
    std::string file = toy::gguf_file({}, {});
    file[at + 7] = 1;
    EXPECT_EQ(gguf_error(file).code, Errc::damaged_model) << at;
  }
}

TEST(Gguf, TellsTruncationWhereverItHappens) {
  const std::string file = toy::gguf_file({toy::gguf_number("one.key", 1)}, {{"t", {{2}, {0, 1}}}});
  for (std::size_t size = 0; size < file.size(); ++size) {
    EXPECT_EQ(gguf_error(file.substr(0, size)).code, Errc::damaged_model) << size;
  }
}

}  // namespace
