#include "protocol/docx/document.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "protocol/docx/paragraphs.h"
#include "protocol/docx/xml_text.h"

namespace protocol::docx {
namespace {

Segment said(double start, double end, std::string text, std::string speaker = "",
             std::string language = "") {
  Segment segment;
  segment.start = start;
  segment.end = end;
  segment.text = std::move(text);
  segment.speaker = std::move(speaker);
  segment.language = std::move(language);
  return segment;
}

std::string file_of(const std::vector<ZipEntry>& files, const std::string& name) {
  const auto found = std::ranges::find(files, name, &ZipEntry::name);
  return found == files.end() ? "" : found->content;
}

std::string document_of(const Transcript& transcript, const DocumentOptions& options = {}) {
  return file_of(document_files(transcript, options), "word/document.xml");
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Docx, HasTheFilesThatReadersLookFor) {
  const auto files = document_files({}, {});
  ASSERT_FALSE(files.empty());
  EXPECT_EQ(files[0].name, "[Content_Types].xml");
  for (const std::string name : {"_rels/.rels", "word/document.xml", "word/styles.xml",
                                 "word/_rels/document.xml.rels", "docProps/core.xml"}) {
    EXPECT_TRUE(has(file_of(files, name), "<?xml")) << name;
  }
}

TEST(Docx, NamesEachSpeakerOnceInARow) {
  const Transcript transcript{.segments = {said(0, 2, " Hello.", "Ada"),
                                           said(2, 4, " Are you there?", "Ada"),
                                           said(14, 15, " Yes.", "Tom")}};
  const std::string xml = document_of(transcript, {.title = "Talk"});
  EXPECT_TRUE(has(xml, ">Talk</w:t>"));
  EXPECT_TRUE(has(xml, ">Hello. Are you there?</w:t>"));
  EXPECT_EQ(xml.find(">Ada<"), xml.rfind(">Ada<"));
  EXPECT_TRUE(has(xml, ">0:14</w:t>"));
  EXPECT_LT(xml.find(">Tom<"), xml.find(">Yes.<"));
}

TEST(Docx, HasNoTimesWhereTheyAreNotWanted) {
  const Transcript transcript{
      .segments = {said(14, 15, " Hello.", "Ada"), said(34, 35, " Yes.", "Ada")}};
  const std::string xml = document_of(transcript, {.times = false});
  EXPECT_FALSE(has(xml, "0:14"));
  EXPECT_TRUE(has(xml, ">Ada</w:t>"));
  EXPECT_TRUE(has(xml, ">Yes.</w:t>"));
}

TEST(Docx, TakesTheLabelsOfChannelsForNames) {
  Segment segment = said(0, 1, " Hello.");
  segment.channel = 1;
  const Transcript transcript{.segments = {segment}};
  EXPECT_TRUE(has(document_of(transcript, {.channel_labels = {"Caller", "Agent"}}), ">Agent<"));
}

TEST(Docx, ArabicRunsFromRightToLeft) {
  const Transcript arabic{.segments = {said(0, 1, " مرحبا")}, .language = "ar"};
  const auto files = document_files(arabic, {});
  EXPECT_TRUE(has(file_of(files, "word/document.xml"), "<w:bidi/>"));
  EXPECT_TRUE(has(file_of(files, "word/document.xml"), "<w:rtl/>"));
  EXPECT_TRUE(has(file_of(files, "word/styles.xml"), R"(<w:lang w:val="ar" w:bidi="ar"/>)"));
  const Transcript english{.segments = {said(0, 1, " Hello")}, .language = "en"};
  EXPECT_FALSE(has(document_of(english), "<w:bidi/>"));
}

TEST(Docx, EachPassageHasItsLanguage) {
  const Transcript mixed{
      .segments = {said(0, 1, " Hello.", "", "en"), said(1, 2, " שלום", "", "he")},
      .language = "en"};
  const std::string xml = document_of(mixed);
  EXPECT_TRUE(has(xml, R"(<w:lang w:val="he" w:bidi="he"/>)"));
  EXPECT_EQ(xml.find("<w:bidi/>"), xml.find("<w:bidi/>", xml.find(">Hello.<")));
}

TEST(DocxParagraphs, EndAtPausesAndWhereTheyGetLong) {
  Transcript transcript{.segments = {said(0, 1, " One."), said(4, 5, " Two.")}};
  EXPECT_EQ(paragraphs_of(transcript, {}).size(), 2U);
  transcript.segments.clear();
  for (int i = 0; i < 100; ++i) {
    transcript.segments.push_back(said(i, i + 1, " " + std::string(99, 'a') + "."));
  }
  const auto whole = paragraphs_of(transcript, {});
  EXPECT_GT(whole.size(), 10U);
  EXPECT_TRUE(whole[0].text.ends_with('.'));
  for (auto& segment : transcript.segments) segment.text.back() = ',';
  EXPECT_LT(paragraphs_of(transcript, {}).size(), 7U) << "the middle of a sentence is no end";
}

TEST(DocxParagraphs, LeaveOutWhatIsEmpty) {
  const Transcript transcript{.segments = {said(0, 1, "  "), said(1, 2, " Yes. ")}};
  const auto paragraphs = paragraphs_of(transcript, {});
  ASSERT_EQ(paragraphs.size(), 1U);
  EXPECT_EQ(paragraphs[0].text, "Yes.");
  EXPECT_EQ(paragraphs[0].start, 1);
}

TEST(XmlText, HoldsWhateverWasSaid) {
  EXPECT_EQ(xml_text("a<b> & \"c\""), "a&lt;b&gt; &amp; &quot;c&quot;");
  EXPECT_EQ(xml_text("one\ntwo\tthree"), "one two three");
  EXPECT_EQ(xml_text(std::string("\x01\xff", 2)), "\xef\xbf\xbd\xef\xbf\xbd");
  EXPECT_EQ(xml_text("x\xef\xbf\xbey"), "x\xef\xbf\xbdy");
  EXPECT_EQ(xml_text("日本語 😀"), "日本語 😀");
}

}  // namespace
}  // namespace protocol::docx
