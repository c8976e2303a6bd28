#include "tests/server/mcp/tools/tools_fixture.h"

namespace server {
namespace {

using mcp::Json;

class GetJobTool : public test::ToolsFixture {
 protected:
  // One that is done, of so many segments.
  std::string done(int segments) {
    const std::string id = start();
    transcribe_next(said(segments));
    return id;
  }

  // One whose sentence has word timestamps.
  std::string done_with_words() {
    const std::string id = start();
    auto segments = said(1, " The meeting was moved.");
    segments[0].words = {{0, 0.2, " The", 1},
                         {0.2, 0.5, " meeting", 1},
                         {0.5, 0.7, " was", 1},
                         {0.7, 1, " moved.", 1}};
    transcribe_next(std::move(segments));
    return id;
  }

  std::string file_of(const Json& arguments) {
    return call_tool("get_job", arguments)["structuredContent"]["text"];
  }
};

TEST_F(GetJobTool, GivesAsManySegmentsAsAreWanted) {
  const std::string id = done(5);
  const Json two =
      call_tool("get_job", {{"job", id}, {"offset", 1}, {"limit", 2}, {"segments", true}});
  EXPECT_EQ(two["structuredContent"]["segments"].size(), 2U);
  EXPECT_EQ(two["structuredContent"]["segments"][0]["start"], 1);
  EXPECT_EQ(two["structuredContent"]["next_offset"], 3);
  EXPECT_EQ(two["structuredContent"]["total_segments"], 5);
  const Json rest = call_tool("get_job", {{"job", id}, {"offset", 3}, {"segments", true}});
  EXPECT_EQ(rest["structuredContent"]["segments"].size(), 2U);
  EXPECT_FALSE(rest["structuredContent"].contains("next_offset"));
}

TEST_F(GetJobTool, SaysThatNothingIsBehindTheLastSegment) {
  const Json result = call_tool("get_job", {{"job", done(2)}, {"offset", 2}});
  EXPECT_FALSE(is_error(result));
  EXPECT_TRUE(text_of(result).starts_with("There is nothing behind this offset.\n"));
}

TEST_F(GetJobTool, SaysThatNothingWasSaid) {
  const std::string said_of_it = text_of(call_tool("get_job", {{"job", done(0)}}));
  EXPECT_TRUE(said_of_it.starts_with("No speech was found in the recording.\n")) << said_of_it;
}

TEST_F(GetJobTool, SegmentsComeOnlyWhenTheyAreAskedFor) {
  const Json result = call_tool("get_job", {{"job", done(2)}});
  EXPECT_FALSE(result["structuredContent"].contains("segments"));
  EXPECT_EQ(spoken_in(result), "hello hello");
}

TEST_F(GetJobTool, BreaksSubtitlesIntoLinesAsAskedFor) {
  const std::string id = done_with_words();
  EXPECT_EQ(file_of({{"job", id}, {"format", "srt"}, {"max_words_per_line", 2}}),
            "1\n00:00:00,000 --> 00:00:00,500\nThe meeting\n\n"
            "2\n00:00:00,500 --> 00:00:01,000\nwas moved.\n\n");
  const Json highlighted{{"job", id}, {"format", "ass"}, {"highlight_words", true}};
  EXPECT_NE(file_of(highlighted).find("{\\k20}The {\\k30}meeting"), std::string::npos);
  const auto text = text_of(call_tool("get_job", {{"job", id}, {"max_line_width", 30}}));
  EXPECT_NE(text.find("The format text has no lines of subtitles."), std::string::npos) << text;
}

TEST_F(GetJobTool, WritesSubtitlesInAnotherStyle) {
  const std::string id = done(1);
  EXPECT_EQ(file_of({{"job", id}, {"format", "srt"}, {"subtitle_style", "whisper"}}),
            "1\n00:00:00,000 --> 00:00:01,000\nhello\n\n");
  EXPECT_TRUE(is_error(call_tool("get_job", {{"job", id}, {"subtitle_style", "other"}})));
}

TEST_F(GetJobTool, PagesOfAFileRepeatItsArguments) {
  const auto text = text_of(call_tool(
      "get_job",
      {{"job", done_with_words()}, {"format", "srt"}, {"max_words_per_line", 2}, {"limit", 1}}));
  EXPECT_NE(text.find("format=\"srt\", max_words_per_line=2 and offset=1 "), std::string::npos)
      << text;
}

TEST_F(GetJobTool, SaysThatLinesNeedWordTimestamps) {
  const auto note_of = [this](const std::string& id) {
    const Json asked{{"job", id}, {"format", "srt"}, {"max_line_width", 30}};
    return text_of(call_tool("get_job", asked)).find("no word timestamps") != std::string::npos;
  };
  EXPECT_TRUE(note_of(done(1)));
  EXPECT_FALSE(note_of(done(0)));
  EXPECT_FALSE(note_of(done_with_words()));
}

TEST_F(GetJobTool, WaitsForTheEndAsLongAsItMay) {
  make_tools({.wait = std::chrono::seconds(30)});
  const Json arguments{{"path", (sounds / "talk.mp3").string()}, {"wait_s", 0}};
  const std::string id = call_tool("transcribe", arguments)["structuredContent"]["job"];
  asio::co_spawn(io, do_next(said(1), true), asio::detached);
  const Json result = call_tool("get_job", {{"job", id}, {"wait_s", 30}});
  EXPECT_EQ(result["structuredContent"]["state"], "done");
  EXPECT_TRUE(is_error(call_tool("get_job", {{"job", id}, {"wait_s", 31}})));
}

TEST_F(GetJobTool, RefusesWhatCannotBe) {
  const std::string id = done(1);
  for (const Json& arguments :
       {Json::object(), Json{{"job", "none"}}, Json{{"job", id}, {"offset", -1}},
        Json{{"job", id}, {"limit", 0}}, Json{{"job", id}, {"limit", 1.5}},
        Json{{"job", id}, {"format", "docx"}}}) {
    EXPECT_TRUE(is_error(call_tool("get_job", arguments))) << arguments;
  }
}

}  // namespace
}  // namespace server
