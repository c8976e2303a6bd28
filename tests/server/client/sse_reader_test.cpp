#include "server/client/sse_reader.h"

#include <gtest/gtest.h>

namespace server {
namespace {

using Events = std::vector<std::string>;

TEST(SseReader, GivesTheDataOfEachEvent) {
  SseReader reader;
  EXPECT_EQ(reader.take("data: one\n\ndata:two\n\n"), (Events{"one", "two"}));
}

TEST(SseReader, TakesBytesAsTheyCome) {
  const std::string stream = "data: one\r\n\r\n: sign of life\n\nevent: x\ndata: a\ndata: b\n\n";
  SseReader reader;
  Events events;
  for (const char byte : stream) {
    for (auto& event : reader.take({&byte, 1})) events.push_back(std::move(event));
  }
  EXPECT_EQ(events, (Events{"one", "a\nb"}));
}

TEST(SseReader, AnEventThatHasNotEndedIsNone) {
  SseReader reader;
  EXPECT_EQ(reader.take("data: one\n"), Events{});
  EXPECT_EQ(reader.take("\n"), Events{"one"});
}

TEST(SseReader, AnEventWithoutDataIsNone) {
  EXPECT_EQ(SseReader().take(": quiet\n\nid: 1\n\n\n"), Events{});
}

TEST(SseReader, GivesUpOnAnEventThatIsTooLong) {
  SseReader reader(16);
  EXPECT_EQ(reader.take("data: short\n\n"), Events{"short"});
  EXPECT_FALSE(reader.is_too_long());
  EXPECT_EQ(reader.take("data: 0123456789"), Events{});
  EXPECT_EQ(reader.take("0123456789\n\ndata: b\n\n"), Events{});
  EXPECT_TRUE(reader.is_too_long());
}

}  // namespace
}  // namespace server
