#include <algorithm>

#include "tests/server/api/api_fixture.h"
#include "tests/server/api/form_request.h"
#include "tests/server/api/played_job.h"
#include "tests/server/api/sse_events.h"

// These tests are about the route of a job's events, whose handler is in jobs.cpp.
namespace server {
namespace {

using nlohmann::json;
using test::FakeExchange;

class JobEvents : public test::ApiFixture {
 protected:
  std::string submitted() {
    FakeExchange exchange = test::form_request("/v1/jobs", test::form_file("sound"));
    ask(exchange);
    return json_of(exchange)["id"];
  }
  static FakeExchange events_of(const std::string& id, http::verb method = http::verb::get) {
    return {method, "/v1/jobs/" + id + "/events"};
  }
};

TEST_F(JobEvents, TellEachSegmentOnceAndLastTheEnd) {
  FakeExchange exchange = events_of(submitted());
  test::PlayedJob played{.waited_for = false, .said = test::two_segments()};
  played.may_end = [&] { return exchange.answer.body.find("Goodbye") != std::string::npos; };
  test::play_beside(io, jobs, std::move(played));
  ask(exchange);
  EXPECT_EQ(exchange.answer.content_type, "text/event-stream");
  std::vector<std::string> segments;
  const auto events = test::sse_events(exchange.answer.body);
  for (const auto& event : events) {
    if (event["type"] == "job.segment")
      segments.push_back(event["segment"]["text"].get<std::string>());
  }
  EXPECT_EQ(segments, (std::vector<std::string>{" Hello there.", " Goodbye."}));
  ASSERT_FALSE(events.empty());
  EXPECT_EQ(events.back()["type"], "job.ended");
  EXPECT_EQ(events.back()["job"]["status"], "done");
  const auto ends = std::ranges::count(events, json("job.ended"),
                                       [](const json& event) { return event["type"]; });
  EXPECT_EQ(ends, 1);
}

TEST_F(JobEvents, OfAJobThatHasEndedAreToldAtOnce) {
  FakeExchange exchange = events_of(submitted());
  test::PlayedJob played{.waited_for = false, .said = test::two_segments()};
  const auto work = [&]() -> asio::awaitable<int> {
    co_await test::play(jobs, std::move(played));
    co_return 0;
  };
  test::run(io, work());
  const auto events = test::sse_events(ask(exchange).answer.body);
  ASSERT_EQ(events.size(), 3U);
  EXPECT_EQ(events[2]["type"], "job.ended");
}

TEST_F(JobEvents, TellAllSegmentsOnceMoreWhenTheirSpeakersAreKnown) {
  FakeExchange exchange = events_of(submitted());
  test::PlayedJob played{.waited_for = false, .said = test::two_segments()};
  played.end->summary.turns = {{0, 1, "A"}, {1, 3, "B"}};
  played.end->exclusive_turns = played.end->summary.turns;
  played.may_end = [&] { return exchange.answer.body.find("Goodbye") != std::string::npos; };
  test::play_beside(io, jobs, std::move(played));
  ask(exchange);
  std::vector<std::string> segments;
  for (const auto& event : test::sse_events(exchange.answer.body)) {
    if (event["type"] != "job.segment") continue;
    segments.push_back(event["segment"]["id"].dump() + event["segment"].value("speaker", ""));
  }
  EXPECT_EQ(segments, (std::vector<std::string>{"0", "1", "0A", "1B"}));
}

TEST_F(JobEvents, EndWhenTheClientLeavesAndTheJobGoesOn) {
  const std::string id = submitted();
  FakeExchange exchange = events_of(id);
  exchange.has_left = true;
  ask(exchange);
  EXPECT_EQ(json_of(get("/v1/jobs/" + id))["status"], "queued");
}

TEST_F(JobEvents, EndWhenTheJobIsDeleted) {
  const std::string id = submitted();
  FakeExchange exchange = events_of(id);
  const auto remove = [&]() -> asio::awaitable<void> {
    while (exchange.answer.body.empty()) co_await sleep_for(std::chrono::milliseconds(1));
    co_await jobs.remove(id);
  };
  asio::co_spawn(io, remove, asio::detached);
  const auto events = test::sse_events(ask(exchange).answer.body);
  EXPECT_FALSE(events.empty());
}

TEST_F(JobEvents, HaveNoBodyWhereOnlyTheHeadIsAskedFor) {
  FakeExchange exchange = events_of(submitted(), http::verb::head);
  ask(exchange);
  EXPECT_EQ(exchange.answer.content_type, "text/event-stream");
  EXPECT_EQ(exchange.answer.body, "");
}

}  // namespace
}  // namespace server
