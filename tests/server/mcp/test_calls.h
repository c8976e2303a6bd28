#pragma once

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "server/base/race.h"
#include "server/mcp/call_handler.h"

namespace server::test {

namespace mcp = protocol::mcp;
using mcp::Json;

// Tools that a test drives: `quick` answers, `wordy` at length, `slow` waits for release(),
// `telling` reports progress and answers, `asking` passes on the client's answer.
class TestCalls final : public CallHandler {
 public:
  TestCalls() {
    for (const char* name : {"quick", "wordy", "slow", "telling", "asking"}) {
      features_.tools.push_back({.name = name, .input_schema = {{"type", "object"}}});
    }
    features_.server = {.name = "test", .version = "1"};
    features_.resources = features_.resource_subscriptions = true;
  }

  const mcp::Features& features() const { return features_; }
  void release() { released_ = true; }

  // Returns false if it did not happen within some seconds.
  bool was_begun(int times = 1) { return wait(begun_, times); }
  bool was_cancelled(int times = 1) { return wait(cancelled_, times); }
  bool was_let_go(int times) { return wait(let_go_, times); }
  bool has_finished() { return wait(finished_, 1); }

  asio::awaitable<mcp::Outcome> answer(const mcp::Call& call, CallContext& context) override {
    const auto& tool = std::get<mcp::CallTool>(call.work);
    if (tool.name == "wordy") co_return mcp::tool_result(std::string(600'000, 'x'));
    if (tool.name == "slow") co_await run_slowly(context);
    if (tool.name == "telling") {
      context.progress({1, 2, "half"});
      co_await sleep_for(std::chrono::milliseconds(1));
    }
    if (tool.name == "asking") {
      const Json params = Json::object();
      const auto said = co_await context.ask("roots/list", params);
      co_return mcp::tool_result(said ? said->dump() : said.error().message);
    }
    co_return mcp::tool_result("done for " + context.principal());
  }

 private:
  static bool wait(const std::atomic<int>& count, int times) {
    for (int i = 0; i < 2000 && count < times; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    return count >= times;
  }

  asio::awaitable<void> run_slowly(const CallContext& context) {
    ++begun_;
    try {
      while (!released_) co_await sleep_for(std::chrono::milliseconds(2));
    } catch (...) {
      ++cancelled_;
      if (context.is_let_go()) ++let_go_;
      throw;
    }
    ++finished_;
  }

  mcp::Features features_{};
  std::atomic<bool> released_ = false;
  std::atomic<int> begun_ = 0, cancelled_ = 0, finished_ = 0, let_go_ = 0;
};

}  // namespace server::test
