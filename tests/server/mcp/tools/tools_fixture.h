#pragma once

#include <gtest/gtest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <memory>
#include <string>
#include <vector>

#include "server/base/fair_calls.h"
#include "server/inputs/allowed_paths.h"
#include "server/inputs/sound_store.h"
#include "server/inputs/uploads.h"
#include "server/jobs/job_queue.h"
#include "server/jobs_sqlite/sqlite_job_store.h"
#include "server/mcp/tools/mcp_tools.h"
#include "server/models/model_store.h"
#include "server/submission/submission.h"
#include "server/transcription/model_pool.h"
#include "tests/server/fake_clip.h"
#include "tests/server/helpers_here.h"
#include "tests/server/run_coroutine.h"
#include "tests/server/temporary_folder.h"

namespace server::test {

class FakeContext final : public CallContext {
 public:
  const std::string& principal() const override { return name; }
  const Trace& trace() const override { return no_trace; }
  bool is_let_go() const override { return lets_go; }
  void progress(const mcp::Progress& progress) override { reports.push_back(progress); }
  void log(mcp::LogLevel, std::string_view, const Json&) override {}
  asio::awaitable<protocol::jsonrpc::Checked<Json>> ask(std::string, Json) override {
    co_return protocol::jsonrpc::Error{};
  }

  std::string name = "ada";
  Trace no_trace{};
  std::vector<mcp::Progress> reports{};
  bool lets_go = false;
};

// The tools on real jobs, which the test ends, since no model runs here.
class ToolsFixture : public testing::Test {
 protected:
  ToolsFixture() {
    std::filesystem::create_directory(sounds);
    write_text(sounds / "talk.mp3", "not really");
    make_tools({.wait = std::chrono::seconds(0)});
  }

  // Allows a call to name all that there is.
  ToolSettings allowing_all(ToolSettings settings) const {
    settings.folders = paths.folders();
    settings.may_write = settings.may_fetch = settings.takes_uploads = true;
    return settings;
  }
  void make_tools(ToolSettings settings) { make_tools_as(allowing_all(std::move(settings))); }
  void make_tools_as(ToolSettings settings) {
    tools = std::make_unique<McpTools>(services, submission, settings, "1");
  }

  mcp::Outcome answer(mcp::Work work, bool can_tasks = false) {
    mcp::Call call{.id = 1, .work = std::move(work)};
    if (can_tasks) {
      call.caller.era = mcp::Era::modern;
      call.caller.capabilities = {
          {"extensions", {{"io.modelcontextprotocol/tasks", Json::object()}}}};
    }
    return run(io, tools->answer(call, context));
  }
  // Returns a tool's result: content, structuredContent, isError.
  Json call_tool(const std::string& name, Json arguments) {
    return std::get<Json>(answer(mcp::CallTool{.name = name, .arguments = std::move(arguments)}));
  }
  // A result's blocks: what scribed says, the name of the file, and what was said in it.
  static std::string text_of(const Json& result) { return block_of(result, 0); }
  static std::string name_in(const Json& result) { return block_of(result, 1); }
  static std::string spoken_in(const Json& result) { return block_of(result, 2); }
  static std::string block_of(const Json& result, std::size_t number) {
    return number < result["content"].size() ? result["content"][number]["text"] : Json("");
  }
  static bool is_error(const Json& result) { return result.value("isError", false); }

  // Starts a job that goes on by itself.
  std::string start() {
    const Json result = call_tool("transcribe", {{"path", (sounds / "talk.mp3").string()}});
    return result["structuredContent"]["job"];
  }

  // Does as a runner does with the next job, of those for which a client waits or of the others.
  asio::awaitable<int> do_next(std::vector<protocol::Segment> said, bool ends,
                               bool waited_for = false) {
    const auto job = co_await jobs.claim(waited_for);
    const Claim claim = claim_of(*job);
    const std::string language = "en";
    const double duration = 3;
    TranscriptionProgress progress{.phase = TranscriptionPhase::transcribing};
    progress.position = progress.duration = duration;
    co_await jobs.set_progress(claim, progress, language);
    co_await jobs.add_segments(claim, std::move(said));
    JobEnd end{.state = JobState::done};
    end.summary.model = "base";
    end.summary.device = "cpu";
    end.summary.language = language;
    end.summary.duration = duration;
    end.summary.turns = turns;
    if (ends) co_await jobs.finish(claim, std::move(end));
    co_return 0;
  }
  void transcribe_next(std::vector<protocol::Segment> said, bool ends = true) {
    run(io, do_next(std::move(said), ends));
  }

  static std::vector<protocol::Segment> said(int count, const std::string& text = " hello") {
    std::vector<protocol::Segment> segments;
    for (int i = 0; i < count; ++i) {
      segments.push_back({.id = i, .start = double(i), .end = i + 1.0, .text = text});
    }
    return segments;
  }

  TemporaryFolder folder;
  const std::filesystem::path sounds = folder / "sounds";
  asio::io_context io;
  JobQueue jobs{io.get_executor(), open_job_store({.file = folder / "jobs.sqlite"}).value(), {}};
  ModelPool models{io.get_executor(), {}};
  ModelStore store{folder / "models"};
  AllowedPaths paths{{folder.path()}};
  Spool spool = Spool::open(folder / "spool").value();
  Uploads uploads = Uploads::open({.folder = folder / "uploads"}).value();
  SoundStore kept_sounds = SoundStore::open(folder / "kept_sounds").value();
  FairCalls disk{1, 16};
  FairCalls texts{2, 16};
  Services services{.jobs = jobs,
                    .models = models,
                    .store = store,
                    .paths = paths,
                    .spool = spool,
                    .uploads = uploads,
                    .sounds = kept_sounds,
                    .disk = disk,
                    .texts = texts,
                    .default_model = "base",
                    .read_known_speaker = read_fake_clip,
                    .fetch_helper = has_helper};
  Submission submission{services, {}};
  std::vector<protocol::SpeakerTurn> turns{};  // of the jobs that are transcribed next
  FakeContext context;
  std::unique_ptr<McpTools> tools;
};

}  // namespace server::test
