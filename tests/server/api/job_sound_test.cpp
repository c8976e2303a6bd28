#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <exception>
#include <functional>
#include <future>
#include <list>
#include <memory>
#include <stdexcept>
#include <stop_token>
#include <string>
#include <vector>

#include "server/inputs/wav_head.h"
#include "tests/server/api/api_fixture.h"
#include "tests/server/api/form_request.h"
#include "tests/server/started.h"

namespace server {
namespace {

using test::FakeExchange;
using test::form_file;

// A job that waits, and what is kept of its sound.
class SoundRoutes : public test::ApiFixture {
 protected:
  void SetUp() override {
    FakeExchange exchange = test::form_request("/v1/jobs", form_file("sound"));
    job_ = json_of(ask(exchange))["id"];
  }
  // Keeps so many samples, which are their own numbers.
  void keep(int samples, bool is_whole = true) {
    std::vector<std::int16_t> sound(static_cast<std::size_t>(samples));
    for (std::size_t i = 0; i < sound.size(); ++i) sound[i] = static_cast<std::int16_t>(i);
    auto writer = sounds.begin(job_, "local").value();
    ASSERT_TRUE(writer.write(sound));
    if (is_whole) writer.finish();
  }
  FakeExchange ask_for(const std::string& what, const std::string& range = "") {
    FakeExchange exchange(http::verb::get, "/v1/jobs/" + job_ + "/" + what);
    if (!range.empty()) exchange.fields.set(http::field::range, range);
    ask(exchange);
    return exchange;
  }
  FakeExchange again(const std::string& body) {
    FakeExchange exchange(http::verb::post, "/v1/jobs/" + job_ + "/again");
    exchange.body = body;
    ask(exchange);
    return exchange;
  }

  std::string job_{};
};

TEST_F(SoundRoutes, GiveTheSoundBehindItsHead) {
  keep(1000);
  const auto answer = ask_for("audio");
  EXPECT_EQ(status_of(answer), 200U);
  EXPECT_EQ(answer.answer.content_type, "audio/wav");
  EXPECT_EQ(answer.answer.stream_bytes, 2044U);
  EXPECT_EQ(answer.answer.body.size(), 2044U);
  EXPECT_EQ(answer.answer.body.substr(0, 44), wav_head(2000));
  EXPECT_EQ(answer.answer.body.substr(44, 6), std::string("\0\0\1\0\2\0", 6));
  EXPECT_EQ(answer.header("content-disposition"), "inline; filename=\"talk.wav\"");
}

// Calls at the disk that last until this object goes.
class SlowCalls {
 public:
  SlowCalls(FairCalls& disk, const std::string& owner, int count) {
    for (int i = 0; i < count; ++i) calls_.emplace_back(io_, disk.run(owner, wait_));
    io_.poll();
  }
  ~SlowCalls() {
    until_.set_value();
    for (const auto& call : calls_) test::run_until(io_, [&] { return call.ended(); });
  }

 private:
  asio::io_context io_;
  std::promise<void> until_;
  const std::function<Result<int>(std::stop_token)> wait_ =
      [until = until_.get_future().share()](std::stop_token) -> Result<int> {
    until.wait();
    return 0;
  };
  std::list<test::Started<Result<int>>> calls_{};
};

TEST_F(SoundRoutes, DoNotWaitForTheDiskCallsOfAnotherKey) {
  keep(1000);
  const SlowCalls slow(disk, "eve", 16);
  for (const char* what : {"audio", "peaks"}) {
    FakeExchange exchange(http::verb::get, "/v1/jobs/" + job_ + "/" + what);
    asio::co_spawn(io, dispatch(api, exchange), asio::detached);
    test::run_until(io, [&] { return exchange.answers == 1 && !exchange.answer.body.empty(); });
    EXPECT_EQ(status_of(exchange), 200U);
  }
}

TEST_F(SoundRoutes, FindNoPeaksForAClientThatHasLeft) {
  keep(1000);
  const SlowCalls slow(disk, "local", 1);
  FakeExchange exchange(http::verb::get, "/v1/jobs/" + job_ + "/peaks");
  bool has_ended = false;
  asio::co_spawn(io, dispatch(api, exchange), [&](std::exception_ptr) { has_ended = true; });
  test::run_until(io, [&] { return disk.calls_of("local") == 2; });
  exchange.has_left = true;
  test::run_until(io, [&] { return has_ended; });
  EXPECT_EQ(exchange.answers, 0);
  EXPECT_EQ(disk.calls_of("local"), 1) << "it has not begun";
}

TEST_F(SoundRoutes, ManyRequestsOfOneKeyTakeTurns) {
  keep(100'000);
  const auto places = api.sound_places;
  std::vector<std::unique_ptr<CallPlaces::Place>> taken;
  const auto take = [&](const std::shared_ptr<CallPlaces>& of, std::size_t count) {
    taken.clear();
    for (std::size_t i = 0; i < count; ++i) {
      taken.push_back(std::make_unique<CallPlaces::Place>(of, "local", io.get_executor()));
    }
  };
  take(places.begins, 4);
  FakeExchange begins(http::verb::get, "/v1/jobs/" + job_ + "/audio");
  asio::co_spawn(io, dispatch(api, begins), asio::detached);
  test::run_until(io, [&] { return places.begins->calls_of("local") == 5; });
  EXPECT_EQ(begins.answers, 0) << "nothing is looked for before its turn";
  take(places.pieces, 8);
  test::run_until(io, [&] { return begins.answers == 1; });
  test::run_until(io, [&] { return places.pieces->calls_of("local") == 9; });
  EXPECT_EQ(begins.answer.body, "");
  EXPECT_EQ(places.begins->calls_of("local"), 0) << "the next one may begin";
  taken.clear();
  test::run_until(io, [&] { return begins.answer.body.size() == 200'044U; });
  EXPECT_EQ(status_of(begins), 200U);
}

TEST_F(SoundRoutes, RequestsThatWaitTooLongAreRefused) {
  keep(1000);
  api.sound_places.patience = std::chrono::milliseconds(1);
  std::vector<std::unique_ptr<CallPlaces::Place>> taken;
  for (int i = 0; i < 4; ++i) {
    taken.push_back(
        std::make_unique<CallPlaces::Place>(api.sound_places.begins, "local", io.get_executor()));
  }
  const auto late = ask_for("audio");
  EXPECT_EQ(error_of(late), errc::too_many_requests);
  EXPECT_EQ(late.header("retry-after"), "5");
  taken.pop_back();
  EXPECT_EQ(status_of(ask_for("audio")), 200U);
  api.sound_places.most_begins_of_one = 3;
  EXPECT_EQ(error_of(ask_for("peaks")), errc::too_many_requests);
}

TEST_F(SoundRoutes, ARequestWhoseClientHasLeftWaitsForNothing) {
  keep(1000);
  std::vector<std::unique_ptr<CallPlaces::Place>> taken;
  for (int i = 0; i < 4; ++i) {
    taken.push_back(
        std::make_unique<CallPlaces::Place>(api.sound_places.begins, "local", io.get_executor()));
  }
  FakeExchange leaves(http::verb::get, "/v1/jobs/" + job_ + "/audio");
  leaves.has_left = true;
  serve(leaves);
  EXPECT_FALSE(leaves.has_answered());
  EXPECT_EQ(api.sound_places.begins->calls_of("local"), 4);
}

// Bytes of a file that was removed would count for nobody while somebody reads them.
TEST_F(SoundRoutes, SoundThatIsRemovedMeanwhileIsReadNoFurther) {
  keep(100'000);
  FakeExchange reading(http::verb::get, "/v1/jobs/" + job_ + "/audio");
  reading.on_write = [this] { sounds.remove(job_); };
  EXPECT_THROW(ask(reading), std::runtime_error) << "the answer breaks off";
  EXPECT_EQ(reading.answer.stream_bytes, 200'044U);
  EXPECT_EQ(reading.answer.body.size(), 64U * 1024);
}

TEST_F(SoundRoutes, GiveAPartThatReachesIntoTheHead) {
  keep(1000);
  const auto whole = ask_for("audio").answer.body;
  const auto part = ask_for("audio", "bytes=40-47");
  EXPECT_EQ(status_of(part), 206U);
  EXPECT_EQ(part.answer.body, whole.substr(40, 8));
  EXPECT_EQ(part.header("content-range"), "bytes 40-47/2044");
  EXPECT_EQ(status_of(ask_for("audio", "bytes=2044-")), 416U);
}

TEST_F(SoundRoutes, TellGrowingSoundFromWhatItWas) {
  keep(10, false);
  const auto before = ask_for("audio");
  keep(10, false);
  const auto after = ask_for("audio");
  EXPECT_EQ(after.answer.body.size(), 44U + 40U);
  EXPECT_NE(before.header("etag"), after.header("etag"));
}

TEST_F(SoundRoutes, DrawFromAnyPeakOn) {
  keep(3200);
  EXPECT_EQ(ask_for("peaks").answer.body.size(), 2U);
  EXPECT_EQ(ask_for("peaks").header("x-peaks-per-second"), "10");
  FakeExchange rest(http::verb::get, "/v1/jobs/" + job_ + "/peaks");
  rest.queries = {{"from", "1"}};
  EXPECT_EQ(ask(rest).answer.body.size(), 1U);
  FakeExchange beyond(http::verb::get, "/v1/jobs/" + job_ + "/peaks");
  beyond.queries = {{"from", "9"}};
  EXPECT_EQ(ask(beyond).answer.body, "");
}

TEST_F(SoundRoutes, SayWhereNothingIsKept) {
  for (const std::string what : {"audio", "peaks"}) {
    const auto answer = ask_for(what);
    EXPECT_EQ(status_of(answer), 404U);
    EXPECT_EQ(error_of(answer), errc::no_sound);
  }
  job_ = std::string(26, 'x');
  EXPECT_EQ(error_of(ask_for("audio")), errc::job_not_found);
}

TEST_F(SoundRoutes, WholeSoundIsTranscribedAgain) {
  keep(1000, false);
  EXPECT_EQ(error_of(again("{}")), errc::no_sound);
  keep(0);
  const auto answer = again(R"({"language": "de", "metadata": {"try": "2"}})");
  ASSERT_EQ(status_of(answer), 202U) << answer.answer.body;
  const auto body = json_of(answer);
  EXPECT_NE(body["id"], job_);
  EXPECT_EQ(body["metadata"]["try"], "2");
  const auto made = test::run(io, jobs.find(body["id"], "local")).value();
  ASSERT_TRUE(made);
  EXPECT_EQ(made->request.decoder.input_format, "s16le");
  EXPECT_TRUE(made->request.input_is_ours);
  EXPECT_EQ(test::read_text(made->request.input).size(), 2000U);
}

// A daemon that died while it decoded has left a part, and another one has done the job since.
TEST_F(SoundRoutes, WholeSoundElsewhereIsGivenInsteadOfAPartHere) {
  const std::string whole(2000, 'w');
  told_sound = KeptSound{.bytes = whole.size(), .is_whole = true};
  services.distant_sound = {
      .read = [&](std::string, std::uint64_t from, std::uint64_t bytes)
          -> asio::awaitable<Result<std::string>> { co_return whole.substr(from, bytes); },
      .peaks = [](std::string) -> asio::awaitable<Result<std::string>> { co_return "pp"; }};
  keep(10, false);
  EXPECT_EQ(ask_for("audio").answer.body, wav_head(2000) + whole);
  EXPECT_EQ(ask_for("peaks").answer.body, "pp");
  const auto answer = again("{}");
  ASSERT_EQ(status_of(answer), 202U) << answer.answer.body;
  const auto made = test::run(io, jobs.find(json_of(answer)["id"], "local")).value();
  ASSERT_TRUE(made);
  EXPECT_EQ(test::read_text(made->request.input), whole);
}

TEST_F(SoundRoutes, WholeSoundHereIsNotFetchedFromElsewhere) {
  told_sound = KeptSound{.bytes = 20, .is_whole = true};
  services.distant_sound = {.read = [](std::string, std::uint64_t,
                                       std::uint64_t) -> asio::awaitable<Result<std::string>> {
    co_return Error{errc::no_sound, "", ""};
  }};
  keep(10);
  EXPECT_EQ(ask_for("audio").answer.body.size(), 44U + 20U);
}

TEST_F(SoundRoutes, OneChannelCannotBeSplit) {
  keep(1000);
  const auto answer = again(R"({"channels": "split"})");
  EXPECT_EQ(status_of(answer), 400U);
  EXPECT_EQ(json_of(answer)["error"]["param"], "channels");
}

TEST_F(SoundRoutes, ACancelledJobIsKept) {
  for (int i = 0; i < 2; ++i) {
    FakeExchange exchange(http::verb::post, "/v1/jobs/" + job_ + "/cancel");
    EXPECT_EQ(json_of(ask(exchange))["status"], "cancelled");
  }
  EXPECT_EQ(status_of(get("/v1/jobs/" + job_)), 200U);
}

}  // namespace
}  // namespace server
