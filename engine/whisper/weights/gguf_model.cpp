#include <algorithm>
#include <array>
#include <string>

#include "engine/weights/byte_reader.h"
#include "engine/weights/gguf.h"
#include "engine/whisper/text/byte_level.h"
#include "engine/whisper/weights/readers.h"

// GGUF has no names for Whisper that all agree on. candle's files have transformers' names and
// nothing beside the tensors; transcribe.cpp's have names, numbers and a vocabulary as below.
namespace engine {
namespace {

struct Renamed {
  std::string_view gguf;
  std::string_view openai;
};

constexpr std::array sides{Renamed{"enc.", "encoder."}, Renamed{"dec.", "decoder."}};

// Names behind the side.
constexpr std::array outer_names{Renamed{"conv.0.", "conv1."}, Renamed{"conv.1.", "conv2."},
                                 Renamed{"token_embd.", "token_embedding."},
                                 Renamed{"pos_emb.weight", "positional_embedding"}};

// Names behind "<side>.blocks.<i>.".
constexpr std::array inner_names{Renamed{"norm_attn.", "attn_ln."},
                                 Renamed{"norm_self.", "attn_ln."},
                                 Renamed{"norm_cross.", "cross_attn_ln."},
                                 Renamed{"norm_ffn.", "mlp_ln."},
                                 Renamed{"ffn.fc1.", "mlp.0."},
                                 Renamed{"ffn.fc2.", "mlp.2."},
                                 Renamed{"self_attn.", "attn."},
                                 Renamed{"cross_attn.", "cross_attn."},
                                 Renamed{"attn.", "attn."}};

constexpr std::array projections{Renamed{".q.", ".query."}, Renamed{".k.", ".key."},
                                 Renamed{".v.", ".value."}, Renamed{".out.", ".out."}};

// Returns what a name that begins with an entry of the table becomes; itself otherwise.
template <std::size_t n>
std::string with_beginning(const std::array<Renamed, n>& table, std::string_view name) {
  for (const Renamed& entry : table) {
    if (name.starts_with(entry.gguf)) {
      return std::string(entry.openai) + std::string(name.substr(entry.gguf.size()));
    }
  }
  return std::string(name);
}

std::string inner_name(std::string_view name) {
  std::string renamed = with_beginning(inner_names, name);
  for (const Renamed& entry : projections) {
    const std::size_t at = renamed.find(entry.gguf);
    if (at != renamed.npos) return renamed.replace(at, entry.gguf.size(), entry.openai);
  }
  return renamed;
}

// Returns "encoder.blocks.3.mlp.0.bias" for "enc.blocks.3.ffn.fc1.bias". What it does not know
// stays as it is, and is reported as unknown later.
std::string name_from_transcribe(std::string_view name) {
  const std::string sided = with_beginning(sides, name);
  const std::size_t side_end = sided.find('.') + 1;
  const std::string side = sided.substr(0, side_end);
  const std::string_view rest = std::string_view(sided).substr(side_end);
  constexpr std::string_view blocks = "blocks.";
  if (rest.starts_with(blocks)) {
    const std::size_t index_end = rest.find('.', blocks.size());
    if (index_end == rest.npos) return sided;
    return side + std::string(rest.substr(0, index_end + 1)) +
           inner_name(rest.substr(index_end + 1));
  }
  constexpr std::string_view norm = "final_norm.";
  if (rest.starts_with(norm)) {
    return side + (side == "encoder." ? "ln_post." : "ln.") + std::string(rest.substr(norm.size()));
  }
  return side + with_beginning(outer_names, rest);
}

TensorTable with_names_from_transcribe(TensorTable tensors) {
  TensorTable renamed;
  for (auto& [name, tensor] : tensors) {
    if (name.starts_with("frontend.")) continue;  // the mel filters and their window
    if (!renamed.emplace(name_from_transcribe(name), std::move(tensor)).second) {
      damaged(name + ": appears twice");
    }
  }
  return renamed;
}

int number_of(const GgufFile& file, const std::string& key) {
  const auto found = file.numbers.find(key);
  return found == file.numbers.end()
             ? 0
             : static_cast<int>(std::min<std::uint64_t>(found->second, INT32_MAX));
}

ModelDims dims_from_transcribe(const GgufFile& file) {
  const std::string encoder = "stt.whisper.encoder.";
  const std::string decoder = "stt.whisper.decoder.";
  return {.n_mels = number_of(file, encoder + "num_mel_bins"),
          .n_audio_ctx = number_of(file, encoder + "max_source_positions"),
          .n_audio_state = number_of(file, encoder + "d_model"),
          .n_audio_head = number_of(file, encoder + "n_heads"),
          .n_audio_layer = number_of(file, encoder + "n_layers"),
          .n_vocab = number_of(file, decoder + "vocab_size"),
          .n_text_ctx = number_of(file, decoder + "max_target_positions"),
          .n_text_state = number_of(file, decoder + "d_model"),
          .n_text_head = number_of(file, decoder + "n_heads"),
          .n_text_layer = number_of(file, decoder + "n_layers")};
}

// Returns nothing where there is no vocabulary, or one that is spelled otherwise.
std::optional<std::vector<std::string>> tokens_of(const GgufFile& file) {
  const auto found = file.lists.find("tokenizer.ggml.tokens");
  if (found == file.lists.end()) return std::nullopt;
  std::vector<std::string> tokens;
  for (const std::string_view spelled : found->second) {
    auto bytes = bytes_from_byte_level(spelled);
    if (!bytes) return std::nullopt;
    tokens.push_back(*std::move(bytes));
  }
  return tokens;
}

void require_whisper(const GgufFile& file) {
  constexpr const char* fix =
      "Known are the GGUF files of transcribe.cpp and of candle. Otherwise use whisper.cpp's ggml "
      ".bin of the model, or its safetensors.";
  const auto architecture = file.texts.find("general.architecture");
  if (architecture != file.texts.end() && architecture->second != "whisper") {
    refused("GGUF: holds a model of the architecture '" +
                std::string(architecture->second.substr(0, 64)) + "', not whisper",
            "Choose a Whisper model.");
  }
  for (const char* name :
       {"encoder.conv1.weight", "model.encoder.conv1.weight", "enc.conv.0.weight"}) {
    if (file.tensors.contains(name)) return;
  }
  if (file.tensors.empty()) refused("GGUF: holds no tensors", fix);
  refused("GGUF: names its tensors in an unknown way (the first is " + file.tensors.begin()->first +
              ")",
          fix);
}

}  // namespace

ParsedModel parse_gguf_model(std::span<const std::byte> bytes) {
  GgufFile file = parse_gguf(bytes);
  require_whisper(file);
  ParsedModel model;
  model.token_bytes = tokens_of(file);
  const bool is_of_transcribe = file.tensors.contains("enc.conv.0.weight");
  model.writer = is_of_transcribe ? "transcribe.cpp" : "candle";
  if (!is_of_transcribe) {
    model.tensors = std::move(file.tensors);
    return model;
  }
  if (file.numbers.contains("stt.whisper.encoder.n_heads")) {
    model.declared_dims = dims_from_transcribe(file);
    model.heads = HeadCounts{model.declared_dims->n_audio_head, model.declared_dims->n_text_head};
  }
  model.tensors = with_names_from_transcribe(std::move(file.tensors));
  return model;
}

}  // namespace engine
