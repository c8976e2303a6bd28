#pragma once

#include <string_view>

namespace protocol {

// Returns whether a word has a sign behind it that ends a sentence; quotes and brackets may follow
// the sign.
bool ends_sentence(std::string_view word);

}  // namespace protocol
