#include "server/options/option_schema.h"

#include <gtest/gtest.h>

namespace server {
namespace {

using Json = nlohmann::ordered_json;

Json schema_of(const char* name) {
  Json schema = option_schema(*protocol::find_option(name));
  EXPECT_FALSE(schema["description"].get<std::string>().empty());
  schema.erase("description");
  return schema;
}

TEST(OptionSchema, SaysTypeLimitsAndDefault) {
  EXPECT_EQ(schema_of("beam_size").dump(),
            R"({"type":"integer","minimum":1,"maximum":100,"default":5})");
  EXPECT_EQ(schema_of("patience").dump(),
            R"({"type":"number","minimum":0.01,"maximum":100,"default":1.0})");
  EXPECT_EQ(schema_of("vad_filter").dump(), R"({"type":"boolean","default":false})");
  EXPECT_EQ(schema_of("task").dump(),
            R"({"type":"string","enum":["transcribe","translate"],"default":"transcribe"})");
  EXPECT_EQ(schema_of("languages").dump(), R"({"type":"array","items":{"type":"string"}})");
  EXPECT_EQ(schema_of("hotwords").dump(), R"({"type":"string"})");
}

TEST(OptionSchema, WhatMayBeUnsetTakesNone) {
  EXPECT_EQ(schema_of("no_speech_threshold").dump(),
            R"({"anyOf":[{"type":"number"},{"const":"none"}],"default":0.6})");
}

}  // namespace
}  // namespace server
