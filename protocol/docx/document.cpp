#include "protocol/docx/document.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "protocol/docx/paragraphs.h"
#include "protocol/docx/xml_text.h"

namespace protocol::docx {
namespace {

constexpr char xml_head[] = R"(<?xml version="1.0" encoding="UTF-8" standalone="yes"?>)"
                            "\n";

constexpr char content_types[] =
    R"(<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">)"
    R"(<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>)"
    R"(<Default Extension="xml" ContentType="application/xml"/>)"
    R"(<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>)"
    R"(<Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>)"
    R"(<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>)"
    R"(</Types>)";

constexpr char package_relations[] =
    R"(<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">)"
    R"(<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/>)"
    R"(<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/>)"
    R"(</Relationships>)";

constexpr char document_relations[] =
    R"(<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">)"
    R"(<Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>)"
    R"(</Relationships>)";

constexpr char word_namespace[] =
    R"(xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main")";

// The styles behind the language. Sizes are in half points, distances in twentieths of a point.
constexpr char styles[] =
    R"(</w:rPr></w:rPrDefault><w:pPrDefault><w:pPr><w:spacing w:after="160" w:line="288" w:lineRule="auto"/></w:pPr></w:pPrDefault></w:docDefaults>)"
    R"(<w:style w:type="paragraph" w:default="1" w:styleId="Normal"><w:name w:val="Normal"/><w:qFormat/></w:style>)"
    R"(<w:style w:type="character" w:default="1" w:styleId="DefaultParagraphFont"><w:name w:val="Default Paragraph Font"/></w:style>)"
    R"(<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/>)"
    R"(<w:pPr><w:keepNext/><w:spacing w:after="320"/></w:pPr><w:rPr><w:b/><w:bCs/><w:sz w:val="36"/><w:szCs w:val="36"/></w:rPr></w:style>)"
    R"(<w:style w:type="paragraph" w:customStyle="1" w:styleId="Speaker"><w:name w:val="Speaker"/><w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:qFormat/>)"
    R"(<w:pPr><w:keepNext/><w:spacing w:before="80" w:after="0"/></w:pPr><w:rPr><w:b/><w:bCs/></w:rPr></w:style>)"
    R"(<w:style w:type="character" w:customStyle="1" w:styleId="Time"><w:name w:val="Time"/><w:basedOn w:val="DefaultParagraphFont"/><w:qFormat/>)"
    R"(<w:rPr><w:b w:val="0"/><w:bCs w:val="0"/><w:color w:val="666666"/><w:sz w:val="18"/><w:szCs w:val="18"/></w:rPr></w:style>)"
    R"(</w:styles>)";

constexpr char page[] =
    R"(<w:sectPr><w:pgSz w:w="11906" w:h="16838"/>)"
    R"(<w:pgMar w:top="1417" w:right="1417" w:bottom="1417" w:left="1417" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>)";

bool runs_from_right(std::string_view language) {
  constexpr std::array codes{"ar", "fa", "he", "ps", "sd", "ur", "yi"};
  return std::ranges::find(codes, language) != codes.end();
}

// Word has a language for each kind of script; spelling is checked by the one that fits.
std::string language_element(const std::string& language) {
  if (language.empty()) return "";
  const std::string code = xml_text(language);
  const bool is_eastern = language == "zh" || language == "ja" || language == "ko";
  std::string element = R"(<w:lang w:val=")" + code + '"';
  if (is_eastern) element += R"( w:eastAsia=")" + code + '"';
  if (runs_from_right(language)) element += R"( w:bidi=")" + code + '"';
  return element + "/>";
}

// Returns "0:14" or "1:02:41".
std::string clock(double seconds) {
  const auto whole = static_cast<long long>(std::floor(std::max(0.0, seconds)));
  char text[48];
  if (whole >= 3600) {
    std::snprintf(text, sizeof text, "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60,
                  whole % 60);
  } else {
    std::snprintf(text, sizeof text, "%lld:%02lld", whole / 60, whole % 60);
  }
  return text;
}

std::string run(const std::string& properties, std::string_view text) {
  std::string element = "<w:r>";
  if (!properties.empty()) element += "<w:rPr>" + properties + "</w:rPr>";
  return element + R"(<w:t xml:space="preserve">)" + xml_text(text) + "</w:t></w:r>";
}

std::string paragraph(const char* style, bool from_right, const std::string& runs) {
  std::string properties;
  if (*style != '\0') properties += std::string(R"(<w:pStyle w:val=")") + style + R"("/>)";
  if (from_right) properties += "<w:bidi/>";
  std::string element = "<w:p>";
  if (!properties.empty()) element += "<w:pPr>" + properties + "</w:pPr>";
  return element + runs + "</w:p>";
}

std::string written(const Paragraph& said, const std::string& main_language, bool times) {
  const bool from_right = runs_from_right(said.language);
  const std::string direction = from_right ? "<w:rtl/>" : "";
  std::string heading;
  if (said.is_new_speaker && !said.speaker.empty()) {
    heading = run(direction, said.speaker);
    if (times) heading += run(direction, "  ");
  }
  if (times) heading += run(R"(<w:rStyle w:val="Time"/>)", clock(said.start));
  const std::string language =
      said.language == main_language ? "" : language_element(said.language);
  const std::string text = paragraph("", from_right, run(direction + language, said.text));
  return heading.empty() ? text : paragraph("Speaker", from_right, heading) + text;
}

std::string document_xml(const Transcript& transcript, const DocumentOptions& options) {
  std::string xml = xml_head;
  xml += std::string("<w:document ") + word_namespace + "><w:body>";
  if (!options.title.empty()) {
    const bool from_right = runs_from_right(transcript.language);
    xml += paragraph("Title", from_right, run(from_right ? "<w:rtl/>" : "", options.title));
  }
  for (const auto& said : paragraphs_of(transcript, options.channel_labels)) {
    xml += written(said, transcript.language, options.times);
  }
  return xml + page + "</w:body></w:document>";
}

std::string styles_xml(const Transcript& transcript) {
  return std::string(xml_head) + "<w:styles " + word_namespace +
         R"(><w:docDefaults><w:rPrDefault><w:rPr><w:sz w:val="22"/><w:szCs w:val="22"/>)" +
         language_element(transcript.language) + styles;
}

std::string core_xml(const Transcript& transcript, const DocumentOptions& options) {
  return std::string(xml_head) +
         R"(<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/">)"
         "<dc:title>" +
         xml_text(options.title) + "</dc:title><dc:language>" + xml_text(transcript.language) +
         "</dc:language></cp:coreProperties>";
}

}  // namespace

// Readers take the first file for the list of types.
std::vector<ZipEntry> document_files(const Transcript& transcript, const DocumentOptions& options) {
  return {{"[Content_Types].xml", std::string(xml_head) + content_types},
          {"_rels/.rels", std::string(xml_head) + package_relations},
          {"word/document.xml", document_xml(transcript, options)},
          {"word/styles.xml", styles_xml(transcript)},
          {"word/_rels/document.xml.rels", std::string(xml_head) + document_relations},
          {"docProps/core.xml", core_xml(transcript, options)}};
}

}  // namespace protocol::docx
