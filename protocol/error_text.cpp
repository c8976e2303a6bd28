#include "protocol/error_text.h"

#include <string_view>

namespace protocol {

std::string error_text(const Error& error) {
  if (error.fix.empty()) return error.message;
  constexpr std::string_view ends = ".!?:";
  const bool has_end = error.message.empty() || ends.find(error.message.back()) != ends.npos;
  return error.message + (has_end ? " " : ". ") + error.fix;
}

}  // namespace protocol
