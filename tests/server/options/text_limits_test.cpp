#include "server/options/text_limits.h"

#include <gtest/gtest.h>

#include <vector>

namespace server {
namespace {

using Labels = std::vector<std::string>;

TEST(TextLimits, LabelsAreNoneOrTwoWordsForSplitChannels) {
  struct Case {
    Labels labels;
    bool is_split;
    const char* part;  // part of the error; empty: none
  };
  const std::string longest(max_name_bytes, 'a');
  for (const auto& c :
       {Case{{}, false, ""}, Case{{}, true, ""}, Case{{"A", longest}, true, ""},
        Case{{"A", "B"}, false, "needs channels that are split"}, Case{{"A"}, true, "two words"},
        Case{{"A", "B", "C"}, true, "two words"}, Case{{"A", ""}, true, "two words"},
        Case{{"A", "B\nC"}, true, "two words"}, Case{{"A", "B\x1b[2J"}, true, "two words"},
        Case{{"A", longest + "a"}, true, "256 bytes"}}) {
    const auto fine = check_labels("option --channel-labels", c.labels, c.is_split);
    const std::string message = fine ? "" : fine.error().message;
    EXPECT_EQ(fine.has_value(), std::string(c.part).empty()) << message;
    EXPECT_NE(message.find(c.part), std::string::npos) << message;
    if (fine) continue;
    EXPECT_NE(message.find("option --channel-labels"), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace server
