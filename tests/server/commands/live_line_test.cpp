#include "server/commands/live_line.h"

#include <gtest/gtest.h>

namespace server {
namespace {

TEST(LiveLineText, ShowsTheEndOfWhatIsSaid) {
  struct Row {
    protocol::LiveText live;
    int width;
    const char* shown;
  };
  const std::vector<Row> table{
      {{61, "", ""}, 20, "\x1b[2mlistening 1:01\x1b[0m"},
      {{61, "", ""}, 9, "\x1b[2mlistening\x1b[0m"},
      {{1, " So", ""}, 10, "So"},
      {{1, " So", " it is"}, 20, "So\x1b[2m it is\x1b[0m"},
      {{1, "", " it is"}, 20, "\x1b[2mit is\x1b[0m"},
      {{1, " So far", " it is"}, 12, "So far\x1b[2m it is\x1b[0m"},
      {{1, " So far", " it is"}, 11, "…far\x1b[2m it is\x1b[0m"},
      {{1, " So far", " it is"}, 10, "…far\x1b[2m it is\x1b[0m"},
      {{1, " So far", " it is"}, 9, "\x1b[2m…it is\x1b[0m"},
      {{1, " So far", " it is"}, 6, "\x1b[2m…it is\x1b[0m"},
      {{1, " So far", " it is"}, 5, "\x1b[2m…is\x1b[0m"},
      {{1, " grün", ""}, 3, "…ün"},
      {{1, "今日は", ""}, 4, "…は"},
      {{1, "今日は", ""}, 5, "…日は"},
      {{1, "今日", "は"}, 3, "\x1b[2m…は\x1b[0m"},
      {{1, " So", " it is"}, 0, ""},
  };
  for (const Row& row : table) {
    EXPECT_EQ(live_line_text(row.live, row.width), row.shown) << row.width << row.live.tail;
  }
}

}  // namespace
}  // namespace server
