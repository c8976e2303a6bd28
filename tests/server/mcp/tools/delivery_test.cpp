#include "server/mcp/tools/delivery.h"

#include "tests/server/mcp/tools/tools_fixture.h"

namespace server {
namespace {

using mcp::Json;

Delivery delivery_of(const Json& given) {
  Arguments arguments(given);
  return read_delivery(arguments, {.may_write = true});
}

TEST(Delivery, IsTextAloneUnlessAskedForOtherwise) {
  const Delivery plain = delivery_of(Json::object());
  EXPECT_EQ(plain.format, "text");
  EXPECT_FALSE(plain.is_file());
  EXPECT_FALSE(plain.with_times);
  EXPECT_FALSE(plain.with_segments);
  EXPECT_FALSE(plain.with_words);
  EXPECT_TRUE(delivery_of({{"segments", true}}).with_segments);
}

TEST(Delivery, TimesOfWordsComeInSegmentsAndThoseOfPassagesInTheText) {
  struct Case {
    const char* timestamps;
    bool times, segments, words;
  };
  for (const auto& c : {Case{"none", false, false, false}, Case{"segment", true, false, false},
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

TEST_F(CheckedDelivery, NoFileIsNamedToAServerThatWritesNone) {
  const Json given{{"output_file", (sounds / "talk.txt").string()}};
  Arguments arguments(given);
  EXPECT_TRUE(read_delivery(arguments, {}).output_file.empty());
  EXPECT_EQ(arguments.check().error().message, "There is no argument output_file.");
}

TEST_F(CheckedDelivery, AFileIsNamedAsPeopleDo) {
  for (const std::string& name :
       {std::string("~/talk.txt"), "file://" + sounds.string() + "/talk.txt"}) {
    const Json given{{"output_file", name}};
    Arguments arguments(given);
    const auto read = read_delivery(arguments, {.home = sounds.string(), .may_write = true});
    EXPECT_EQ(read.output_file, (sounds / "talk.txt").string());
  }
}

}  // namespace
}  // namespace server
