#include "server/mcp/tools/mcp_tools.h"

#include <algorithm>

#include "tests/server/mcp/tools/tools_fixture.h"

namespace server {
namespace {

using mcp::Json;

class Tools : public test::ToolsFixture {};

TEST_F(Tools, ACallerWithTasksGetsATaskForWhatGoesOn) {
  const mcp::CallTool call{.name = "transcribe",
                           .arguments = {{"path", (sounds / "talk.mp3").string()}}};
  const auto outcome = answer(call, true);
  ASSERT_TRUE(std::holds_alternative<mcp::TaskStarted>(outcome));
  const Json task = std::get<mcp::TaskStarted>(outcome).task;
  EXPECT_EQ(task["status"], "working");
  transcribe_next(said(1));
  const Json done = std::get<Json>(answer(mcp::GetTask{task["taskId"]}, true));
  EXPECT_EQ(done["status"], "completed");
  EXPECT_EQ(spoken_in(done["result"]), "hello");
  context.name = "bob";
  EXPECT_TRUE(
      std::holds_alternative<protocol::jsonrpc::Error>(answer(mcp::GetTask{task["taskId"]}, true)));
}

TEST_F(Tools, OthersSeeNothingOfAJob) {
  const std::string id = start();
  context.name = "bob";
  EXPECT_TRUE(is_error(call_tool("get_job", {{"job", id}})));
  EXPECT_TRUE(is_error(call_tool("cancel_job", {{"job", id}})));
  EXPECT_EQ(call_tool("list_jobs", Json::object())["structuredContent"]["jobs"].size(), 0u);
  EXPECT_TRUE(std::holds_alternative<protocol::jsonrpc::Error>(
      answer(mcp::ReadResource{.uri = "transcript://" + id})));
}

TEST_F(Tools, AJobIsListedAndCancelled) {
  const std::string id = start();
  const Json listed = call_tool("list_jobs", Json::object())["structuredContent"]["jobs"];
  ASSERT_EQ(listed.size(), 1u);
  EXPECT_EQ(listed[0]["job"], id);
  EXPECT_EQ(listed[0]["title"], "talk.mp3");
  EXPECT_TRUE(call_tool("cancel_job", {{"job", id}})["structuredContent"]["cancelled"]);
  EXPECT_TRUE(is_error(call_tool("get_job", {{"job", id}})));
}

TEST_F(Tools, CompletionOffersWhatBeginsSo) {
  const mcp::Complete asked{.reference = "make_subtitles", .argument = "language", .value = "d"};
  const Json values = std::get<Json>(answer(asked))["completion"]["values"];
  EXPECT_NE(std::find(values.begin(), values.end(), "de"), values.end());
  EXPECT_EQ(std::find(values.begin(), values.end(), "en"), values.end());
}

TEST_F(Tools, StatusWorksWithoutAModel) {
  const Json result = call_tool("status", Json::object());
  EXPECT_EQ(result["structuredContent"]["default_model"], "base");
  EXPECT_NE(text_of(result).find("No model is loaded"), std::string::npos);
}

}  // namespace
}  // namespace server
