#include "tests/server/mcp/tools/tools_fixture.h"

namespace server {
namespace {

using mcp::Json;
using test::run;

class CancelJobTool : public test::ToolsFixture {};

TEST_F(CancelJobTool, EndsAJobOnceAndSaysSo) {
  const std::string id = start();
  const Json first = call_tool("cancel_job", {{"job", id}});
  EXPECT_EQ(first["structuredContent"], (Json{{"job", id}, {"cancelled", true}}));
  EXPECT_EQ(text_of(first), "The job is cancelled.");
  EXPECT_EQ(run(io, jobs.find(id, "ada")).value()->state, JobState::cancelled);
  const Json second = call_tool("cancel_job", {{"job", id}});
  EXPECT_FALSE(is_error(second));
  EXPECT_EQ(second["structuredContent"]["cancelled"], false);
  EXPECT_EQ(text_of(second), "The job was already finished.");
}

TEST_F(CancelJobTool, AJobThatIsDoneKeepsItsText) {
  const std::string id = start();
  transcribe_next(said(1));
  EXPECT_EQ(call_tool("cancel_job", {{"job", id}})["structuredContent"]["cancelled"], false);
  EXPECT_EQ(spoken_in(call_tool("get_job", {{"job", id}})), "hello");
}

TEST_F(CancelJobTool, NeedsAJobOfTheCaller) {
  const std::string id = start();
  EXPECT_TRUE(is_error(call_tool("cancel_job", Json::object())));
  EXPECT_TRUE(is_error(call_tool("cancel_job", {{"job", "none"}})));
  context.name = "bob";
  EXPECT_TRUE(is_error(call_tool("cancel_job", {{"job", id}})));
  EXPECT_EQ(jobs.waiting(), 1);
}

}  // namespace
}  // namespace server
