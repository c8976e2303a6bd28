#include "server/options/option_values.h"

#include <gtest/gtest.h>

namespace server {
namespace {

using Numbers = std::vector<double>;

TEST(FallbackTemperatures, RiseToOneByTheIncrement) {
  const auto values = fallback_temperatures({0}, 0.2).value();
  ASSERT_EQ(values.size(), 6u);
  for (std::size_t i = 0; i < values.size(); ++i) {
    EXPECT_NEAR(values[i], 0.2 * static_cast<double>(i), 1e-12);
  }
}

TEST(FallbackTemperatures, StartWhereTheyWereTold) {
  EXPECT_EQ(fallback_temperatures({0.5}, 0.5).value(), (Numbers{0.5, 1.0}));
  EXPECT_EQ(fallback_temperatures({1.5}, 0.2).value(), (Numbers{1.5}));
}

TEST(FallbackTemperatures, AreOneWithoutAnIncrement) {
  EXPECT_EQ(fallback_temperatures({0.3}, std::nullopt).value(), (Numbers{0.3}));
}

TEST(FallbackTemperatures, LeaveAListAsItIs) {
  EXPECT_EQ(fallback_temperatures({0, 0.7}, 0.2).value(), (Numbers{0, 0.7}));
}

TEST(FallbackTemperatures, RefuseWhatCannotWork) {
  EXPECT_EQ(fallback_temperatures({-1}, 0.2).error().code, errc::usage);
  EXPECT_EQ(fallback_temperatures({0}, 0.0).error().code, errc::usage);
  EXPECT_EQ(fallback_temperatures({0}, -0.2).error().code, errc::usage);
  EXPECT_EQ(fallback_temperatures({0}, 1e-9).error().code, errc::usage);
}

TEST(OptionalNumber, IsOffForNone) {
  EXPECT_FALSE(parse_optional_number("None").value());
  EXPECT_EQ(parse_optional_number("-1.5").value(), -1.5);
}

TEST(OptionalNumber, RefusesWhatIsNoFiniteNumber) {
  for (const char* text : {"", "1x", "nan", "inf", "1e999"}) {
    EXPECT_TRUE(parse_optional_number(text).has_error()) << text;
  }
}

TEST(Numbers, AreSeparatedByCommas) {
  EXPECT_EQ(parse_numbers("0,0.2, 0.4").value(), (Numbers{0, 0.2, 0.4}));
  EXPECT_TRUE(parse_numbers("0,,1").has_error());
  EXPECT_TRUE(parse_numbers("0,").has_error());
}

TEST(Boolean, UnderstandsPythonsWords) {
  EXPECT_TRUE(parse_boolean("True").value());
  EXPECT_FALSE(parse_boolean("False").value());
  EXPECT_TRUE(parse_boolean("maybe").has_error());
}

TEST(Language, IsACodeANameOrAuto) {
  EXPECT_EQ(parse_language("auto").value(), "");
  EXPECT_EQ(parse_language("de").value(), "de");
  EXPECT_EQ(parse_language("German").value(), "de");
  EXPECT_EQ(parse_language("pt-BR").value(), "pt");
  EXPECT_EQ(parse_language("Klingon").error().code, errc::usage);
}

TEST(Words, AreSeparatedByCommas) {
  EXPECT_EQ(parse_words("de, French,EN"), (std::vector<std::string>{"de", "French", "EN"}));
  EXPECT_EQ(parse_words(""), std::vector<std::string>{""});
}

TEST(OptionValues, AnAudioTrackIsANumberOrALanguage) {
  EXPECT_EQ(parse_audio_track("2").value(), "2");
  EXPECT_EQ(parse_audio_track("French").value(), "fr");
  EXPECT_EQ(parse_audio_track("ger").value(), "de");
  for (const char* wrong : {"0", "1001", "-1", "", "1x", "klingon"}) {
    EXPECT_FALSE(parse_audio_track(wrong)) << wrong;
  }
}

}  // namespace
}  // namespace server
