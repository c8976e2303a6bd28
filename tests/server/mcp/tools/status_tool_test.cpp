#include "tests/server/mcp/tools/models_fixture.h"

namespace server {
namespace {

using mcp::Json;
using test::run;

class StatusTool : public test::ModelTools {
 protected:
  Json status() { return call_tool("status", Json::object()); }
};

TEST_F(StatusTool, SaysWhichModelWillBeLoadedWhereNoneIs) {
  const Json result = status();
  EXPECT_EQ(result["structuredContent"]["default_model"], "base");
  EXPECT_TRUE(result["structuredContent"]["models"].empty());
  EXPECT_EQ(text_of(result),
            "No model is loaded; base will be at the next call.\nRunning: 0. Waiting: 0.");
}

TEST_F(StatusTool, NamesTheModelsThatAreLoaded) {
  call_tool("load_model", Json::object());
  const Json result = status();
  ASSERT_EQ(result["structuredContent"]["models"].size(), 1U);
  EXPECT_EQ(result["structuredContent"]["models"][0]["device"], "cpu");
  EXPECT_NE(text_of(result).find("Model base on cpu"), std::string::npos);
}

TEST_F(StatusTool, TellsOfTheCallersJobsAndOfNobodyElses) {
  make_tools_for({.wait = std::chrono::seconds(0)});
  const std::string id = start();
  Json found = status()["structuredContent"];
  ASSERT_EQ(found["jobs"].size(), 1U);
  EXPECT_EQ(found["jobs"][0]["job"], id);
  EXPECT_EQ(found["waiting"], 1);
  context.name = "bob";
  found = status()["structuredContent"];
  EXPECT_TRUE(found["jobs"].empty());
  EXPECT_EQ(found["waiting"], 1) << "how much waits concerns everybody";
}

TEST_F(StatusTool, TellsHowFastTheLastJobsWereAndNotThoseThatHaveEnded) {
  make_tools_for({.wait = std::chrono::seconds(0)});
  start();
  const auto job = run(io, jobs.claim(false)).value();
  JobEnd end{.state = JobState::done};
  end.summary.model = "base";
  end.summary.device = "cpu";
  end.summary.duration = 60;
  end.summary.timings.transcribe_s = 2;
  run(io, jobs.finish(claim_of(job), std::move(end))).value();
  const Json found = status()["structuredContent"];
  ASSERT_EQ(found["speeds"].size(), 1U);
  EXPECT_EQ(found["speeds"][0]["speed"], 30);
  EXPECT_TRUE(found["jobs"].empty());
}

}  // namespace
}  // namespace server
