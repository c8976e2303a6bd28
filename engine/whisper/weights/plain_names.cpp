#include "engine/whisper/weights/plain_names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "engine/weights/byte_reader.h"

namespace engine {
namespace {

// They stand wherever a module was wrapped, so also inside a name.
constexpr std::array<std::string_view, 3> wrappers{"_orig_mod.", "_fsdp_wrapped_module.",
                                                   "_checkpoint_wrapped_module."};

std::string without_wrappers(std::string name) {
  for (const std::string_view wrapper : wrappers) {
    for (std::size_t at = name.find(wrapper); at != name.npos; at = name.find(wrapper, at)) {
      name.erase(at, wrapper.size());
    }
  }
  return name;
}

template <class Rename>
TensorTable renamed(TensorTable tensors, const Rename& rename) {
  TensorTable result;
  for (auto& [name, tensor] : tensors) {
    if (!result.emplace(rename(name), std::move(tensor)).second) {
      refused(name + ": appears twice, under different names of one model",
              "Save the model's state_dict alone.");
    }
  }
  return result;
}

// Returns what stands before the names of the one model in the table; nothing where it has no
// encoder's first layer, which others report.
std::string start_of_names(const TensorTable& tensors) {
  constexpr std::string_view first_layer = "encoder.conv1.weight";
  std::optional<std::string> start;
  for (const auto& [name, tensor] : tensors) {
    if (!name.ends_with(first_layer)) continue;
    if (start) {
      refused("two models: " + *start + std::string(first_layer) + " and " + name,
              "Save the state_dict of one of them alone.");
    }
    start = name.substr(0, name.size() - first_layer.size());
  }
  if (!start || tensors.contains(*start + "encoder.blocks.0.attn_ln.weight")) {
    return start.value_or("");
  }
  // transformers' class has "model." before all but its projection.
  constexpr std::string_view model = "model.";
  if (start->ends_with(model)) start->resize(start->size() - model.size());
  return *start;
}

}  // namespace

TensorTable with_plain_names(TensorTable tensors) {
  const auto is_wrapped = [](const auto& entry) {
    return std::ranges::any_of(wrappers, [&](std::string_view wrapper) {
      return entry.first.find(wrapper) != entry.first.npos;
    });
  };
  if (std::ranges::any_of(tensors, is_wrapped)) {
    tensors = renamed(std::move(tensors), without_wrappers);
  }
  const std::string start = start_of_names(tensors);
  if (start.empty()) return tensors;
  return renamed(std::move(tensors), [&](const std::string& name) {
    return name.starts_with(start) ? name.substr(start.size()) : name;
  });
}

}  // namespace engine
