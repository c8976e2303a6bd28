#include "server/api/key_watch.h"

#include <array>
#include <ctime>

#include "tests/server/api/api_fixture.h"
#include "tests/server/api/form_request.h"
#include "tests/server/started.h"

namespace server {
namespace {

using test::FakeExchange;
using test::Started;

constexpr char ada[] = "ada secret-key-of-ada";
constexpr char bob[] = "bob secret-key-of-bob";

std::string in_two_seconds() {
  const std::time_t end = std::time(nullptr) + 2;
  std::tm utc{};
  ::gmtime_r(&end, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), " until=%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

class KeyWatchTest : public test::ApiFixture {
 protected:
  void replace_keys(const std::string& lines) {
    keys = ApiKeys();
    ASSERT_TRUE(keys.add_lines(lines));
    api.key_watches.tell();
  }
  static FakeExchange with_key(FakeExchange exchange) {
    exchange.fields.set(http::field::authorization, "Bearer secret-key-of-ada");
    return exchange;
  }
  asio::awaitable<int> dispatch_it(FakeExchange& exchange) {
    co_await dispatch(api, exchange);
    co_return 0;
  }
  // Begins to follow a new job of ada's, which nobody does.
  FakeExchange events() {
    FakeExchange submitted = with_key(test::form_request("/v1/jobs", test::form_file("sound")));
    ask(submitted);
    return with_key(
        {http::verb::get, "/v1/jobs/" + json_of(submitted)["id"].get<std::string>() + "/events"});
  }
  void wait_for_begin(const FakeExchange& exchange) {
    test::run_until(io, [&] { return !exchange.answer.body.empty(); });
  }
};

TEST_F(KeyWatchTest, AStreamBreaksOffWhenItsKeyIsRemoved) {
  ASSERT_TRUE(keys.add_lines(ada));
  FakeExchange stream = events();
  Started call(io, dispatch_it(stream));
  wait_for_begin(stream);
  replace_keys(bob);
  test::run_until(io, [&] { return call.ended(); });
  EXPECT_TRUE(call.threw());
  EXPECT_EQ(jobs.waiting(), 1) << "the job goes on";
}

TEST_F(KeyWatchTest, AStreamBreaksOffWhenTheTimeOfItsKeyHasCome) {
  ASSERT_TRUE(keys.add_lines(ada + in_two_seconds()));
  FakeExchange stream = events();
  Started call(io, dispatch_it(stream));
  test::run_until(io, [&] { return call.ended(); });
  EXPECT_TRUE(call.threw());
}

TEST_F(KeyWatchTest, AStreamGoesOnWhereItsKeyStays) {
  ASSERT_TRUE(keys.add_lines(ada));
  FakeExchange stream = events();
  Started call(io, dispatch_it(stream));
  wait_for_begin(stream);
  replace_keys(std::string(bob) + "\n" + ada);
  const auto id = test::run(io, jobs.list("ada", 1, "")).value().front().id;
  ASSERT_TRUE(test::run(io, jobs.cancel(id)).value());
  test::run_until(io, [&] { return call.ended(); });
  EXPECT_FALSE(call.threw());
  EXPECT_NE(stream.answer.body.find("job.ended"), std::string::npos);
}

TEST_F(KeyWatchTest, WhoWaitsForATextHearsThatTheKeyHasEnded) {
  ASSERT_TRUE(keys.add_lines(ada));
  FakeExchange waiting = with_key(
      test::form_request("/v1/audio/transcriptions",
                         test::form_file("sound") + test::form_field("model", "whisper-1")));
  Started call(io, dispatch_it(waiting));
  test::run_until(io, [&] { return jobs.waiting() == 1; });
  replace_keys(std::string(bob) + "\n" + ada + " [read_status]");
  test::run_until(io, [&] { return call.ended() && jobs.waiting() == 0; });
  EXPECT_FALSE(call.threw());
  EXPECT_EQ(status_of(waiting), 403U);
  EXPECT_EQ(error_of(waiting), errc::forbidden);
}

}  // namespace
}  // namespace server
