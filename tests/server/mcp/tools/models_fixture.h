#pragma once

#include <chrono>
#include <string>
#include <utility>

#include "server/transcription/worker_setup.h"
#include "tests/server/mcp/tools/tools_fixture.h"

namespace server::test {

// The tools with a pool whose workers are fake (fake_worker.cpp).
class ModelTools : public ToolsFixture {
 protected:
  ModelTools() { make_tools_for({.wait = std::chrono::seconds(30)}); }

  void make_tools_for(ToolSettings settings) {
    tools = std::make_unique<McpTools>(with_workers, submission, allowing_all(std::move(settings)),
                                       "1");
  }

  static Result<WorkerSetup> setup(const std::string& model) {
    WorkerSetup found{.plan = {}, .load = {.model_name = model}, .limits = {}, .on_load = {}};
    platform::Verdict verdict;
    verdict.pack.worker = SCRIBED_FAKE_WORKER_PATH;
    found.plan.candidates.push_back({verdict, ""});
    return found;
  }

  ModelPool workers{io.get_executor(), {.find_setup = [](const std::string& model, const auto&) {
                      return setup(model);
                    }}};
  Services with_workers{.jobs = jobs,
                        .models = workers,
                        .store = store,
                        .paths = paths,
                        .spool = spool,
                        .uploads = uploads,
                        .sounds = kept_sounds,
                        .disk = disk,
                        .texts = texts,
                        .default_model = "base"};
};

}  // namespace server::test
