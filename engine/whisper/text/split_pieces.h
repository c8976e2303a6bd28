#pragma once

#include <string_view>
#include <vector>

namespace engine {

// Cuts text as GPT-2 does before byte pairs are merged: contractions, words, numbers, runs of signs
// (each with one space before it) and white space. The pieces joined are the text.
//   's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
std::vector<std::string_view> split_pieces(std::string_view valid_utf8);

}  // namespace engine
