#include "server/config/settings_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <set>

namespace server {
namespace {

bool takes(const Setting& setting, const std::string& text) {
  Config config;
  return set_text(setting, config, text).has_value();
}

template <class T>
bool is(const Setting& setting) {
  Config config;
  return std::holds_alternative<T*>(setting.place(config));
}

bool is_number(const Setting& setting) {
  return is<std::int64_t>(setting) || is<double>(setting);
}

TEST(SettingsTable, EachKeyVariableAndPlaceIsThereOnce) {
  std::set<std::string> seen;
  std::set<const void*> places;
  Config config;
  for (const Setting& setting : settings()) {
    EXPECT_TRUE(seen.insert(std::string(setting.key)).second) << setting.key;
    EXPECT_TRUE(seen.insert(environment_name(setting)).second) << setting.key;
    const bool is_own_place =
        places
            .insert(
                std::visit([](auto* place) -> const void* { return place; }, setting.place(config)))
            .second;
    EXPECT_TRUE(is_own_place || setting.option != nullptr) << setting.key;
    EXPECT_TRUE(setting.help.ends_with('.')) << setting.key;
    EXPECT_EQ(find_setting(setting.key), &setting);
  }
}

TEST(SettingsTable, WhatIsBuiltInIsAllowed) {
  Config config;
  for (const Setting& setting : settings()) {
    if (setting.is_secret) continue;
    const bool fine =
        setting.option != nullptr ||  // protocol/option_table_test looks at those
        std::visit(
            [&](auto* place) {
              if constexpr (std::is_same_v<decltype(place), protocol::TranscribeOptions*>) {
                return false;
              } else {
                return set_value(setting, config, *place).has_value();
              }
            },
            setting.place(config));
    EXPECT_TRUE(fine) << setting.key;
  }
}

TEST(SettingsTable, NumbersHaveLimitsOnBothSides) {
  for (const Setting& setting : settings()) {
    if (!is_number(setting)) continue;
    EXPECT_LT(setting.max, std::numeric_limits<double>::max()) << setting.key << " has no end";
    const auto text = [](double value) { return std::to_string(static_cast<std::int64_t>(value)); };
    EXPECT_TRUE(takes(setting, text(setting.min))) << setting.key;
    EXPECT_TRUE(takes(setting, text(setting.max))) << setting.key;
    for (const std::string& wrong :
         {text(setting.min - 1), text(setting.max + 1), std::string("-1"), std::string("nan"),
          std::string("inf"), std::string("-inf"), std::string("1e308"),
          std::string("9223372036854775808"), std::string("18446744073709551616"),
          std::string("1x"), std::string("0x1"), std::string(" 1"), std::string("+1"),
          std::string("1,5"), std::string("\"1\""), std::string("null"), std::string("true")}) {
      EXPECT_FALSE(takes(setting, wrong)) << setting.key << " takes " << wrong;
    }
  }
}

TEST(SettingsTable, ValuesOfAnotherTypeAreRefused) {
  for (const Setting& setting : settings()) {
    if (setting.option != nullptr) continue;  // tests/server/options looks at those
    Config config;
    EXPECT_EQ(set_value(setting, config, true).has_value(), is<bool>(setting)) << setting.key;
    EXPECT_EQ(set_value(setting, config, static_cast<std::int64_t>(setting.min)).has_value(),
              is_number(setting))
        << setting.key;
    EXPECT_EQ(set_value(setting, config, setting.min).has_value(), is<double>(setting))
        << setting.key;
    EXPECT_FALSE(set_value(setting, config, std::nan(""))) << setting.key;
    EXPECT_EQ(set_value(setting, config, std::vector<std::string>{"a"}).has_value(),
              is<std::vector<std::string>>(setting))
        << setting.key;
  }
}

TEST(SettingsTable, ChoicesAreNamedInTheError) {
  Config config;
  const auto set = set_text(*find_setting("log.format"), config, "xml");
  ASSERT_FALSE(set);
  EXPECT_EQ(set.error().message, "log.format must be one of logfmt, json");
  EXPECT_TRUE(set_text(*find_setting("log.format"), config, "json"));
  EXPECT_EQ(config.log.format, "json");
}

TEST(SettingsTable, ReadsTextsOfTheEnvironment) {
  Config config;
  EXPECT_TRUE(set_text(*find_setting("log.spoken_text"), config, "yes"));
  EXPECT_TRUE(config.log.spoken_text);
  EXPECT_FALSE(set_text(*find_setting("log.spoken_text"), config, "maybe"));
  EXPECT_TRUE(set_text(*find_setting("inputs.allow_paths"), config, "/a b, /c,,"));
  EXPECT_EQ(config.inputs.allow_paths, (std::vector<std::string>{"/a b", "/c"}));
  EXPECT_TRUE(set_text(*find_setting("mcp.wait_budget_s"), config, "1.5"));
  EXPECT_EQ(config.mcp.wait_budget_s, 1.5);
  EXPECT_FALSE(set_value(*find_setting("model.default"), config, std::string("a\0b", 3)));
}

TEST(SettingsTable, FindsTheNearestName) {
  EXPECT_EQ(nearest_key("server.listn"), "server.listen");
  EXPECT_EQ(nearest_key("sever.listen"), "server.listen");
  EXPECT_EQ(nearest_key("jobs.keep_alive"), "model.keep_alive");
  EXPECT_EQ(nearest_key("wait_budget_s"), "mcp.wait_budget_s");
  EXPECT_EQ(nearest_key("colour.of.the.sky"), "");
  EXPECT_EQ(nearest_key(""), "");
  EXPECT_EQ(nearest_key(std::string(100'000, 'x')), "");
}

TEST(SettingsTable, WritesValuesAsToml) {
  Config config;
  config.inputs.allow_paths = {"/a \"b\"", "/c\n"};
  EXPECT_EQ(value_text(*find_setting("inputs.allow_paths"), config), R"(["/a \"b\"", "/c\n"])");
  EXPECT_EQ(value_text(*find_setting("mcp.wait_budget_s"), config), "45");
  EXPECT_EQ(value_text(*find_setting("log.spoken_text"), config), "false");
  EXPECT_EQ(value_text(*find_setting("server.max_upload_bytes"), config), "2147483648");
}

TEST(SettingsTable, SecretsAreNotShown) {
  Config config;
  config.server.api_key = "hunter2";
  EXPECT_EQ(value_text(*find_setting("server.api_key"), config), "(set)");
  EXPECT_EQ(value_text(*find_setting("server.api_key"), Config()), "(not set)");
}

TEST(SettingsTable, DecodingOptionsAreSettingsWhereTheyConcernNoSingleRecording) {
  Config config;
  const auto set = [&](const char* key, const std::string& text) {
    return set_text(*find_setting(key), config, text);
  };
  EXPECT_TRUE(set("transcription.beam_size", "1"));
  EXPECT_TRUE(set("transcription.no_speech_threshold", "none"));
  EXPECT_TRUE(set("transcription.long_form", "parallel"));
  EXPECT_EQ(config.transcription,
            (protocol::TranscribeOptions{.beam_size = 1,
                                         .no_speech_threshold = std::nullopt,
                                         .long_form = protocol::LongForm::parallel}));
  const auto& threshold = *find_setting("transcription.no_speech_threshold");
  EXPECT_EQ(value_text(threshold, config), "\"none\"");
  EXPECT_TRUE(set_value(threshold, config, 0.5));
  EXPECT_EQ(value_text(threshold, config), "0.5");
  EXPECT_EQ(set("transcription.beam_size", "0").error().message,
            "transcription.beam_size must be a whole number from 1 to 100");
  EXPECT_FALSE(set_value(*find_setting("transcription.beam_size"), config, std::string("5")));
  EXPECT_EQ(find_setting("transcription.language"), nullptr);
}

}  // namespace
}  // namespace server
