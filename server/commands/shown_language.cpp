#include "server/commands/shown_language.h"

#include <cctype>

#include "protocol/languages.h"

namespace server {

std::string shown_language(std::string_view code_or_name) {
  const auto code = protocol::language_code(code_or_name);
  if (!code) return std::string(code_or_name);
  std::string name(protocol::language_name(*code));
  // Each word has a capital letter: "Haitian Creole".
  bool begins = true;
  for (char& byte : name) {
    if (begins) byte = static_cast<char>(std::toupper(static_cast<unsigned char>(byte)));
    begins = byte == ' ';
  }
  return name;
}

}  // namespace server
