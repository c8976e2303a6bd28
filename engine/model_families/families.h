#pragma once

#include <cstddef>
#include <filesystem>
#include <tuple>

#include "engine/speakers/recognizer/family.h"
#include "engine/whisper/recognizer/family.h"

namespace engine {

// The families of models that there are. Another one is a folder with such a type, and its name
// here.
using Families = std::tuple<SpeakersFamily, WhisperFamily>;

// Calls `use` with the family that claims the files at `model`. The last one takes what no other
// claims, and says what is wrong with it.
template <class Use, std::size_t index = 0>
auto with_family_of(const std::filesystem::path& model, const Use& use) {
  using Family = std::tuple_element_t<index, Families>;
  if constexpr (index + 1 < std::tuple_size_v<Families>) {
    if (!Family::claims(model)) return with_family_of<Use, index + 1>(model, use);
  }
  return use(Family());
}

}  // namespace engine
