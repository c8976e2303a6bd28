#include "engine/weights/gguf.h"

#include <array>
#include <bit>

#include "engine/weights/byte_reader.h"
#include "engine/weights/ggml_blocks.h"

// GGUF: magic, version, the counts of tensors and of values; values {key, type, value}; tensors
// {name, rank, dimensions with the fastest first, type, offset}; padding; the data that the offsets
// count in. Texts are counted in 64 bits.
namespace engine {
namespace {

constexpr std::uint32_t gguf_magic = 0x46554747;  // "GGUF"
constexpr std::uint32_t oldest_gguf = 2;          // below it, counts have 32 bits
constexpr std::uint32_t newest_gguf = 3;
constexpr std::uint64_t max_gguf_entries = 100'000;
constexpr std::uint64_t max_gguf_name = 4096;
constexpr std::uint64_t max_list = 1 << 20;
constexpr std::uint32_t max_gguf_rank = 4;
constexpr std::uint64_t default_alignment = 32;
constexpr std::uint64_t max_alignment = 1 << 20;

constexpr std::uint32_t boolean_value = 7, text_value = 8, list_value = 9, first_unknown = 13;
// Bytes of a value by its type; zero for those that are counted.
constexpr std::array<std::size_t, first_unknown> value_sizes{1, 1, 2, 2, 4, 4, 4, 1, 0, 0, 8, 8, 8};
// Types of whole numbers: those of 8, 16, 32 and 64 bits, without a sign and with one.
constexpr bool is_whole(std::uint32_t type) {
  return type <= 5 || type == boolean_value || type == 10 || type == 11;
}
constexpr bool is_signed(std::uint32_t type) {
  return type == 1 || type == 3 || type == 5 || type == 11;
}

std::uint64_t read_count(ByteReader& reader, std::uint64_t limit, const char* what) {
  const auto count = reader.read<std::uint64_t>();
  if (count > limit) damaged("GGUF: " + std::to_string(count) + " " + what);
  return count;
}

std::string_view read_text(ByteReader& reader) {
  return reader.text(reader.read<std::uint64_t>());
}

std::string read_name(ByteReader& reader) {
  return std::string(reader.text(read_count(reader, max_gguf_name, "bytes of a name")));
}

std::uint32_t read_type(ByteReader& reader, const std::string& key) {
  const auto type = reader.read<std::uint32_t>();
  if (type >= first_unknown) damaged(key + ": a value of type " + std::to_string(type));
  return type;
}

void read_list(ByteReader& reader, const std::string& key, GgufFile& file) {
  const std::uint32_t type = read_type(reader, key);
  const std::uint64_t count = read_count(reader, max_list, "values in a list");
  if (type == list_value) damaged(key + ": a list of lists");
  if (type != text_value) {
    reader.take(count * value_sizes[type]);
    return;
  }
  auto& values = file.lists[key];
  for (std::uint64_t i = 0; i < count; ++i) values.push_back(read_text(reader));
}

// Returns a whole number; nothing for a negative one.
void read_number(ByteReader& reader, const std::string& key, std::uint32_t type, GgufFile& file) {
  const auto bytes = reader.take(value_sizes[type]);
  if (!is_whole(type)) return;
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data(), bytes.size());
  const bool negative = is_signed(type) && (value >> (8 * bytes.size() - 1) & 1) != 0;
  if (!negative) file.numbers.emplace(key, value);
}

void read_value(ByteReader& reader, GgufFile& file) {
  const std::string key = read_name(reader);
  const std::uint32_t type = read_type(reader, key);
  if (file.numbers.contains(key) || file.texts.contains(key) || file.lists.contains(key)) {
    damaged(key + ": appears twice");
  }
  if (type == list_value) {
    read_list(reader, key, file);
  } else if (type == text_value) {
    file.texts.emplace(key, read_text(reader));
  } else {
    read_number(reader, key, type, file);
  }
}

void read_tensor(ByteReader& reader, GgufFile& file,
                 std::map<std::string, std::uint64_t>& offsets) {
  const std::string name = read_name(reader);
  const auto rank = reader.read<std::uint32_t>();
  if (rank > max_gguf_rank) damaged(name + ": " + std::to_string(rank) + " dimensions");
  WeightTensor tensor;
  tensor.shape.resize(rank);
  for (auto dimension = tensor.shape.rbegin(); dimension != tensor.shape.rend(); ++dimension) {
    *dimension = reader.read<std::int64_t>();
  }
  tensor.dtype = ggml_dtype(name, reader.read<std::uint32_t>());
  offsets[name] = reader.read<std::uint64_t>();
  if (!file.tensors.emplace(name, std::move(tensor)).second) damaged(name + ": appears twice");
}

void read_head(ByteReader& reader) {
  if (reader.read<std::uint32_t>() != gguf_magic) damaged("GGUF: wrong magic number");
  const auto version = reader.read<std::uint32_t>();
  if (version >= oldest_gguf && version <= newest_gguf) return;
  if ((version & 0xffff) == 0) {
    refused("GGUF: was written for a big-endian machine",
            "Convert the model for a little-endian one, as almost all are.");
  }
  refused("GGUF: version " + std::to_string(version) + ", known are 2 and 3",
          "Convert the model again with the converter's newest version.");
}

std::uint64_t alignment_of(const GgufFile& file) {
  const auto found = file.numbers.find("general.alignment");
  if (found == file.numbers.end()) return default_alignment;
  if (!std::has_single_bit(found->second) || found->second > max_alignment) {
    damaged("general.alignment: is " + std::to_string(found->second));
  }
  return found->second;
}

}  // namespace

GgufFile parse_gguf(std::span<const std::byte> bytes) {
  ByteReader reader(bytes, "GGUF");
  read_head(reader);
  const std::uint64_t tensors = read_count(reader, max_gguf_entries, "tensors");
  const std::uint64_t values = read_count(reader, max_gguf_entries, "values");
  GgufFile file;
  for (std::uint64_t i = 0; i < values; ++i) read_value(reader, file);
  std::map<std::string, std::uint64_t> offsets;
  for (std::uint64_t i = 0; i < tensors; ++i) read_tensor(reader, file, offsets);
  const std::uint64_t alignment = alignment_of(file);
  if (tensors > 0) reader.take((alignment - reader.offset() % alignment) % alignment);
  const auto data = reader.take(reader.remaining());
  for (auto& [name, tensor] : file.tensors) {
    const std::uint64_t begin = offsets.at(name);
    const std::size_t size = byte_size(name, tensor.dtype, tensor.shape);
    if (begin > data.size() || size > data.size() - begin) {
      damaged(name + ": truncated: needs " + std::to_string(size) + " bytes at offset " +
              std::to_string(begin) + " of " + std::to_string(data.size()));
    }
    tensor.data = data.subspan(begin, size);
  }
  return file;
}

}  // namespace engine
