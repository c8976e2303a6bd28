#include "engine/weights/npz.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "engine/weights/byte_reader.h"
#include "engine/weights/zip_archive.h"

// A .npz is a zip archive of .npy files: magic, version, the length of a header, and the header, a
// dict as Python writes it: {'descr': '<f2', 'fortran_order': False, 'shape': (80, 3), }.
namespace engine {
namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";
constexpr std::string_view npy_ending = ".npy";
constexpr std::size_t max_npy_header = 1 << 16;

struct Descr {
  std::string_view name;
  DType dtype;
};
// MLX writes bfloat16, which NumPy lacks, as two bytes of no type.
constexpr std::array known_descrs{Descr{"<f4", DType::f32},  Descr{"<f2", DType::f16},
                                  Descr{"<V2", DType::bf16}, Descr{"|V2", DType::bf16},
                                  Descr{"<u4", DType::u32},  Descr{"<i4", DType::i32},
                                  Descr{"<i8", DType::i64}};

// Returns what follows `'key':` in the dict, without spaces.
std::string_view value_of(const std::string& name, std::string_view header, std::string_view key) {
  const std::string quoted = "'" + std::string(key) + "':";
  const std::size_t at = header.find(quoted);
  if (at == header.npos) damaged(name + ": has no " + std::string(key));
  header.remove_prefix(at + quoted.size());
  const std::size_t begin = header.find_first_not_of(' ');
  return begin == header.npos ? std::string_view() : header.substr(begin);
}

DType dtype_of_array(const std::string& name, std::string_view header) {
  std::string_view value = value_of(name, header, "descr");
  value.remove_prefix(value.starts_with('\'') ? 1 : value.size());
  value = value.substr(0, std::min(value.find('\''), std::size_t{16}));
  for (const Descr& descr : known_descrs) {
    if (descr.name == value) return descr.dtype;
  }
  refused(name + ": numbers of NumPy's type " + std::string(value) +
              ", known are <f4, <f2, <V2 (bfloat16), <u4, <i4 and <i8",
          "Save the model in float16.");
}

std::vector<std::int64_t> shape_of_array(const std::string& name, std::string_view header) {
  std::string_view value = value_of(name, header, "shape");
  if (!value.starts_with('(') || value.find(')') == value.npos) damaged(name + ": bad shape");
  value = value.substr(1, value.find(')') - 1);
  std::vector<std::int64_t> shape;
  while (!value.empty()) {
    if (value[0] == ' ' || value[0] == ',') {
      value.remove_prefix(1);
      continue;
    }
    std::int64_t dimension = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), dimension);
    if (error != std::errc() || dimension < 0 || shape.size() == max_tensor_rank) {
      damaged(name + ": bad shape");
    }
    shape.push_back(dimension);
    value.remove_prefix(static_cast<std::size_t>(end - value.data()));
  }
  return shape;
}

WeightTensor read_array(const std::string& name, std::span<const std::byte> bytes) {
  ByteReader reader(bytes, name);
  if (reader.text(npy_magic.size()) != npy_magic) damaged(name + ": is no .npy file");
  const auto version = reader.read<std::uint8_t>();
  reader.take(1);  // the minor version
  const std::size_t length =
      version == 1 ? reader.read<std::uint16_t>() : reader.read<std::uint32_t>();
  if (length > max_npy_header) damaged(name + ": a header of " + std::to_string(length) + " bytes");
  const std::string_view header = reader.text(length);
  WeightTensor tensor;
  tensor.dtype = dtype_of_array(name, header);
  tensor.shape = shape_of_array(name, header);
  // A single row or column is the same in either order, and MLX calls its own Fortran's.
  const auto several = std::ranges::count_if(tensor.shape, [](std::int64_t n) { return n > 1; });
  tensor.fortran_order = several > 1 && value_of(name, header, "fortran_order").starts_with("True");
  if (tensor.fortran_order && !is_count(tensor.dtype)) {
    refused(name + ": is stored in Fortran's order",
            "Save the model again from contiguous arrays (mlx.core.contiguous).");
  }
  tensor.data = reader.take(byte_size(name, tensor.dtype, tensor.shape));
  return tensor;
}

}  // namespace

bool looks_like_npz(std::span<const std::byte> file) {
  constexpr std::size_t name_length_at = 26;  // in the first member's header
  constexpr std::size_t name_at = 30;
  if (file.size() < name_at || !as_text(file).starts_with("PK\x03\x04")) return false;
  const std::size_t length = load_unaligned<std::uint16_t>(file.data() + name_length_at);
  return file.size() - name_at >= length &&
         as_text(file.subspan(name_at, length)).ends_with(npy_ending);
}

TensorTable parse_npz(std::span<const std::byte> file) {
  TensorTable tensors;
  for (const auto& [name, member] : read_zip(file)) {
    if (!name.ends_with(npy_ending)) damaged("npz: holds " + name + ", which is no array");
    if (member.deflated) {
      refused("npz: " + name + " is compressed", "Save the model with savez, which does not pack.");
    }
    const std::string array = name.substr(0, name.size() - npy_ending.size());
    tensors.emplace(array, read_array(array, member.packed));
  }
  return tensors;
}

}  // namespace engine
