#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace server {

// An element of an answer in XML, in the order in which elements end.
struct XmlField {
  std::string path{};  // "ListBucketResult/Contents/Key"
  std::string text{};  // of an element without others in it
};

// Reads the XML that S3 answers: elements, texts and the usual entities. Attributes are skipped.
// Declarations of types, CDATA, and more than 16 elements in each other or 20,000 in all are
// refused, since no such answer has them. Returns nothing for these, and for what is no whole
// document.
std::optional<std::vector<XmlField>> read_xml_fields(std::string_view text);

// Returns the text of the first element of this path; empty: there is none.
std::string field_text(const std::vector<XmlField>& fields, std::string_view path);

// Returns the text as XML has it.
std::string xml_text(std::string_view text);

}  // namespace server
