#pragma once

#include <map>
#include <string>
#include <vector>

#include "platform/model_size.h"

namespace engine {

// The dimensions of a model, by the names that its family gives them.
using Dims = std::map<std::string, int>;

// An inspection tells what a model's files say without running it.
struct Inspection {
  std::string family{};  // "whisper"
  std::string format{};  // "CTranslate2", "safetensors", …
  Dims dims{};
  platform::ModelSize size{};
  bool multilingual = false;             // it knows more languages than English
  std::vector<std::string> languages{};  // codes, in the order of the model's tokens
  bool has_vocabulary = false;           // one that fits is with the weights
  std::vector<std::string> notes{};      // sentences for who imports it: what was left out
};

}  // namespace engine
