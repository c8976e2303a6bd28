#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

// ONNX files written by hand.
namespace onnx_file {

inline std::string varint(std::uint64_t value) {
  std::string bytes;
  for (; value >= 0x80; value >>= 7) bytes += static_cast<char>(value | 0x80);
  return bytes + static_cast<char>(value);
}

inline std::string number(int field, std::uint64_t value) {
  return varint(static_cast<std::uint64_t>(field) << 3) + varint(value);
}

inline std::string bytes(int field, const std::string& content) {
  return varint(static_cast<std::uint64_t>(field) << 3 | 2) + varint(content.size()) + content;
}

struct Tensor {
  std::string name;
  std::vector<std::int64_t> shape;
  std::vector<float> values;
};

inline std::string raw(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

inline std::string tensor(const Tensor& t) {
  std::string message;
  for (const auto dim : t.shape) message += number(1, static_cast<std::uint64_t>(dim));
  return message + number(2, 1) + bytes(8, t.name) + bytes(9, raw(t.values));
}

// Makes a model file, with other fields that no reader of weights needs.
inline std::string model(const std::vector<std::string>& tensors) {
  std::string graph = bytes(1, "a node") + bytes(2, "name of the graph");
  for (const auto& message : tensors) graph += bytes(5, message);
  return number(1, 8) + bytes(2, "maker") + bytes(7, graph);
}

}  // namespace onnx_file
