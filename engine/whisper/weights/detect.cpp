#include "engine/whisper/weights/detect.h"

#include <array>
#include <string>
#include <string_view>

#include "engine/weights/byte_reader.h"
#include "engine/weights/npz.h"
#include "engine/whisper/weights/other_kinds.h"

namespace engine {
namespace {

struct Signature {
  std::string_view bytes;
  std::string_view is;
};

// These files are given by mistake most often.
constexpr std::array mistakes{
    Signature{"version https://git-lfs", "a Git LFS pointer, not the model: run git lfs pull"},
    Signature{"<!DOCTYPE", "a web page, not the model: the download went wrong"},
    Signature{"<html", "a web page, not the model: the download went wrong"},
    Signature{"\x1f\x8b", "compressed with gzip: unpack it first"},
    Signature{"\x28\xb5\x2f\xfd", "compressed with zstd: unpack it first"},
    Signature{"RIFF", "a RIFF file (WAV audio?), not a model"},
};

// Returns whether the file begins with a header length that fits, and then the JSON object.
bool looks_like_safetensors(std::span<const std::byte> file) {
  return file.size() > 9 && load_unaligned<std::uint64_t>(file.data()) <= file.size() - 8 &&
         file[8] == std::byte{'{'};
}

// Returns whether the file begins with a small version number, then the counted name of the spec,
// which ends with NUL.
bool looks_like_ctranslate2(std::span<const std::byte> file) {
  if (file.size() < 8 || load_unaligned<std::uint32_t>(file.data()) > 100) return false;
  const std::size_t name_bytes = load_unaligned<std::uint16_t>(file.data() + 4);
  if (name_bytes < 5 || name_bytes > 64 || file.size() < 6 + name_bytes) return false;
  return as_text(file.subspan(6, name_bytes)).ends_with(std::string_view("Spec\0", 5));
}

}  // namespace

WeightFormat detect_format(std::span<const std::byte> file) {
  const std::string_view text = as_text(file);
  if (looks_like_npz(file)) return WeightFormat::mlx;
  if (text.starts_with("GGUF")) return WeightFormat::gguf;
  if (text.starts_with("PK\x03\x04")) return WeightFormat::torch_zip;
  if (text.starts_with("lmgg")) return WeightFormat::ggml;
  // PyTorch's magic number is a pickle of protocol 2 whose first value is a long of ten bytes.
  if (text.starts_with("\x80\x02\x8a\x0a")) return WeightFormat::torch_legacy;
  if (looks_like_safetensors(file)) return WeightFormat::safetensors;
  if (looks_like_ctranslate2(file)) return WeightFormat::ctranslate2;
  for (const Signature& mistake : mistakes) {
    if (text.starts_with(mistake.bytes)) {
      throw Exception(
          {Errc::unknown_format, "[weights] it is " + std::string(mistake.is), known_formats});
    }
  }
  refuse_other_kinds(file);
  throw Exception({Errc::unknown_format, "[weights] not a known kind of model", known_formats});
}

// A safetensors file may begin with the same byte, as part of its header's length.
bool is_shard_index(std::span<const std::byte> file) {
  return as_text(file).starts_with("{") && !looks_like_safetensors(file);
}

}  // namespace engine
