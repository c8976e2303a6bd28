#include "server/mcp/tools/delivery.h"

#include "tests/server/mcp/tools/tools_fixture.h"

namespace server {
namespace {

using mcp::Json;

Delivery delivery_of(const Json& given) {
  Arguments arguments(given);
  return read_delivery(arguments);
}

TEST(Delivery, IsTextWithSegmentsBesideItUnlessAskedForOtherwise) {
  const Delivery plain = delivery_of(Json::object());
  EXPECT_EQ(plain.format, "text");
  EXPECT_FALSE(plain.is_file());
  EXPECT_FALSE(plain.with_times);
  EXPECT_TRUE(plain.with_segments);
  EXPECT_FALSE(plain.with_words);
}

TEST(Delivery, TimesOfWordsComeWithThoseOfSegments) {
  struct Case {
    const char* timestamps;
    bool times, segments, words;
  };
  for (const auto& c : {Case{"none", false, false, false}, Case{"segment", true, true, false},
                        Case{"word", true, true, true}}) {
    const Delivery found = delivery_of({{"timestamps", c.timestamps}});
    EXPECT_EQ(found.with_times, c.times) << c.timestamps;
    EXPECT_EQ(found.with_segments, c.segments) << c.timestamps;
    EXPECT_EQ(found.with_words, c.words) << c.timestamps;
  }
}

TEST(Delivery, IsAFileWhereAFormatOrAFileIsNamed) {
  for (const char* format : {"srt", "vtt", "tsv", "json"}) {
    EXPECT_TRUE(delivery_of({{"format", format}}).is_file()) << format;
  }
  EXPECT_TRUE(delivery_of({{"output_file", "/a.txt"}}).is_file());
  EXPECT_FALSE(delivery_of({{"format", "text"}}).is_file());
}

class CheckedDelivery : public test::ToolsFixture {
 protected:
  std::string code_of(const std::string& output_file) {
    const Json none = Json::object();
    const mcp::Caller caller;
    const ToolCall call{services, submission, settings, none, caller, context};
    const auto checked = check_delivery(call, {.output_file = output_file});
    return checked ? "" : checked.error().code;
  }

  ToolSettings settings{};
};

TEST_F(CheckedDelivery, AFileCanBeWrittenWhereThereIsNone) {
  test::write_text(sounds / "there.txt", "mine");
  EXPECT_EQ(code_of(""), "");
  EXPECT_EQ(code_of(sounds / "talk.txt"), "");
  EXPECT_EQ(code_of(sounds / "there.txt"), errc::output_not_writable);
  EXPECT_EQ(code_of("/etc/talk.txt"), errc::output_not_writable);
}

TEST_F(CheckedDelivery, NoFileIsWrittenByAServerThatWritesNone) {
  settings.may_write = false;
  EXPECT_EQ(code_of(""), "");
  EXPECT_EQ(code_of(sounds / "talk.txt"), errc::forbidden);
}

}  // namespace
}  // namespace server
