#include "engine/vad/onnx_tensors.h"

#include <cstdint>
#include <string>
#include <utility>

#include "engine/weights/byte_reader.h"

// An ONNX file is a protobuf message. Field numbers are those of onnx.proto; "Protocol Buffers:
// Encoding" describes the bytes of messages.
namespace engine {
namespace {

constexpr std::uint64_t model_graph = 7;
constexpr std::uint64_t graph_initializer = 5;
constexpr std::uint64_t tensor_dims = 1;
constexpr std::uint64_t tensor_data_type = 2;
constexpr std::uint64_t tensor_name = 8;
constexpr std::uint64_t tensor_raw_data = 9;
constexpr std::uint64_t type_float = 1;
constexpr std::size_t max_rank = 8;

struct Field {
  std::uint64_t number = 0;
  std::uint64_t value = 0;           // value of a varint
  std::span<const std::byte> bytes;  // content of a text, bytes, a message or a packed list
};

std::uint64_t read_varint(ByteReader& reader) {
  std::uint64_t value = 0;
  for (int shift = 0; shift < 64; shift += 7) {
    const auto byte = reader.read<std::uint8_t>();
    value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return value;
  }
  damaged("ONNX: a number of more than 64 bits");
}

Field read_field(ByteReader& reader) {
  const std::uint64_t key = read_varint(reader);
  Field field{key >> 3, 0, {}};
  switch (key & 7) {
    case 0:
      field.value = read_varint(reader);
      break;
    case 1:
      reader.take(8);
      break;
    case 2:
      field.bytes = reader.take(read_varint(reader));
      break;
    case 5:
      reader.take(4);
      break;
    default:
      damaged("ONNX: no protobuf message");
  }
  return field;
}

template <class Visit>
void for_each_field(std::span<const std::byte> message, const Visit& visit) {
  ByteReader reader(message, "ONNX");
  while (reader.remaining() > 0) visit(read_field(reader));
}

// Writers give the dimensions one by one or as one packed list.
void add_dims(const Field& field, std::vector<std::int64_t>& shape) {
  const auto add = [&](std::uint64_t dim) {
    if (shape.size() == max_rank) damaged("ONNX: a tensor of too many dimensions");
    shape.push_back(static_cast<std::int64_t>(dim));
  };
  if (field.bytes.empty()) return add(field.value);
  ByteReader packed(field.bytes, "ONNX");
  while (packed.remaining() > 0) add(read_varint(packed));
}

void add_tensor(std::span<const std::byte> message, TensorTable& tensors) {
  WeightTensor tensor;
  std::string name;
  std::uint64_t type = 0;
  for_each_field(message, [&](const Field& field) {
    if (field.number == tensor_dims) add_dims(field, tensor.shape);
    if (field.number == tensor_data_type) type = field.value;
    if (field.number == tensor_name) name = as_text(field.bytes);
    if (field.number == tensor_raw_data) tensor.data = field.bytes;
  });
  if (type != type_float) return;
  const std::size_t size = byte_size(name, DType::f32, tensor.shape);
  if (tensor.data.size() != size) {
    damaged(name + ": expected " + std::to_string(size) + " bytes, got " +
            std::to_string(tensor.data.size()));
  }
  if (!tensors.emplace(name, std::move(tensor)).second) damaged(name + ": appears twice");
}

}  // namespace

TensorTable read_onnx_tensors(std::span<const std::byte> file) {
  TensorTable tensors;
  for_each_field(file, [&](const Field& in_model) {
    if (in_model.number != model_graph) return;
    for_each_field(in_model.bytes, [&](const Field& in_graph) {
      if (in_graph.number == graph_initializer) add_tensor(in_graph.bytes, tensors);
    });
  });
  return tensors;
}

}  // namespace engine
