#include "tests/server/mcp/tools/tools_fixture.h"
#include "tests/server/started.h"

namespace server {
namespace {

using mcp::Json;
using test::run;

class DetectLanguageTool : public test::ToolsFixture {
 protected:
  DetectLanguageTool() { make_tools({.wait = std::chrono::seconds(30)}); }

  // Does as a runner does that detects these.
  asio::awaitable<int> detect_next(std::vector<protocol::LanguageDetected> languages) {
    const auto job = co_await jobs.claim(true);
    options = job->request.options;
    JobEnd end{.state = JobState::done};
    end.summary.languages = std::move(languages);
    const Claim claim = claim_of(*job);
    co_await jobs.finish(claim, std::move(end));
    co_return 0;
  }
  Json detect(std::vector<protocol::LanguageDetected> languages) {
    asio::co_spawn(io, detect_next(std::move(languages)), asio::detached);
    return call_tool("detect_language", {{"path", (sounds / "talk.mp3").string()}});
  }

  protocol::TranscribeOptions options{};
};

TEST_F(DetectLanguageTool, GivesTheProbabilitiesOfTheLikeliest) {
  const Json result = detect({{"de", 0.91}, {"nl", 0.06}, {"en", 0.001}});
  EXPECT_TRUE(options.language_only);
  const Json& structured = result["structuredContent"];
  EXPECT_EQ(structured["language"], "de");
  EXPECT_EQ(structured["name"], "german");
  EXPECT_EQ(structured["probability"], 0.91);
  EXPECT_EQ(structured["languages"].size(), 3u);
  EXPECT_EQ(structured["languages"][1]["language"], "nl");
  EXPECT_EQ(text_of(result), "Most likely spoken: German (de) 91 %, Dutch (nl) 6 %.");
  EXPECT_FALSE(structured.contains("notes"));
}

TEST_F(DetectLanguageTool, SaysThatItIsNotSure) {
  const Json result = detect({{"de", 0.3}, {"nl", 0.25}});
  EXPECT_NE(result["structuredContent"]["notes"][0].get<std::string>().find("not sure"),
            std::string::npos);
}

TEST_F(DetectLanguageTool, LeavesNoJobBehind) {
  detect({{"de", 0.9}});
  test::run_until(io, [&] { return run(io, jobs.list("ada", 5, "")).value().empty(); });
}

TEST_F(DetectLanguageTool, AModelThatKnowsOneLanguageDetectsNone) {
  const Json result = detect({});
  EXPECT_TRUE(is_error(result));
  EXPECT_NE(text_of(result).find("English-only"), std::string::npos);
}

TEST_F(DetectLanguageTool, PassesOnWhyItFailed) {
  const auto fail = [this]() -> asio::awaitable<void> {
    const auto job = co_await jobs.claim(true);
    JobEnd end{.state = JobState::failed, .error = Error{"no_audio_track", "It is silent.", "Go."}};
    co_await jobs.finish(claim_of(*job), std::move(end));
  };
  asio::co_spawn(io, fail, asio::detached);
  const Json result = call_tool("detect_language", {{"path", (sounds / "talk.mp3").string()}});
  EXPECT_TRUE(is_error(result));
  EXPECT_EQ(text_of(result), "It is silent. Go.");
  EXPECT_EQ(name_in(result), "\"talk.mp3\"");
}

TEST_F(DetectLanguageTool, IsAskedForAgainWhereItHasNoTurn) {
  make_tools({.wait = std::chrono::seconds(0)});
  const Json result = call_tool("detect_language", {{"path", (sounds / "talk.mp3").string()}});
  EXPECT_TRUE(is_error(result));
  EXPECT_NE(text_of(result).find("again later"), std::string::npos);
  test::run_until(io, [&] { return run(io, jobs.list("ada", 5, "")).value().empty(); });
}

}  // namespace
}  // namespace server
