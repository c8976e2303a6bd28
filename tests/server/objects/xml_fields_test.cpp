#include "server/objects/xml_fields.h"

#include <gtest/gtest.h>

namespace server {
namespace {

std::string text_at(const char* xml, const char* path) {
  const auto fields = read_xml_fields(xml);
  return fields ? field_text(*fields, path) : "(refused)";
}

TEST(XmlFields, ElementsComeAsTheyEnd) {
  const auto fields = read_xml_fields(
      "<?xml version=\"1.0\"?>\n<!-- a > b --><List xmlns=\"http://x/\">\n "
      "<Item><Key>a</Key></Item>"
      "<Item><Key>b</Key><Size/></Item></List>\n");
  ASSERT_TRUE(fields);
  std::string all;
  for (const auto& field : *fields) all += field.path + "=" + field.text + " ";
  EXPECT_EQ(all, "List/Item/Key=a List/Item= List/Item/Key=b List/Item/Size= List/Item= List= ");
}

TEST(XmlFields, EntitiesAreRead) {
  EXPECT_EQ(text_at("<a>&quot;x&#34;&#x26;&amp;lt;&apos;&gt;</a>", "a"), "\"x\"&&lt;'>");
  EXPECT_EQ(text_at("<a>&#233;&#xE9;</a>", "a"), "??");
  EXPECT_EQ(xml_text("\"a\"&<b>'"), "&quot;a&quot;&amp;&lt;b&gt;&apos;");
}

TEST(XmlFields, WhatNoAnswerHasIsRefused) {
  for (const char* xml :
       {"", "x", "<a>", "<a></b>", "</a>", "<a></a><b></b>", "<a></a>x", "<a>&x;</a>", "<a>&</a>",
        "<a>&#0;</a>", "<a>&#x110000;</a>", "<a>&#;</a>", "<!DOCTYPE a><a></a>",
        "<a><![CDATA[x]]></a>", "<a b", "<>x</>", "<a b='>'></a>", "<?xml", "<!--"}) {
    EXPECT_EQ(text_at(xml, "a"), "(refused)") << xml;
  }
}

TEST(XmlFields, DepthAndNumberHaveLimits) {
  std::string deep;
  for (int i = 0; i < 17; ++i) deep += "<a>";
  for (int i = 0; i < 17; ++i) deep += "</a>";
  EXPECT_FALSE(read_xml_fields(deep));
  EXPECT_TRUE(read_xml_fields(deep.substr(3, deep.size() - 7)));
  std::string wide = "<a>";
  for (int i = 0; i < 20'001; ++i) wide += "<b/>";
  EXPECT_FALSE(read_xml_fields(wide + "</a>"));
}

}  // namespace
}  // namespace server
