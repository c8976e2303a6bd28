#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/error.h"
#include "platform/model_size.h"

namespace engine {

// The dimensions of a model, by the names that its family gives them.
using Dims = std::map<std::string, int>;

// The numbers of a model's tensors, counted by the name of their type in the file: "f16", "q5_0".
using NumberCounts = std::map<std::string, std::int64_t>;

// The (layer, head) pairs that word timestamps follow.
struct AlignmentHeads {
  enum class Source {
    model,        // the model's files state them
    architecture  // they are those of the published model with these dimensions, or the upper half
  };
  Source source = Source::architecture;
  int count = 0;
  bool left_out = false;  // the files state heads that the decoder does not have
};

// An inspection tells what a model's files say without running it.
struct Inspection {
  std::string family{};  // "whisper"
  std::string format{};  // "CTranslate2", "safetensors", …
  std::string writer{};  // the program that wrote the files, with its version if they state it
  Dims dims{};
  NumberCounts numbers{};
  AlignmentHeads alignment_heads{};
  platform::ModelSize size{};
  bool multilingual = false;             // it knows more languages than English
  std::vector<std::string> languages{};  // codes, in the order of the model's tokens
  bool has_vocabulary = false;           // one that fits is with the weights
  // The files that define the tokens, by name: the weights or a vocabulary, and
  // generation_config.json if it states ids. Empty: the size of the vocabulary alone does.
  std::vector<std::string> tokens_from{};
  std::vector<std::string> notes{};  // sentences for who imports it: what was left out
};

// A model whose files are whole. If scribed does not run it, `refusal` says why, and the facts that
// are found after that check are empty.
struct Examination {
  Inspection model{};
  std::optional<Error> refusal{};
};

// A LoRA adapter that fits its base.
struct AdapterFacts {
  std::string writer{};
  int layers = 0;  // the number of linear layers that it changes
  int rank = 0;    // of the largest pair
  NumberCounts numbers{};
};

// A file of a model's folder that is not installed with it.
struct LeftOutFile {
  std::string name{};
  std::string why{};
};

}  // namespace engine
