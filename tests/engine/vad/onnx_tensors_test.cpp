#include "engine/vad/onnx_tensors.h"

#include <gtest/gtest.h>

#include "engine/error.h"
#include "tests/engine/vad/onnx_file.h"

namespace engine {
namespace {

std::span<const std::byte> bytes_of(const std::string& file) {
  return std::as_bytes(std::span(file.data(), file.size()));
}

std::string damage(const std::string& file) {
  try {
    read_onnx_tensors(bytes_of(file));
    return "";
  } catch (const Exception& e) {
    EXPECT_EQ(e.error.code, Errc::damaged_model);
    return e.error.message;
  }
}

TEST(OnnxTensors, AreReadByName) {
  const std::string file = onnx_file::model(
      {onnx_file::tensor({"a", {2, 3}, {1, 2, 3, 4, 5, 6}}), onnx_file::tensor({"b", {}, {7}})});
  const TensorTable tensors = read_onnx_tensors(bytes_of(file));
  ASSERT_EQ(tensors.size(), 2u);
  EXPECT_EQ(tensors.at("a").shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(tensors.at("b").elements(), 1);
  std::vector<float> values(6);
  to_float(tensors.at("a"), values);
  EXPECT_EQ(values, (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(OnnxTensors, HaveDimensionsAsOnePackedListToo) {
  const std::string message = onnx_file::bytes(1, std::string("\x02\x01", 2)) +
                              onnx_file::number(2, 1) + onnx_file::bytes(8, "packed") +
                              onnx_file::bytes(9, onnx_file::raw({1, 2}));
  const std::string file = onnx_file::model({message});
  EXPECT_EQ(read_onnx_tensors(bytes_of(file)).at("packed").shape,
            (std::vector<std::int64_t>{2, 1}));
}

TEST(OnnxTensors, OfOtherTypesAreLeftOut) {
  const std::string message = onnx_file::number(1, 1) + onnx_file::number(2, 7) +
                              onnx_file::bytes(8, "int64") +
                              onnx_file::bytes(9, std::string(8, '\1'));
  EXPECT_TRUE(read_onnx_tensors(bytes_of(onnx_file::model({message}))).empty());
}

TEST(OnnxTensors, ThatMakeNoSenseAreDamage) {
  const auto one = onnx_file::tensor({"a", {2}, {1, 2}});
  struct Case {
    std::string file;
    std::string says;
  };
  const Case cases[] = {
      {onnx_file::model({one, one}), "appears twice"},
      {onnx_file::model({onnx_file::tensor({"a", {3}, {1, 2}})}), "expected 12 bytes, got 8"},
      {onnx_file::model({onnx_file::tensor({"a", {-2}, {1, 2}})}), "a: "},
      {onnx_file::model({onnx_file::tensor({"a", {INT64_MAX, INT64_MAX}, {1}})}), "a: "},
      {onnx_file::model({onnx_file::tensor({"a", {1, 1, 1, 1, 1, 1, 1, 1, 1}, {1}})}),
       "dimensions"},
      {std::string(11, '\xff'), "64 bits"},
      {"{\"not\": \"ONNX\"}", "no protobuf"},
  };
  for (const Case& c : cases) EXPECT_NE(damage(c.file).find(c.says), std::string::npos) << c.says;
}

TEST(OnnxTensors, OfATruncatedFileAreDamageOrNone) {
  const std::string file = onnx_file::model({onnx_file::tensor({"a", {2}, {1, 2}})});
  for (std::size_t size = 0; size < file.size(); ++size) {
    const std::string cut(file, 0, size);
    if (damage(cut).empty()) {
      EXPECT_TRUE(read_onnx_tensors(bytes_of(cut)).empty()) << size;
    }
  }
}

}  // namespace
}  // namespace engine
