#include "server/options/set_option.h"

#include <gtest/gtest.h>

#include <string>

#include "server/options/text_limits.h"

namespace server {
namespace {

using nlohmann::json;
using protocol::TranscribeOptions;

Result<void> set_text(std::string_view name, std::string_view text, TranscribeOptions& options) {
  return set_option(*protocol::find_option(name), "option", text, options);
}

// Returns the option's value on the wire after `text` was given for it.
json after(std::string_view name, std::string_view text) {
  TranscribeOptions options;
  const auto set = set_text(name, text, options);
  if (!set) return set.error().message;
  return protocol::option_value(*protocol::find_option(name), options);
}

TEST(SetOption, ReadsTextAsTheOptionsType) {
  EXPECT_EQ(after("beam_size", "3"), 3);
  EXPECT_EQ(after("patience", "1.5"), 1.5);
  EXPECT_EQ(after("seed", "18446744073709551615"), 18446744073709551615ULL);
  EXPECT_EQ(after("vad_filter", "True"), true);
  EXPECT_EQ(after("long_form", "parallel"), "parallel");
  EXPECT_EQ(after("long_form", "Parallel"), "parallel") << "names count in any case";
  EXPECT_EQ(after("initial_prompt", "None"), "None");
  EXPECT_EQ(after("temperatures", "0,0.4"), (json{0.0, 0.4}));
  EXPECT_EQ(after("logprob_threshold", "-0.5"), -0.5);
  EXPECT_EQ(after("suppress_tokens", "-1,42"), "-1,42");
}

TEST(SetOption, NoneUnsetsWhatMayBeUnset) {
  EXPECT_EQ(after("logprob_threshold", "none"), nullptr);
  EXPECT_EQ(after("no_speech_threshold", "None"), nullptr);
  EXPECT_EQ(after("patience", "none"), "The option must be a number from 0.01 to 100.");
}

TEST(SetOption, LanguagesAreCodesOrNames) {
  EXPECT_EQ(after("language", "German"), "de");
  EXPECT_EQ(after("language", "auto"), "");
  EXPECT_EQ(after("languages", "de, French,EN"), (json{"de", "fr", "en"}));
  TranscribeOptions options;
  for (const char* wrong : {"klingon", "de,", "", "de,auto"}) {
    EXPECT_EQ(set_text("languages", wrong, options).error().code, errc::usage) << wrong;
  }
  EXPECT_EQ(set_text("language", "klingon", options).error().code, errc::usage);
  EXPECT_EQ(options, TranscribeOptions());
}

TEST(SetOption, ClipsRiseAndZeroIsEverything) {
  EXPECT_EQ(after("clip_timestamps", "0"), json::array());
  EXPECT_EQ(after("clip_timestamps", "10"), json{10.0});
  EXPECT_EQ(after("clip_timestamps", "0,10,20,30"), (json{0.0, 10.0, 20.0, 30.0}));
  TranscribeOptions options;
  for (const char* wrong : {"10,5", "-1,5", "one"}) {
    EXPECT_EQ(set_text("clip_timestamps", wrong, options).error().code, errc::usage) << wrong;
  }
}

TEST(SetOption, RefusesWhatIsBeyondTheLimitsAndSaysThem) {
  const std::pair<const char*, const char*> table[] = {
      {"beam_size", "0"},         {"beam_size", "2.5"},   {"beam_size", "many"},
      {"patience", "nan"},        {"patience", "1e999"},  {"vad_filter", "perhaps"},
      {"fallback", "last"},       {"seed", "-1"},         {"no_repeat_ngram_size", "449"},
      {"suppress_tokens", "all"}, {"length_penalty", ""}, {"language_detection_segments", "0"}};
  for (const auto& [name, text] : table) {
    TranscribeOptions options;
    const auto set = set_text(name, text, options);
    ASSERT_FALSE(set) << name << "=" << text;
    EXPECT_EQ(set.error().code, errc::usage);
    EXPECT_TRUE(set.error().message.starts_with("The option must be ")) << set.error().message;
    EXPECT_EQ(options, TranscribeOptions());
  }
}

TEST(SetOption, TextsAndListsHaveLimits) {
  TranscribeOptions options;
  const std::string text(max_text_bytes, 'a');
  EXPECT_TRUE(set_text("initial_prompt", text, options));
  EXPECT_EQ(set_text("initial_prompt", text + "a", options).error().message,
            "The option has 8193 bytes, and may have 8192 at most.");
  const auto languages = [&](std::size_t count) {
    return set_option_json(*protocol::find_option("languages"), "option", json(count, "de"),
                           options);
  };
  EXPECT_TRUE(languages(max_languages));
  EXPECT_FALSE(languages(max_languages + 1));
}

TEST(SetOption, JsonHasToBeOfTheOptionsType) {
  TranscribeOptions options;
  const auto set = [&](const char* name, json value) {
    return set_option_json(*protocol::find_option(name), "argument", std::move(value), options);
  };
  EXPECT_TRUE(set("languages", {"German"}));
  EXPECT_EQ(options.languages, std::vector<std::string>{"de"});
  EXPECT_TRUE(set("multilingual", true));
  EXPECT_TRUE(set("hallucination_silence_threshold", "none"));
  for (const auto& [name, value] :
       std::initializer_list<std::pair<const char*, json>>{{"beam_size", "5"},
                                                           {"multilingual", "true"},
                                                           {"hotwords", 1},
                                                           {"languages", {1}},
                                                           {"language", {"de"}},
                                                           {"task", nullptr},
                                                           {"clip_timestamps", {"1"}}}) {
    EXPECT_EQ(set(name, value).error().code, errc::usage) << name << value;
  }
}

}  // namespace
}  // namespace server
