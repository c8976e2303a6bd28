#include "protocol/json_parse.h"

#include <gtest/gtest.h>

#include <string>

namespace protocol::json {
namespace {

std::string message_of(const std::string& text, const Limits& limits = {}) {
  const auto json = parse_text(text, limits);
  return json ? "" : json.error().message;
}

// Returns {"0":{},"1":{},…}.
std::string object_of(int count) {
  std::string text = "{";
  for (int i = 0; i < count; ++i) {
    text += (i > 0 ? ",\"" : "\"") + std::to_string(i) + "\":{}";
  }
  return text + "}";
}

// Returns [{},{},…].
std::string array_of(int count) {
  std::string text = "[";
  for (int i = 0; i < count; ++i) text += i > 0 ? ",{}" : "{}";
  return text + "]";
}

TEST(JsonParse, CountsEachValueOnce) {
  struct Case {
    const char* text;
    std::size_t values;
  };
  const Case cases[] = {
      {"1", 1},
      {" [ ] ", 1},
      {"{}", 1},
      {"[1]", 2},
      {"[ 1 , 2 ]", 3},
      {"[[],{}]", 3},
      {R"({"a":1})", 2},
      {R"({"a":[1,2],"b":{"c":null}})", 6},
      {R"(["a,b[{\",]","\\",","])", 4},
      {R"("[[[,,,")", 1},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(message_of(c.text, {.values = c.values}), "") << c.text;
    EXPECT_NE(message_of(c.text, {.values = c.values - 1}).find("more than"), std::string::npos)
        << c.text;
  }
}

TEST(JsonParse, CountsDepthOutsideOfStringsAlone) {
  EXPECT_EQ(message_of("[[]]", {.depth = 2}), "");
  EXPECT_EQ(message_of(R"({"[[[[":"{{{{\"{{"})", {.depth = 1}), "");
  EXPECT_EQ(message_of("[{},{},[],[]]", {.depth = 2}), "");
  EXPECT_EQ(message_of(R"([{"a":[]}])", {.depth = 2}), "The JSON is nested deeper than 2 levels.");
  EXPECT_EQ(message_of(std::string(10'000, '[') + std::string(10'000, ']')),
            "The JSON is nested deeper than 64 levels.");
}

// A parser that visits all siblings after each object takes minutes for the largest of these.
TEST(JsonParse, TakesManySmallObjectsUpToTheLimit) {
  constexpr int most = 99'999;  // plus the whole itself
  for (const auto& text : {array_of(most), object_of(most)}) {
    const auto json = parse_text(text);
    ASSERT_TRUE(json) << json.error().message;
    EXPECT_EQ(json->size(), static_cast<std::size_t>(most));
  }
  for (const auto& text :
       {array_of(most + 1), object_of(most + 1), array_of(300'000), object_of(300'000)}) {
    EXPECT_EQ(message_of(text), "The JSON has more than 100000 values.");
  }
}

TEST(JsonParse, SaysWhatIsNoJson) {
  for (const char* text : {"", "{", "]", "[1,]", "nul", "{\"a\"}", "1 2", "\"\\\"", "[\"\xff\"]"}) {
    EXPECT_TRUE(message_of(text).starts_with("This is not JSON: "))
        << text << ": " << message_of(text);
  }
}

// The parser's own texts are for programmers, and quote what came.
TEST(JsonParse, SaysWhereATextStopsBeingJson) {
  EXPECT_EQ(message_of(" \n"), "This is not JSON: it is empty.");
  EXPECT_EQ(message_of("{\"a\": 1"), "This is not JSON: it ends too early, after 7 bytes.");
  EXPECT_EQ(message_of("[1,\n2,\n]"),
            "This is not JSON: byte 8, in line 3, is not what JSON has there.");
  EXPECT_EQ(message_of("hello"),
            "This is not JSON: byte 1, in line 1, is not what JSON has there.");
  EXPECT_EQ(message_of("[1e999]"), "This is not JSON: a number in it is too large.");
}

TEST(JsonParse, AnObjectIsAskedFor) {
  EXPECT_EQ(parse_object(R"({"a":1})").value()["a"], 1);
  EXPECT_EQ(parse_object("[]").error().message, "This is no JSON object but: array.");
  EXPECT_EQ(parse_object("[]").error().code, bad_message);
}

}  // namespace
}  // namespace protocol::json
