#include "platform/matrix/row_reader.h"

#include <gtest/gtest.h>

namespace platform {
namespace {

using nlohmann::json;

std::string fault_of(const json& row, void (*read)(RowReader&)) {
  RowReader reader(row);
  read(reader);
  return reader.fault();
}

TEST(RowReader, ReadsEveryKindOfField) {
  const json row = json::parse(R"({"text":"a","whole":7,"number":1.5,"flag":true,
    "version":"535.54.03","cc":"8.6","ccs":["7.5","sm_80"],"texts":["x","y"],"id":"10de",
    "lists":[["a","b"],["c"]],"nothing":null})");
  RowReader reader(row);
  EXPECT_EQ(reader.text("text"), "a");
  EXPECT_EQ(reader.text_of("text", {"b", "a"}), "a");
  EXPECT_EQ(reader.whole("whole", 0, 10), 7);
  EXPECT_EQ(reader.number("number", 0, 2), 1.5);
  EXPECT_TRUE(reader.flag("flag"));
  EXPECT_EQ(reader.version("version").text(), "535.54.03");
  EXPECT_EQ(reader.capability("cc").text(), "8.6");
  EXPECT_EQ(reader.capabilities("ccs").back().text(), "8.0");
  EXPECT_EQ(reader.texts("texts").size(), 2u);
  EXPECT_EQ(reader.pci_id("id"), 0x10de);
  EXPECT_EQ(reader.text_lists("lists").front().back(), "b");
  EXPECT_FALSE(reader.has("nothing"));
  EXPECT_EQ(reader.fault(), "");
}

TEST(RowReader, TakesMissingOptionalFieldsAsEmpty) {
  const json row = json::object();
  RowReader reader(row);
  EXPECT_EQ(reader.optional_text("a"), "");
  EXPECT_FALSE(reader.flag("a"));
  EXPECT_FALSE(reader.number("a", 0, 1));
  EXPECT_FALSE(reader.optional_version("a"));
  EXPECT_FALSE(reader.optional_capability("a"));
  EXPECT_TRUE(reader.texts("a").empty());
  EXPECT_TRUE(reader.capabilities("a").empty());
  EXPECT_TRUE(reader.text_lists("a").empty());
  EXPECT_EQ(reader.fault(), "");
}

TEST(RowReader, NamesTheFieldThatIsWrong) {
  using Read = void (*)(RowReader&);
  const std::tuple<const char*, Read, const char*> cases[] = {
      {"{}", [](RowReader& r) { r.text("a"); }, "a is missing"},
      {R"({"a":""})", [](RowReader& r) { r.text("a"); }, "a is not a text"},
      {R"({"a":5})", [](RowReader& r) { r.optional_text("a"); }, "a is not a text"},
      {R"({"a":"x"})", [](RowReader& r) { r.text_of("a", {"y"}); },
       "a is none of the known words: x"},
      {R"({"a":1.5})", [](RowReader& r) { r.whole("a", 0, 9); }, "a is not a whole number"},
      {R"({"a":10})", [](RowReader& r) { r.whole("a", 0, 9); }, "a is out of range"},
      {R"({"a":18446744073709551615})", [](RowReader& r) { r.whole("a", 0, 9); },
       "a is out of range"},
      {R"({"a":"1"})", [](RowReader& r) { r.number("a", 0, 9); }, "a is not a number"},
      {R"({"a":1e300})", [](RowReader& r) { r.number("a", 0, 9); }, "a is out of range"},
      {R"({"a":1})", [](RowReader& r) { r.flag("a"); }, "a is neither true nor false"},
      {R"({"a":"5.x"})", [](RowReader& r) { r.version("a"); }, "a is not a version: 5.x"},
      {R"({"a":"8"})", [](RowReader& r) { r.capability("a"); }, "a is not a compute capability: 8"},
      {R"({"a":"8.6"})", [](RowReader& r) { r.capabilities("a"); }, "a is not a list"},
      {R"({"a":["8"]})", [](RowReader& r) { r.capabilities("a"); },
       "a holds no compute capability: 8"},
      {R"({"a":[1]})", [](RowReader& r) { r.texts("a"); }, "a holds something that is not a text"},
      {R"({"a":["x"]})", [](RowReader& r) { r.text_lists("a"); },
       "a holds something that is no list of texts"},
      {R"({"a":[[]]})", [](RowReader& r) { r.text_lists("a"); }, "a holds an empty list"},
      {R"({"a":"10dez"})", [](RowReader& r) { r.pci_id("a"); },
       "a is not a PCI id of four hexadecimal digits"},
      {R"([1])", [](RowReader& r) { r.optional_text("a"); }, "the row is not an object"},
  };
  for (const auto& [row, read, fault] : cases) {
    EXPECT_EQ(fault_of(json::parse(row), read), fault) << row;
  }
}

TEST(RowReader, KeepsTheFirstFault) {
  const json row = json::object();
  RowReader reader(row);
  reader.text("first");
  reader.text("second");
  reader.refuse("third");
  EXPECT_EQ(reader.fault(), "first is missing");
}

}  // namespace
}  // namespace platform
