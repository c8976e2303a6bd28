#include "protocol/option_table.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <set>
#include <vector>

namespace protocol {
namespace {

TEST(OptionTable, EachNameStandsOnceAndSaysWhatItIs) {
  std::set<std::string_view> names;
  for (const Option& option : option_table()) {
    EXPECT_TRUE(names.insert(option.name).second) << option.name;
    EXPECT_FALSE(option.help.empty()) << option.name;
    EXPECT_FALSE(option.help.ends_with('.')) << option.name;
    EXPECT_FALSE(option.group.empty()) << option.name;
    EXPECT_EQ(find_option(option.name), &option);
  }
  EXPECT_EQ(find_option("colour"), nullptr);
}

// A field without a row would be lost between two processes: nothing but padding may lie between
// those that have one.
TEST(OptionTable, HoldsEachField) {
  struct Place {
    std::size_t begin, end, alignment;
  };
  std::vector<Place> places;
  const TranscribeOptions options;
  for (const Option& option : option_table()) {
    const auto place = [&](auto member) {
      const auto& field = options.*member;
      const auto begin =
          reinterpret_cast<std::uintptr_t>(&field) - reinterpret_cast<std::uintptr_t>(&options);
      return Place{begin, begin + sizeof(field), alignof(decltype(field))};
    };
    places.push_back(std::visit(place, option.member));
  }
  std::ranges::sort(places, {}, &Place::begin);
  places.push_back({sizeof(options), sizeof(options), alignof(TranscribeOptions)});
  std::size_t end = 0;
  for (const Place& place : places) {
    EXPECT_GE(place.begin, end) << "two rows of one field";
    EXPECT_LT(place.begin - end, place.alignment) << "no row for what lies at " << end;
    end = place.end;
  }
}

TEST(OptionTable, DefaultsAreWithinTheirLimits) {
  EXPECT_EQ(option_problem({}), "");
}

TEST(OptionTable, NamesTheFirstOptionBeyondItsLimits) {
  EXPECT_EQ(option_problem({.beam_size = 0}), "beam_size must be a whole number from 1 to 100");
  EXPECT_EQ(option_problem({.temperatures = {0, 3}}),
            "temperatures must be a list of numbers from 0 to 2");
  EXPECT_EQ(option_problem({.sample_len = 0}),
            "sample_len must be a whole number from 1 to 448, or none");
  EXPECT_EQ(option_problem({.patience = std::numeric_limits<double>::quiet_NaN()}),
            "patience must be a number from 0.01 to 100");
}

TEST(OptionTable, SaysWhatAnOptionMayBe) {
  const std::pair<const char*, const char*> table[] = {
      {"vad_filter", "true or false"},
      {"hotwords", "a text"},
      {"languages", "a list of texts"},
      {"task", "one of transcribe, translate"},
      {"logprob_threshold", "a number, or none"},
      {"live_chunk", "a number from 0.2 to 10, or none"},
      {"clip_timestamps", "a list of numbers from 0"}};
  for (const auto& [name, values] : table) {
    EXPECT_EQ(allowed_values(*find_option(name)), values) << name;
  }
}

TEST(OptionTable, AValueOfAnotherTypeOrBeyondTheLimitsIsNotTaken) {
  TranscribeOptions options;
  EXPECT_TRUE(set_option_value(*find_option("beam_size"), 3, options));
  EXPECT_TRUE(set_option_value(*find_option("no_speech_threshold"), nullptr, options));
  EXPECT_TRUE(set_option_value(*find_option("fallback"), "openai", options));
  const TranscribeOptions before = options;
  EXPECT_EQ(before.beam_size, 3);
  EXPECT_EQ(before.no_speech_threshold, std::nullopt);
  EXPECT_EQ(before.fallback, Fallback::openai);
  EXPECT_FALSE(set_option_value(*find_option("beam_size"), 101, options));
  EXPECT_FALSE(set_option_value(*find_option("beam_size"), "3", options));
  EXPECT_FALSE(set_option_value(*find_option("fallback"), "last", options));
  EXPECT_EQ(options, before);
}

TEST(OptionTable, AllOptionsComeBackFromJson) {
  TranscribeOptions options{.languages = {"de"},
                            .task = Task::translate,
                            .temperatures = {0.3},
                            .no_speech_threshold = std::nullopt,
                            .fallback = Fallback::openai,
                            .encoder_window = EncoderWindow::shortened,
                            .seed = 7,
                            .subtitle_style = SubtitleStyle::bbc,
                            .long_form = LongForm::parallel,
                            .known_speakers = {{"Ada", "AAA="}, {"Grace", ""}}};
  json::Reader reader;
  TranscribeOptions read;
  reader.read(nlohmann::json(json::write(options)), "", read);
  EXPECT_EQ(reader.problem(), "");
  EXPECT_EQ(read, options);
}

}  // namespace
}  // namespace protocol
