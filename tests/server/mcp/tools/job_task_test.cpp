#include "server/mcp/tools/job_task.h"

#include "tests/server/mcp/tools/tools_fixture.h"

namespace server {
namespace {

using mcp::Json;

TEST(JobTask, HasTheStatusOfItsJob) {
  struct Case {
    JobState state;
    const char* status;
  };
  for (const auto& c : {Case{JobState::queued, "working"}, Case{JobState::running, "working"},
                        Case{JobState::done, "completed"}, Case{JobState::failed, "completed"},
                        Case{JobState::cancelled, "cancelled"}}) {
    const Json task = task_of({.id = "one", .state = c.state});
    EXPECT_EQ(task["status"], c.status);
    EXPECT_EQ(task.contains("statusMessage"), !has_ended(c.state)) << c.status;
  }
}

TEST(JobTask, TellsTimesInUtcAndHowLongItIsKept) {
  Job job{.id = "one", .created = 1763839000.9};
  EXPECT_EQ(task_of(job)["createdAt"], "2025-11-22T19:16:40Z");
  EXPECT_EQ(task_of(job)["lastUpdatedAt"], "2025-11-22T19:16:40Z");
  EXPECT_TRUE(task_of(job)["ttlMs"].is_null());
  job.started = job.created + 60;
  job.expires = job.created + 90;
  EXPECT_EQ(task_of(job)["lastUpdatedAt"], "2025-11-22T19:17:40Z");
  EXPECT_EQ(task_of(job)["ttlMs"], 90'000);
  job.expires = job.created - 5;
  EXPECT_EQ(task_of(job)["ttlMs"], 0) << "the clock was set back";
}

class JobTasks : public test::ToolsFixture {
 protected:
  std::string started() {
    const Json arguments{{"path", (sounds / "talk.mp3").string()}};
    const auto outcome = answer(mcp::CallTool{.name = "transcribe", .arguments = arguments}, true);
    return std::get<mcp::TaskStarted>(outcome).task["taskId"];
  }
  Json get(const std::string& id) { return std::get<Json>(answer(mcp::GetTask{id}, true)); }
  bool is_refused(mcp::Work work) {
    const auto outcome = answer(std::move(work), true);
    const auto* error = std::get_if<protocol::jsonrpc::Error>(&outcome);
    return error && error->code == protocol::jsonrpc::invalid_params;
  }
};

TEST_F(JobTasks, OfACallerWithTasksIsWhatGoesOn) {
  const std::string id = started();
  EXPECT_EQ(get(id)["status"], "working");
  EXPECT_FALSE(get(id).contains("result"));
  transcribe_next(said(1));
  const Json done = get(id);
  EXPECT_EQ(done["status"], "completed");
  EXPECT_EQ(spoken_in(done["result"]), "hello");
}

TEST_F(JobTasks, AreCancelledAsTheirJobs) {
  const std::string id = started();
  EXPECT_EQ(std::get<Json>(answer(mcp::CancelTask{id}, true)), Json::object());
  EXPECT_EQ(get(id)["status"], "cancelled");
  EXPECT_FALSE(get(id).contains("result"));
}

TEST_F(JobTasks, OfAnotherAreNotThere) {
  const std::string id = started();
  EXPECT_TRUE(is_refused(mcp::GetTask{"none"}));
  context.name = "bob";
  EXPECT_TRUE(is_refused(mcp::GetTask{id}));
  EXPECT_TRUE(is_refused(mcp::CancelTask{id}));
  EXPECT_EQ(jobs.waiting(), 1);
}

}  // namespace
}  // namespace server
