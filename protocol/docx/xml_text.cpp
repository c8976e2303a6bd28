#include "protocol/docx/xml_text.h"

#include "protocol/valid_utf8.h"

namespace protocol::docx {
namespace {

constexpr char unknown[] = "\xef\xbf\xbd";  // U+FFFD

void add_character(std::string& xml, char character) {
  switch (character) {
    case '&':
      xml += "&amp;";
      break;
    case '<':
      xml += "&lt;";
      break;
    case '>':
      xml += "&gt;";
      break;
    case '"':
      xml += "&quot;";
      break;
    case '\t':
    case '\n':
    case '\r':
      xml += ' ';
      break;
    default:
      const bool is_control = static_cast<unsigned char>(character) < 0x20;
      xml += is_control ? unknown : std::string(1, character);
  }
}

}  // namespace

std::string xml_text(std::string_view text) {
  const std::string valid = valid_utf8(text);
  std::string xml;
  for (std::size_t i = 0; i < valid.size(); ++i) {
    const std::string_view rest = std::string_view(valid).substr(i);
    // U+FFFE and U+FFFF are no characters of XML.
    if (rest.starts_with("\xef\xbf\xbe") || rest.starts_with("\xef\xbf\xbf")) {
      xml += unknown;
      i += 2;
    } else {
      add_character(xml, valid[i]);
    }
  }
  return xml;
}

}  // namespace protocol::docx
