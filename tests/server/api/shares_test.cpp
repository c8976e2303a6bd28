#include "server/sessions/shares.h"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <stdexcept>
#include <vector>

#include "tests/server/api/api_fixture.h"
#include "tests/server/api/played_job.h"

namespace server {
namespace {

using test::FakeExchange;

class ShareRoutes : public test::ApiFixture {
 protected:
  ShareRoutes() {
    EXPECT_TRUE(keys.add_lines("ada secret-key-of-ada [transcribe]\neve secret-key-of-eve"));
    const auto made = test::run(io, jobs.submit({.model = "base",
                                                 .input = "talk.wav",
                                                 .title = "talk.wav",
                                                 .owner = "ada",
                                                 .metadata = {{"case", "secret"}}}));
    job = made->id;
  }

  FakeExchange as(const char* name, http::verb method, const std::string& path,
                  const std::string& body = "") {
    FakeExchange exchange(method, path);
    exchange.fields.set(http::field::host, "localhost:8080");
    exchange.fields.set(http::field::authorization, std::string("Bearer secret-key-of-") + name);
    exchange.body = body;
    serve(exchange);
    return exchange;
  }
  nlohmann::json share(const std::string& body = "") {
    return json_of(as("ada", http::verb::post, "/v1/jobs/" + job + "/shares", body));
  }
  std::string path_of(const nlohmann::json& made) const {
    return "/v1/shares/" + made["token"].get<std::string>();
  }

  std::string job;
};

TEST_F(ShareRoutes, ALinkOpensItsJobWithoutAKey) {
  const auto made = as("ada", http::verb::post, "/v1/jobs/" + job + "/shares");
  EXPECT_EQ(status_of(made), 201U);
  const auto body = json_of(made);
  const std::string token = body["token"];
  EXPECT_EQ(body["url"], "http://localhost:8080/#/s/" + token);
  const double time = body["ends_at"].get<double>() - body["created_at"].get<double>();
  EXPECT_EQ(time, Shares::usual_s);
  const auto shown = json_of(get(path_of(body)));
  EXPECT_EQ(shown["id"], job);
  EXPECT_EQ(shown["title"], "talk.wav");
}

TEST_F(ShareRoutes, WhatALinkShowsDoesNotExpire) {
  const std::string expiring =
      test::run(
          io,
          jobs.submit({.model = "base", .input = "talk.wav", .owner = "ada", .keep_results_s = 60}))
          ->id;
  EXPECT_TRUE(test::run(io, jobs.cancel(expiring, "ada")).value());
  const std::string path = "/v1/jobs/" + expiring;
  EXPECT_TRUE(json_of(as("ada", http::verb::get, path))["expires_at"].is_number());
  EXPECT_EQ(status_of(as("ada", http::verb::post, path + "/shares")), 201U);
  EXPECT_TRUE(json_of(as("ada", http::verb::get, path))["expires_at"].is_null());
}

TEST_F(ShareRoutes, LinksThatAreGuessedCountAsWrongKeys) {
  const std::string known = path_of(share());
  for (int i = 0; i < 5; ++i) {
    EXPECT_EQ(status_of(get("/v1/shares/guess" + std::to_string(i))), 404U);
  }
  EXPECT_EQ(status_of(get("/v1/shares/guess6")), 429U);
  EXPECT_EQ(status_of(get("/v1/shares/guess1/segments")), 404U) << "it was counted already";
  EXPECT_EQ(status_of(get(known)), 200U) << "nobody guesses 260 random bits";
  EXPECT_EQ(status_of(as("eve", http::verb::get, "/v1/models")), 429U);
}

TEST_F(ShareRoutes, ALinkTellsNothingOfWhoRunsTheJob) {
  const auto shown = json_of(get(path_of(share())));
  EXPECT_EQ(shown["owner"], "");
  EXPECT_EQ(shown["request_id"], nullptr);
  EXPECT_EQ(shown["metadata"], nlohmann::json::object());
}

TEST_F(ShareRoutes, ALinkReadsTheText) {
  test::play_beside(io, jobs,
                    {.waited_for = false, .said = {{.start = 0, .end = 1, .text = " Hello."}}});
  const std::string path = path_of(share());
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(30);
  while (json_of(get(path))["status"] != "done" && std::chrono::steady_clock::now() < deadline) {
  }
  FakeExchange text(http::verb::get, path + "/transcript");
  EXPECT_EQ(ask(text).answer.body, "Hello.\n");
  FakeExchange older(http::verb::get, path + "/transcript");
  older.queries = {{"version", "0"}};
  EXPECT_EQ(status_of(ask(older)), 400U) << "what was edited away stays the owner's";
}

TEST_F(ShareRoutes, ALinkChangesNothing) {
  const std::string path = path_of(share());
  for (const auto method :
       {http::verb::post, http::verb::patch, http::verb::delete_, http::verb::put}) {
    FakeExchange exchange(method, path);
    EXPECT_EQ(status_of(ask(exchange)), 405U);
  }
  EXPECT_EQ(status_of(get(path + "/shares")), 404U);
  EXPECT_EQ(status_of(get(path + "/events")), 404U);
}

TEST_F(ShareRoutes, OnlyTheOwnerMakesListsAndEndsLinks) {
  const std::string all = "/v1/jobs/" + job + "/shares";
  EXPECT_EQ(status_of(as("eve", http::verb::post, all)), 404U);
  EXPECT_EQ(status_of(as("eve", http::verb::get, all)), 404U);
  const auto made = share();
  const auto listed = json_of(as("ada", http::verb::get, all))["data"];
  ASSERT_EQ(listed.size(), 1U);
  EXPECT_EQ(listed[0]["id"], made["id"]);
  EXPECT_FALSE(listed[0].contains("token")) << "a token is told once";
  const std::string one = all + "/" + made["id"].get<std::string>();
  EXPECT_EQ(status_of(as("eve", http::verb::delete_, one)), 404U);
  EXPECT_EQ(status_of(get(path_of(made))), 200U);
  EXPECT_EQ(json_of(as("ada", http::verb::delete_, one)),
            (nlohmann::json{{"id", made["id"]}, {"object", "share"}, {"deleted", true}}));
  EXPECT_EQ(error_of(get(path_of(made))), errc::share_not_found);
}

TEST_F(ShareRoutes, SoundIsReadNoFurtherThanTheLinkLasts) {
  const std::vector<std::int16_t> sound(100'000);
  auto writer = sounds.begin(job, "ada").value();
  ASSERT_TRUE(writer.write(sound));
  writer.finish();
  const auto made = share();
  const std::string token = made["token"];
  FakeExchange reading(http::verb::get, path_of(made) + "/audio");
  reading.on_write = [&] {
    const std::string id = made["id"];
    asio::co_spawn(io, api.shares.remove(id, job, "ada"), asio::detached);
  };
  EXPECT_THROW(serve(reading), std::runtime_error) << "the answer breaks off";
  EXPECT_LT(reading.answer.body.size(), 200'044U);
  FakeExchange of_key(http::verb::get, path_of(share()) + "/audio");
  of_key.on_write = [this] {
    keys = ApiKeys();
    ASSERT_TRUE(keys.add_lines("eve secret-key-of-eve"));
  };
  EXPECT_THROW(serve(of_key), std::runtime_error);
  EXPECT_EQ(of_key.answer.body.size(), 64U * 1024);
}

TEST_F(ShareRoutes, ALinkEndsWithItsJob) {
  const std::string path = path_of(share());
  ASSERT_TRUE(test::run(io, jobs.remove(job)));
  EXPECT_EQ(error_of(get(path)), errc::share_not_found);
  EXPECT_EQ(error_of(get(path + "/transcript")), errc::share_not_found);
}

TEST_F(ShareRoutes, ALinkEndsWithTheKeyOfItsOwner) {
  const std::string path = path_of(share());
  keys = ApiKeys();
  ASSERT_TRUE(keys.add_lines("eve secret-key-of-eve"));
  EXPECT_EQ(error_of(get(path)), errc::share_not_found);
}

TEST_F(ShareRoutes, ALinkIsGoodForAsLongAsItsOwnerSays) {
  const auto made = share(R"({"ends_in_s": 3600})");
  EXPECT_EQ(made["ends_at"].get<double>() - made["created_at"].get<double>(), 3600);
  for (const char* body :
       {R"({"ends_in_s": 59})", R"({"ends_in_s": 7776001})", R"({"ends_in_s": "3600"})",
        R"({"ends_in_s": null})", "[]", "x", R"({"ends": 3600})"}) {
    const auto refused = as("ada", http::verb::post, "/v1/jobs/" + job + "/shares", body);
    EXPECT_EQ(status_of(refused), 400U) << body;
  }
}

TEST_F(ShareRoutes, GuessesFindNothing) {
  share();
  EXPECT_EQ(error_of(get("/v1/shares/" + std::string(52, '0'))), errc::share_not_found);
  EXPECT_EQ(error_of(get("/v1/shares/" + job)), errc::share_not_found);
}

}  // namespace
}  // namespace server
