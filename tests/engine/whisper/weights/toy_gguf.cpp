#include "tests/engine/whisper/weights/toy_model.h"

namespace toy {
namespace {

void put_text(std::string& out, const std::string& text) {
  put(out, static_cast<std::uint64_t>(text.size()));
  out += text;
}

void pad(std::string& out, std::size_t alignment) {
  while (out.size() % alignment != 0) out += '\0';
}

}  // namespace

std::string gguf_number(const std::string& key, std::uint32_t number) {
  std::string out;
  put_text(out, key);
  put(out, std::uint32_t{4});
  put(out, number);
  return out;
}

std::string gguf_text(const std::string& key, const std::string& text) {
  std::string out;
  put_text(out, key);
  put(out, std::uint32_t{8});
  put_text(out, text);
  return out;
}

std::string gguf_texts(const std::string& key, const std::vector<std::string>& texts) {
  std::string out;
  put_text(out, key);
  put(out, std::uint32_t{9});
  put(out, std::uint32_t{8});
  put(out, static_cast<std::uint64_t>(texts.size()));
  for (const std::string& text : texts) put_text(out, text);
  return out;
}

std::string gguf_file(const std::vector<std::string>& values, const Tensors& tensors,
                      std::size_t alignment) {
  std::string out = "GGUF";
  put(out, std::uint32_t{3});
  put(out, static_cast<std::uint64_t>(tensors.size()));
  put(out, static_cast<std::uint64_t>(values.size()));
  for (const std::string& value : values) out += value;
  std::string data;
  for (const auto& [name, tensor] : tensors) {
    pad(data, alignment);
    put_text(out, name);
    put(out, static_cast<std::uint32_t>(tensor.shape.size()));
    for (auto n = tensor.shape.rbegin(); n != tensor.shape.rend(); ++n) put(out, *n);
    put(out, std::uint32_t{0});
    put(out, static_cast<std::uint64_t>(data.size()));
    data += encode(tensor.values, engine::DType::f32);
  }
  if (!tensors.empty()) pad(out, alignment);
  return out + data;
}

}  // namespace toy
