#include "protocol/json_pieces.h"

#include <gtest/gtest.h>

#include "protocol/json_text.h"
#include "protocol/python_json.h"

namespace protocol::json {
namespace {

using Json = nlohmann::ordered_json;

TEST(JsonPieces, AreWhatTheWholeWouldBe) {
  const Json first{{"a", 1.5}, {"b", "\"\xc3\xa9\xff"}};
  const Json whole{{"name", "x\ny"},
                   {"items", {first, 2}},
                   {"none", Json::array()},
                   {"more", {{"null", nullptr}}}};
  for (const TextStyle* style : {&compact_style, &python_style}) {
    ObjectText text(*style);
    text.add("name", whole["name"]);
    text.begin_list("items");
    for (const auto& one : whole["items"]) text.add_item(one);
    text.end_list();
    text.begin_list("none");
    text.end_list();
    text.add("more", whole["more"]);
    EXPECT_EQ(text.take(), style == &compact_style ? dump(whole) : python_json(whole));
    EXPECT_EQ(ObjectText(*style).take(), "{}");
  }
}

}  // namespace
}  // namespace protocol::json
