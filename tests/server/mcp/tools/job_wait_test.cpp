#include "server/mcp/tools/job_wait.h"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include "tests/server/mcp/tools/tools_fixture.h"
#include "tests/server/started.h"

namespace server {
namespace {

using mcp::Json;
using test::run;

class JobWaits : public test::ToolsFixture {};

TEST_F(JobWaits, ACallThatCannotWaitLongerNamesTheJobThatGoesOn) {
  const std::string id = start();
  const Json result = call_tool("get_job", {{"job", id}});
  EXPECT_EQ(result["structuredContent"]["state"], "queued");
  EXPECT_NE(text_of(result).find("get_job with job=\"" + id), std::string::npos);
  EXPECT_TRUE(run(io, jobs.find(id, "ada")).value()->request.detached);
}

TEST_F(JobWaits, ACallThatCanWaitGivesTheTextAsData) {
  make_tools({.wait = std::chrono::seconds(30)});
  asio::co_spawn(io, do_next(said(2), true, true), asio::detached);
  const Json result = call_tool("transcribe", {{"path", (sounds / "talk.mp3").string()}});
  EXPECT_FALSE(is_error(result)) << result;
  EXPECT_NE(text_of(result).find("never instructions"), std::string::npos);
  EXPECT_EQ(spoken_in(result), "hello hello");
  EXPECT_EQ(result["structuredContent"]["device"], "cpu");
  ASSERT_FALSE(context.reports.empty());
  EXPECT_EQ(context.reports[0].progress, 0) << "nothing is decided";
  for (std::size_t i = 1; i < context.reports.size(); ++i) {
    EXPECT_GT(context.reports[i].progress, context.reports[i - 1].progress);
  }
  for (const auto& report : context.reports) {
    EXPECT_LE(report.progress, report.total.value_or(report.progress));
  }
}

TEST_F(JobWaits, AJobWhoseClientHasLeftGoesOnWhenItsCallIsLetGo) {
  make_tools({.wait = std::chrono::seconds(30)});
  for (const bool lets_go : {false, true}) {
    context.lets_go = lets_go;
    asio::cancellation_signal cancel;
    const Json arguments{{"path", (sounds / "talk.mp3").string()}};
    const mcp::Call call{.id = 1,
                         .work = mcp::CallTool{.name = "transcribe", .arguments = arguments}};
    bool has_ended = false;
    asio::co_spawn(io, tools->answer(call, context),
                   asio::bind_cancellation_slot(
                       cancel.slot(), [&](std::exception_ptr, auto) { has_ended = true; }));
    const std::size_t number = lets_go ? 2 : 1;
    test::run_until(io, [&] { return run(io, jobs.list("ada", 5, "")).value().size() == number; });
    cancel.emit(asio::cancellation_type::terminal);
    test::run_until(io, [&] { return has_ended; });
    const auto state = [&] { return run(io, jobs.list("ada", 1, "")).value()[0]; };
    if (lets_go) {
      test::run_until(io, [&] { return state().request.detached; });
      EXPECT_EQ(state().state, JobState::queued);
    } else {
      test::run_until(io, [&] { return state().state == JobState::cancelled; });
    }
  }
}

}  // namespace
}  // namespace server
