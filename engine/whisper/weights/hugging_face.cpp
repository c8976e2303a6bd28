#include "engine/whisper/weights/hugging_face.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "engine/weights/byte_reader.h"

namespace engine {
namespace {

struct Pair {
  std::string_view hugging_face;
  std::string_view openai;
};

// Names below "<side>.layers.<i>." and "<side>.blocks.<i>.".
constexpr std::array block_modules{
    Pair{"self_attn.q_proj", "attn.query"},
    Pair{"self_attn.k_proj", "attn.key"},
    Pair{"self_attn.v_proj", "attn.value"},
    Pair{"self_attn.out_proj", "attn.out"},
    Pair{"self_attn_layer_norm", "attn_ln"},
    Pair{"encoder_attn.q_proj", "cross_attn.query"},
    Pair{"encoder_attn.k_proj", "cross_attn.key"},
    Pair{"encoder_attn.v_proj", "cross_attn.value"},
    Pair{"encoder_attn.out_proj", "cross_attn.out"},
    Pair{"encoder_attn_layer_norm", "cross_attn_ln"},
    Pair{"fc1", "mlp.0"},
    Pair{"fc2", "mlp.2"},
    Pair{"final_layer_norm", "mlp_ln"},
};

constexpr std::array whole_names{
    Pair{"encoder.embed_positions.weight", "encoder.positional_embedding"},
    Pair{"encoder.conv1.weight", "encoder.conv1.weight"},
    Pair{"encoder.conv1.bias", "encoder.conv1.bias"},
    Pair{"encoder.conv2.weight", "encoder.conv2.weight"},
    Pair{"encoder.conv2.bias", "encoder.conv2.bias"},
    Pair{"encoder.layer_norm.weight", "encoder.ln_post.weight"},
    Pair{"encoder.layer_norm.bias", "encoder.ln_post.bias"},
    Pair{"decoder.embed_positions.weight", "decoder.positional_embedding"},
    Pair{"decoder.embed_tokens.weight", "decoder.token_embedding.weight"},
    Pair{"decoder.layer_norm.weight", "decoder.ln.weight"},
    Pair{"decoder.layer_norm.bias", "decoder.ln.bias"},
};

template <std::size_t n>
std::optional<std::string> look_up(const std::array<Pair, n>& pairs, std::string_view name) {
  const auto found = std::ranges::find(pairs, name, &Pair::hugging_face);
  if (found == pairs.end()) return std::nullopt;
  return std::string(found->openai);
}

// Returns "encoder.blocks.3.mlp.0.bias" for "encoder.layers.3.fc1.bias".
std::optional<std::string> block_name(std::string_view name) {
  constexpr std::string_view layers = ".layers.";
  constexpr std::size_t side_length = std::string_view("encoder").size();
  const std::string_view side = name.substr(0, side_length);
  if (side != "encoder" && side != "decoder") return std::nullopt;
  if (name.substr(side_length, layers.size()) != layers) return std::nullopt;
  name.remove_prefix(side_length + layers.size());
  const std::size_t index_end = name.find_first_not_of("0123456789");
  const std::size_t module_end = name.rfind('.');
  if (index_end == 0 || index_end == name.npos || name[index_end] != '.' ||
      module_end <= index_end) {
    return std::nullopt;
  }
  const auto module =
      look_up(block_modules, name.substr(index_end + 1, module_end - index_end - 1));
  if (!module) return std::nullopt;
  return std::string(side) + ".blocks." + std::string(name.substr(0, index_end)) + "." + *module +
         std::string(name.substr(module_end));
}

std::string openai_name(std::string_view name) {
  constexpr std::string_view prefix = "model.";
  std::string_view bare = name;
  if (bare.starts_with(prefix)) bare.remove_prefix(prefix.size());
  if (auto whole = look_up(whole_names, bare)) return *whole;
  if (auto block = block_name(bare)) return *block;
  refused(std::string(name) + ": no such tensor in Whisper",
          "Use a model of Whisper's architecture, and its weights alone.");
}

}  // namespace

bool has_openai_names(const TensorTable& tensors) {
  return std::ranges::any_of(tensors, [](const auto& entry) {
    return entry.first.starts_with("encoder.blocks.") || entry.first.starts_with("decoder.blocks.");
  });
}

TensorTable with_openai_names(TensorTable tensors) {
  if (has_openai_names(tensors)) return tensors;

  const auto projection = tensors.extract("proj_out.weight");
  TensorTable renamed;
  for (auto& [name, tensor] : tensors) {
    if (!renamed.emplace(openai_name(name), std::move(tensor)).second) {
      damaged(name + ": appears twice");
    }
  }
  if (!projection.empty()) {
    const auto embedding = renamed.find("decoder.token_embedding.weight");
    if (embedding != renamed.end() &&
        as_text(embedding->second.data) != as_text(projection.mapped().data)) {
      refused("proj_out.weight: differs from the token embedding",
              "Choose a model whose output projection is tied to the embedding, as Whisper's is.");
    }
  }
  return renamed;
}

}  // namespace engine
