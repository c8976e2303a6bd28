#include "server/api/event_hub.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>

#include "tests/server/api/api_fixture.h"
#include "tests/server/api/sse_events.h"

namespace server {
namespace {

// The hub at work on real jobs.
class EventHubTest : public test::ApiFixture {
 protected:
  EventHubTest() {
    jobs.on_change([this](const JobNotice& notice) { events.job_changed(notice); });
    asio::co_spawn(io, events.run(), asio::detached);
  }
  ~EventHubTest() override { events.close(); }

  Job submit(const std::string& owner = "ada") {
    return test::run(io, jobs.submit({.model = "base", .input = "talk.wav", .owner = owner}))
        .value();
  }

  // Returns the next event of a job behind that place, and moves it.
  nlohmann::json next(EventFeed& feed, EventFeed::Place& place) {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
    while (std::chrono::steady_clock::now() < deadline) {
      for (const auto& event : feed.behind(place, Audience::operators, 100)) {
        place = event.place;
        auto body = nlohmann::json::parse(test::sse_data_of(*event.text).at(0));
        if (body["type"] != "status") return body;
      }
      io.restart();
      io.run_one_for(std::chrono::milliseconds(100));
    }
    return {};
  }
};

TEST_F(EventHubTest, TellsOfTheWholeLifeOfAJob) {
  const auto feed = events.feed_of("ada");
  EventFeed::Place place = feed->newest();
  const Job job = submit();
  auto event = next(*feed, place);
  EXPECT_EQ(event["type"], "job.created");
  EXPECT_EQ(event["job"]["id"], job.id);
  EXPECT_EQ(event["job"]["status"], "queued");
  const auto begun = test::run(io, jobs.claim(false));
  ASSERT_TRUE(begun);
  event = next(*feed, place);
  EXPECT_EQ(event["type"], "job.progress");
  EXPECT_EQ(event["job"]["status"], "running");
  ASSERT_TRUE(test::run(io, jobs.finish(claim_of(*begun), {.state = JobState::done})));
  event = next(*feed, place);
  EXPECT_EQ(event["type"], "job.ended");
  EXPECT_EQ(event["job"]["status"], "done");
  ASSERT_TRUE(test::run(io, jobs.remove(job.id)));
  event = next(*feed, place);
  EXPECT_EQ(event["type"], "job.deleted");
  EXPECT_EQ(event["job"], (nlohmann::json{{"id", job.id}}));
}

// What is read of a job because of its progress may be its end already.
TEST_F(EventHubTest, AJobThatEndsWhileItIsLookedAtWasNotEdited) {
  const auto feed = events.feed_of("ada");
  for (int i = 0; i < 10; ++i) {
    EventFeed::Place place = feed->newest();
    const Job job = submit();
    ASSERT_TRUE(test::run(io, jobs.claim(false)));
    while (next(*feed, place)["job"]["status"] != "running") {
    }
    asio::post(io, [&] {
      events.job_changed({.id = job.id});
      jobs.cancel_later(job.id);
    });
    EXPECT_EQ(next(*feed, place)["type"], "job.ended");
  }
}

TEST_F(EventHubTest, NobodyHearsOfTheJobsOfOthers) {
  const auto ada = events.feed_of("ada"), bob = events.feed_of("bob");
  EventFeed::Place of_ada = ada->newest(), of_bob = bob->newest();
  const Job others = submit("bob");
  const Job own = submit("ada");
  EXPECT_EQ(next(*ada, of_ada)["job"]["id"], own.id);
  EXPECT_EQ(next(*bob, of_bob)["job"]["id"], others.id);
  ASSERT_TRUE(test::run(io, jobs.remove(others.id)));
  EXPECT_EQ(next(*bob, of_bob)["type"], "job.deleted");
  EXPECT_EQ(ada->behind(of_ada, Audience::operators, 100).size(), 0U);
}

TEST_F(EventHubTest, TellsOfModelsToThoseWhoMayReadTheStatus) {
  const auto feed = events.feed_of("ada");
  const auto place = feed->newest();
  events.pull_changed({"small", 10, std::nullopt});
  events.pull_changed({"small", 20, 100});
  EXPECT_EQ(feed->behind(place, Audience::others, 10).size(), 0U);
  const auto progress = feed->behind(place, Audience::operators, 10);
  ASSERT_EQ(progress.size(), 1U) << "the newest alone";
  EXPECT_EQ(test::sse_data_of(*progress[0].text).at(0),
            R"({"type":"model.progress","model":"small","done_bytes":20,"total_bytes":100})");
  events.pull_ended("small", std::nullopt);
  EXPECT_EQ(test::sse_data_of(*feed->behind(place, Audience::operators, 10).back().text).at(0),
            R"({"type":"model.ended","model":"small","error":null})");
  events.pull_ended("small", Error{"cancelled", "It was stopped.", ""});
  EXPECT_EQ(nlohmann::json::parse(
                test::sse_data_of(*feed->behind(place, Audience::operators, 10).back().text)
                    .at(0))["error"],
            (nlohmann::json{{"code", "cancelled"}, {"message", "It was stopped."}, {"fix", ""}}));
}

TEST_F(EventHubTest, EachAudienceHasAStatusFromTheBeginning) {
  const auto feed = events.feed_of("ada");
  EXPECT_EQ(feed->newest_of("status", Audience::operators), R"({"type":"status","waiting":0})");
  EXPECT_EQ(feed->newest_of("status", Audience::others), R"({"type":"status","waiting":null})");
}

TEST_F(EventHubTest, JobsThatAreNotNamedMeanThatReadersAskAnew) {
  const auto feed = events.feed_of("ada");
  const auto place = feed->newest();
  events.jobs_changed();
  ASSERT_EQ(feed->behind(place, Audience::others, 10).size(), 1U);
  EXPECT_EQ(test::sse_data_of(*feed->behind(place, Audience::others, 10)[0].text).at(0),
            R"({"type":"reset"})");
}

}  // namespace
}  // namespace server
