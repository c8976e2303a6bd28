#include "server/options/line_options.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(LineOptions, AreSetFromText) {
  protocol::WriterOptions options;
  EXPECT_FALSE(has_line_option(options));
  ASSERT_TRUE(set_line_option("parameter ", "max_line_width", "42", options));
  ASSERT_TRUE(set_line_option("parameter ", "max_line_count", "2", options));
  ASSERT_TRUE(set_line_option("parameter ", "max_words_per_line", "7", options));
  ASSERT_TRUE(set_line_option("parameter ", "highlight_words", "true", options));
  EXPECT_EQ(options.max_line_width, 42);
  EXPECT_EQ(options.max_line_count, 2);
  EXPECT_EQ(options.max_words_per_line, 7);
  EXPECT_TRUE(options.highlight_words);
  EXPECT_TRUE(has_line_option(options));
}

TEST(LineOptions, SayWhatTheyTake) {
  protocol::WriterOptions options;
  for (const char* text : {"", "0", "1001", "4.5", "two", "42 "}) {
    const auto set = set_line_option("parameter ", "max_line_width", text, options);
    ASSERT_FALSE(set) << text;
    EXPECT_EQ(set.error().message,
              "The parameter max_line_width must be a whole number from 1 to 1000.");
  }
  EXPECT_EQ(set_line_option("field ", "highlight_words", "maybe", options).error().message,
            "The field highlight_words must be true or false.");
  EXPECT_FALSE(has_line_option(options));
}

TEST(LineOptions, AreFourNames) {
  EXPECT_TRUE(is_line_option("max_words_per_line"));
  EXPECT_FALSE(is_line_option("subtitle_style"));
}

TEST(LineOptions, AreDescribedByTheirLimits) {
  for (const LineOption& option : line_options) {
    const auto schema = line_option_schema(option);
    EXPECT_EQ(schema["type"], option.is_flag ? "boolean" : "integer") << option.name;
    EXPECT_EQ(schema.contains("minimum"), !option.is_flag) << option.name;
    EXPECT_EQ(schema.value("maximum", most_of_line_option), most_of_line_option) << option.name;
    EXPECT_EQ(schema["description"], option.help);
  }
}

}  // namespace
}  // namespace server
