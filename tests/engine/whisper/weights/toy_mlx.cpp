#include "tests/engine/whisper/weights/toy_model.h"

namespace toy {
namespace {

ZipMember npy(const std::string& name, const std::string& descr,
              const std::vector<std::int64_t>& shape, const std::string& data) {
  std::string dimensions;
  for (const std::int64_t n : shape) dimensions += std::to_string(n) + ", ";
  const std::string header =
      "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (" + dimensions + "), }\n";
  std::string out = "\x93NUMPY\x01";
  out += '\0';
  put(out, static_cast<std::uint16_t>(header.size()));
  return {name + ".npy", out + header + data};
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

// Any words and factors are numbers.
void put_groups(std::vector<ZipMember>& members, const std::string& layer,
                const std::vector<std::int64_t>& shape) {
  const std::int64_t groups = shape[1] / 32;
  const auto bytes_of = [&](std::int64_t columns, std::int64_t each) {
    return std::string(static_cast<std::size_t>(shape[0] * columns * each), '\x21');
  };
  members.push_back(npy(layer + ".weight", "<u4", {shape[0], 4 * groups}, bytes_of(4 * groups, 4)));
  members.push_back(npy(layer + ".scales", "<f2", {shape[0], groups}, bytes_of(groups, 2)));
  members.push_back(npy(layer + ".biases", "<f2", {shape[0], groups}, bytes_of(groups, 2)));
}

}  // namespace

std::string mlx_file(const Tensors& tensors) {
  std::vector<ZipMember> members;
  for (const auto& [openai_name, tensor] : tensors) {
    if (openai_name == "encoder.positional_embedding") continue;
    const std::string name =
        replaced(replaced(openai_name, ".mlp.0.", ".mlp1."), ".mlp.2.", ".mlp2.");
    auto shape = tensor.shape;
    if (shape.size() == 3) std::swap(shape[1], shape[2]);
    if (name == "decoder.blocks.0.mlp2.weight" && shape[1] % 32 == 0) {
      put_groups(members, "decoder.blocks.0.mlp2", shape);
    } else {
      members.push_back(npy(name, "<f2", shape, encode(tensor.values, engine::DType::f16)));
    }
  }
  std::string heads;
  for (int i = 0; i < 2; ++i) put(heads, std::int64_t{0});
  members.push_back(npy("alignment_heads", "<i8", {1, 2}, heads));
  return zip_file(members);
}

}  // namespace toy
