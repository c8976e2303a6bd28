#include "tests/server/mcp/tools/tools_fixture.h"

namespace server {
namespace {

using mcp::Json;
using test::run;

class DetectLanguageTool : public test::ToolsFixture {
 protected:
  Json detect() { return call_tool("detect_language", {{"path", (sounds / "talk.mp3").string()}}); }
};

TEST_F(DetectLanguageTool, HearsTheFirstHalfMinuteAndNamesTheLanguage) {
  make_tools({.wait = std::chrono::seconds(30)});
  asio::co_spawn(io, do_next(said(1), true, true), asio::detached);
  const Json result = detect();
  ASSERT_FALSE(is_error(result)) << result;
  EXPECT_EQ(result["structuredContent"]["language"], "en");
  EXPECT_EQ(result["structuredContent"]["name"], "english");
  EXPECT_EQ(text_of(result), "The language is english (en).");
  const auto job = run(io, jobs.find(result["structuredContent"]["job"], "ada")).value();
  EXPECT_EQ(job->request.options.clip_timestamps, (std::vector<double>{0, 30}));
}

TEST_F(DetectLanguageTool, SaysWhereToAskLaterWhenOthersAreBeforeIt) {
  const Json result = detect();
  EXPECT_TRUE(is_error(result));
  const std::string id = run(io, jobs.list("ada", 1, "")).value().at(0).id;
  EXPECT_NE(text_of(result).find("get_job with job=\"" + id), std::string::npos);
}

TEST_F(DetectLanguageTool, PassesOnWhyItFailed) {
  make_tools({.wait = std::chrono::seconds(30)});
  const auto fail = [this]() -> asio::awaitable<void> {
    const auto job = co_await jobs.take(true);
    JobEnd end{.state = JobState::failed, .error = Error{"no_audio_track", "It is silent.", "Go."}};
    co_await jobs.finish(job->id, std::move(end));
  };
  asio::co_spawn(io, fail, asio::detached);
  const Json result = detect();
  EXPECT_TRUE(is_error(result));
  EXPECT_EQ(text_of(result), "It is silent.\nGo.");
}

}  // namespace
}  // namespace server
