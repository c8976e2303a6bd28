#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "server/objects/xml_fields.h"

// Reads an answer of an S3 server, and a text that is written as XML.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto fields = server::read_xml_fields(text)) {
    if (fields->empty() || fields->size() > 20'000) std::abort();
    for (const auto& field : *fields) {
      if (field.path.empty() || field.text.size() > size) std::abort();
    }
  }
  const auto again = server::read_xml_fields("<a>" + server::xml_text(text) + "</a>");
  if (!again || server::field_text(*again, "a") != text) std::abort();
  return 0;
}
