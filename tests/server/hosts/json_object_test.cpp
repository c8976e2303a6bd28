#include "server/hosts/json_object.h"

#include <gtest/gtest.h>

namespace server {
namespace {

std::string value_of(std::string_view json, std::string_view key) {
  const auto place = member_value(json, root_object(json), key);
  return place ? std::string(json.substr(place->begin, place->end - place->begin)) : "none";
}

TEST(JsonObject, FindsMembersOfItsOwnAlone) {
  constexpr std::string_view json =
      R"( {"a": "x, \"b\": 1}", "c" : {"b": [1, {"d": "]"}]}, "n":-1.5e3,"t":true , "b": 2 } )";
  EXPECT_EQ(value_of(json, "a"), R"("x, \"b\": 1}")");
  EXPECT_EQ(value_of(json, "c"), R"({"b": [1, {"d": "]"}]})");
  EXPECT_EQ(value_of(json, "n"), "-1.5e3");
  EXPECT_EQ(value_of(json, "t"), "true");
  EXPECT_EQ(value_of(json, "b"), "2");
  EXPECT_EQ(value_of(json, "d"), "none");
  EXPECT_EQ(value_of("{}", "a"), "none");
}

struct Added {
  const char* before;
  const char* after;
};

TEST(JsonObject, AddsAMemberInTheStyleOfTheOthers) {
  for (const auto& [before, after] : {
           Added{"{}", "{\n  \"k\": {\n    \"v\": 1\n  }\n}"},
           Added{"{\n}\n", "{\n  \"k\": {\n    \"v\": 1\n  }\n}\n"},
           Added{"{\"a\": 1}", "{\"a\": 1,\n  \"k\": {\n    \"v\": 1\n  }\n}"},
           Added{"{\n\t\"a\": [\n\t]\n}", "{\n\t\"a\": [\n\t],\n\t\"k\": {\n\t  \"v\": 1\n\t}\n}"},
           Added{"{\n    \"a\": 1\n}", "{\n    \"a\": 1,\n    \"k\": {\n      \"v\": 1\n    }\n}"},
       }) {
    EXPECT_EQ(with_member(before, root_object(before), "k", "{\n  \"v\": 1\n}"), after);
  }
}

TEST(JsonObject, AddsToAnObjectInside) {
  const std::string json = "{\n  \"s\": {},\n  \"z\": 1\n}";
  const auto inner = member_value(json, root_object(json), "s");
  ASSERT_TRUE(inner);
  EXPECT_EQ(with_member(json, *inner, "k", "1"),
            "{\n  \"s\": {\n    \"k\": 1\n  },\n  \"z\": 1\n}");
}

TEST(JsonObject, ReplacesAValue) {
  const std::string json = "{\n  \"s\": {\"old\": 1},\n  \"z\": 1\n}";
  const auto place = member_value(json, root_object(json), "s");
  ASSERT_TRUE(place);
  EXPECT_EQ(with_value(json, *place, "{\n  \"v\": 2\n}"),
            "{\n  \"s\": {\n    \"v\": 2\n  },\n  \"z\": 1\n}");
}

}  // namespace
}  // namespace server
