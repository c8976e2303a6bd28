#include "engine/weights/torch_objects.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "engine/weights/byte_reader.h"

namespace engine {
namespace {

using Kind = PickleValue::Kind;

constexpr std::string_view ordered_dict = "collections\nOrderedDict";
constexpr std::string_view rebuild_tensor = "torch._utils\n_rebuild_tensor_v2";
constexpr std::string_view rebuild_parameter = "torch._utils\n_rebuild_parameter";

std::optional<DType> storage_type(std::string_view global) {
  if (global == "torch\nFloatStorage") return DType::f32;
  if (global == "torch\nHalfStorage") return DType::f16;
  if (global == "torch\nBFloat16Storage") return DType::bf16;
  if (global == "torch\nLongStorage") return DType::i64;
  return std::nullopt;
}

[[noreturn]] void malformed(std::string_view what) {
  damaged("pickle: malformed " + std::string(what));
}

std::vector<std::int64_t> tuple_of_integers(const PickleValue& value) {
  if (value.kind != Kind::tuple || value.items.size() > max_tensor_rank) malformed("tensor");
  std::vector<std::int64_t> numbers;
  for (const PickleValue* item : value.items) {
    if (item->kind != Kind::integer || item->integer < 0) malformed("tensor");
    numbers.push_back(item->integer);
  }
  return numbers;
}

// Returns whether the layout is row-major without gaps. The stride of a dimension of size 1 does
// not matter.
bool is_contiguous(const std::vector<std::int64_t>& shape,
                   const std::vector<std::int64_t>& strides) {
  std::int64_t expected = 1;
  for (std::size_t i = shape.size(); i-- > 0;) {
    if (shape[i] != 1 && strides[i] != expected) return false;
    if (__builtin_mul_overflow(expected, shape[i], &expected)) malformed("tensor");
  }
  return true;
}

// `arguments` are (storage, offset, size, stride, requires_grad, hooks[, metadata]).
PickleValue& make_tensor(const std::vector<PickleValue*>& arguments, PickleValue& result) {
  if (arguments.size() < 6 || arguments[0]->kind != Kind::storage ||
      arguments[1]->kind != Kind::integer || arguments[1]->integer < 0) {
    malformed("tensor");
  }
  result.kind = Kind::tensor;
  result.storage = arguments[0];
  result.dtype = arguments[0]->dtype;
  result.integer = arguments[1]->integer;
  result.shape = tuple_of_integers(*arguments[2]);
  const auto strides = tuple_of_integers(*arguments[3]);
  if (strides.size() != result.shape.size()) malformed("tensor");
  if (!is_contiguous(result.shape, strides)) {
    refused("pickle: a tensor " + shape_text(result.shape) + " with strides " +
                shape_text(strides) + " is not contiguous",
            "Call .contiguous() on the tensors before saving them.");
  }
  return result;
}

}  // namespace

void require_known_global(std::string_view global) {
  if (global == ordered_dict || global == rebuild_tensor || global == rebuild_parameter ||
      storage_type(global)) {
    return;
  }
  std::string shown(global);
  std::ranges::replace(shown, '\n', '.');
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) > 0x7e) c = '?';
  }
  refused("pickle: refers to " + shown +
              ", and only tables of float32, float16 and bfloat16 tensors are read",
          "Save the model's state_dict with torch.save, or use a safetensors file.");
}

PickleValue& make_object(std::string_view global, const PickleValue& arguments,
                         PickleValue& result) {
  if (global == ordered_dict) {
    if (!arguments.items.empty()) malformed("OrderedDict");
    result.kind = Kind::dict;
    return result;
  }
  if (global == rebuild_tensor) return make_tensor(arguments.items, result);
  if (global == rebuild_parameter) {
    if (arguments.items.size() != 3 || arguments.items[0]->kind != Kind::tensor) {
      malformed("parameter");
    }
    return *arguments.items[0];
  }
  malformed("call");  // the call of a storage type
}

PickleValue& make_storage(const PickleValue& id, PickleValue& result) {
  const auto& parts = id.items;
  if (id.kind != Kind::tuple || parts.size() < 5 || parts[0]->kind != Kind::text ||
      parts[0]->text != "storage" || parts[1]->kind != Kind::global ||
      parts[2]->kind != Kind::text || parts[4]->kind != Kind::integer || parts[4]->integer < 0) {
    malformed("storage");
  }
  const auto dtype = storage_type(parts[1]->text);
  if (!dtype) malformed("storage");
  if (parts.size() > 5 && parts[5]->kind != Kind::none) {
    refused("pickle: a storage that is a view of another",
            "Load the checkpoint with PyTorch and save it again.");
  }
  result.dtype = *dtype;
  result.text = parts[2]->text;
  result.numel = parts[4]->integer;
  return result;
}

}  // namespace engine
