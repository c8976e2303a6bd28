#include "engine/weights/safetensors.h"

#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <utility>

#include "engine/weights/byte_reader.h"
#include "protocol/json_parse.h"

// safetensors: the length of a JSON header (64 bits), the header
// {name: {dtype, shape, data_offsets: [begin, end]}}, and the data that the offsets count in.
namespace engine {
namespace {

using Json = nlohmann::json;

// These limits are above the largest models' headers, which have some hundred kilobytes and less
// than 20,000 values.
constexpr std::uint64_t max_header_bytes = 16u << 20;
constexpr protocol::json::Limits limits{.depth = 4, .values = 200'000};
constexpr std::size_t max_name_bytes = 4096;
constexpr std::size_t max_shards = 1000;

// Checks that each name of an object occurs once.
class Names final : public nlohmann::json_sax<Json> {
 public:
  bool key(string_t& name) override {
    if (name.size() > max_name_bytes)
      damaged("a name of " + std::to_string(name.size()) + " bytes");
    if (depth_ == 1 && !seen_.insert(name).second) damaged(name + ": appears twice");
    return true;
  }
  bool start_object(std::size_t) override { return ++depth_ > 0; }
  bool end_object() override { return --depth_ >= 0; }
  bool start_array(std::size_t) override { return ++depth_ > 0; }
  bool end_array() override { return --depth_ >= 0; }
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override {
    return false;
  }

 private:
  std::set<std::string> seen_;
  int depth_ = 0;
};

// Parses an object without repeated names. JSON allows a name twice and the last one wins, but in a
// table of tensors that is damage.
Json parse_object(std::string_view text, const std::string& what) {
  auto object = protocol::json::parse_object(text, limits);
  if (!object) damaged(what + ": " + object.error().message);
  Names names;
  Json::sax_parse(text, &names);
  return *std::move(object);
}

DType dtype_of(const std::string& name, const Json& entry) {
  const auto found = entry.find("dtype");
  const std::string word =
      found != entry.end() && found->is_string() ? found->get<std::string>() : "nothing";
  if (word == "F32") return DType::f32;
  if (word == "F16") return DType::f16;
  if (word == "BF16") return DType::bf16;
  // MLX's packed words, and its list of alignment heads.
  if (word == "U32") return DType::u32;
  if (word == "I32") return DType::i32;
  if (word == "I64") return DType::i64;
  refused(name + ": numbers of type " + word.substr(0, 32) + ", known are F32, F16 and BF16",
          "Use the float16, bfloat16 or float32 files of the model.");
}

// Reads a list of whole numbers, each below 2^63.
std::vector<std::int64_t> integers(const std::string& name, const Json& entry, const char* key) {
  const auto found = entry.find(key);
  if (found == entry.end() || !found->is_array() || found->size() > max_tensor_rank) {
    damaged(name + ": bad " + key);
  }
  std::vector<std::int64_t> numbers;
  for (const Json& number : *found) {
    if (!number.is_number_unsigned() || number.get<std::uint64_t>() > INT64_MAX) {
      damaged(name + ": bad " + key);
    }
    numbers.push_back(number.get<std::int64_t>());
  }
  return numbers;
}

WeightTensor tensor_of(const std::string& name, const Json& entry,
                       std::span<const std::byte> data) {
  if (!entry.is_object()) damaged(name + ": is not an object");
  WeightTensor tensor;
  tensor.dtype = dtype_of(name, entry);
  tensor.shape = integers(name, entry, "shape");
  const auto offsets = integers(name, entry, "data_offsets");
  if (offsets.size() != 2 || offsets[0] > offsets[1]) damaged(name + ": bad data_offsets");
  const auto begin = static_cast<std::size_t>(offsets[0]);
  const auto end = static_cast<std::size_t>(offsets[1]);
  if (end > data.size()) {
    damaged(name + ": truncated: ends at byte " + std::to_string(end) + " of " +
            std::to_string(data.size()));
  }
  if (end - begin != byte_size(name, tensor.dtype, tensor.shape)) {
    damaged(name + ": expected " + std::to_string(byte_size(name, tensor.dtype, tensor.shape)) +
            " bytes, got " + std::to_string(end - begin));
  }
  tensor.data = data.subspan(begin, end - begin);
  return tensor;
}

}  // namespace

TensorTable parse_safetensors(std::span<const std::byte> file) {
  ByteReader reader(file, "safetensors");
  const auto header_bytes = reader.read<std::uint64_t>();
  if (header_bytes > max_header_bytes) {
    damaged("safetensors: a header of " + std::to_string(header_bytes) + " bytes");
  }
  const Json header = parse_object(reader.text(header_bytes), "safetensors header");
  const auto data = reader.take(reader.remaining());
  TensorTable tensors;
  for (const auto& [name, entry] : header.items()) {
    if (name == "__metadata__") continue;
    tensors.emplace(name, tensor_of(name, entry, data));
  }
  return tensors;
}

std::vector<std::string> parse_shard_index(std::string_view json) {
  if (json.size() > max_header_bytes) damaged("index of shards: too large");
  const Json index = parse_object(json, "index of shards");
  const auto map = index.find("weight_map");
  if (map == index.end() || !map->is_object() || map->empty()) {
    damaged("index of shards: has no weight_map");
  }
  std::set<std::string> files;
  for (const auto& [tensor, file] : map->items()) {
    const std::string name = file.is_string() ? file.get<std::string>() : "";
    // Only names in the index's folder are allowed: a model must not reach files elsewhere.
    if (name.empty() || name == "." || name == ".." || name.find('/') != name.npos ||
        name.find('\0') != name.npos) {
      damaged(tensor + ": the index names no file in its own folder");
    }
    files.insert(name);
  }
  if (files.size() > max_shards) damaged("index of shards: too many files");
  return {files.begin(), files.end()};
}

}  // namespace engine
