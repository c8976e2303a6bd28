#include <map>

#include "server/inputs/url_fetcher.h"
#include "tests/server/api/api_fixture.h"
#include "tests/server/api/form_request.h"
#include "tests/server/api/played_job.h"
#include "tests/server/outbound/loopback_server.h"

namespace server {
namespace {

using nlohmann::json;
using test::FakeExchange;
using test::form_field;
using test::form_file;

class JobRoutes : public test::ApiFixture {
 protected:
  FakeExchange submit(const std::string& parts, const std::string& key = "") {
    FakeExchange exchange = test::form_request("/v1/jobs", parts);
    if (!key.empty()) exchange.fields.set("idempotency-key", key);
    ask(exchange);
    return exchange;
  }
  std::string submitted() { return json_of(submit(form_file("sound")))["id"]; }
  FakeExchange page(const std::string& limit, const std::string& after = "") {
    FakeExchange exchange(http::verb::get, "/v1/jobs");
    exchange.queries = {{"limit", limit}};
    if (!after.empty()) exchange.queries.emplace_back("after", after);
    ask(exchange);
    return exchange;
  }
  FakeExchange remove(const std::string& id) {
    FakeExchange exchange(http::verb::delete_, "/v1/jobs/" + id);
    ask(exchange);
    return exchange;
  }
  FakeExchange transcript(const std::string& id, const std::string& format) {
    FakeExchange exchange(http::verb::get, "/v1/jobs/" + id + "/transcript");
    if (!format.empty()) exchange.queries = {{"format", format}};
    ask(exchange);
    return exchange;
  }
  FakeExchange subtitles(const std::string& id, const std::string& option,
                         const std::string& value) {
    FakeExchange exchange(http::verb::get, "/v1/jobs/" + id + "/transcript");
    exchange.queries = {{"format", "srt"}, {option, value}};
    ask(exchange);
    return exchange;
  }
  // Plays the submitted job, to its end or until it is running.
  void play(bool ends) {
    test::PlayedJob played{.waited_for = false, .said = test::two_segments()};
    if (!ends) played.end.reset();
    const auto work = [&]() -> asio::awaitable<int> {
      co_await test::play(jobs, std::move(played));
      co_return 0;
    };
    test::run(io, work());
  }
};

TEST_F(JobRoutes, AnAcceptedJobIsFoundAtTheAddressThatTheAnswerNames) {
  const auto accepted = submit(form_file("sound") + form_field("language", "de"));
  ASSERT_EQ(status_of(accepted), 202U) << accepted.answer.body;
  const json job = json_of(accepted);
  EXPECT_EQ(job["status"], "queued");
  EXPECT_EQ(job["title"], "talk.mp3");
  EXPECT_EQ(job["queue_place"], 1);
  EXPECT_EQ(accepted.header("location"), "/v1/jobs/" + job["id"].get<std::string>());
  EXPECT_EQ(json_of(get(accepted.header("location"))), job);
}

TEST_F(JobRoutes, APageOfLargeJobsIsShortAndLeadsToTheNext) {
  json metadata;
  for (int i = 0; i < 16; ++i) metadata[std::to_string(i)] = std::string(512, 'x');
  const std::string parts = form_file("sound") + form_field("metadata", metadata.dump());
  constexpr std::size_t count = 60;
  for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(status_of(submit(parts)), 202U);
  std::size_t listed = 0;
  std::string last;
  for (bool has_more = true; has_more;) {
    const auto answer = page("100", last);
    EXPECT_LT(answer.answer.body.size(), 300'000U);
    const json list = json_of(answer);
    ASSERT_FALSE(list["data"].empty());
    EXPECT_LT(list["data"].size(), count);
    listed += list["data"].size();
    last = list["data"].back()["id"];
    has_more = list["has_more"];
  }
  EXPECT_EQ(listed, count);
}

asio::awaitable<Result<protocol::KnownSpeaker>> never_decoded(std::string, platform::UniqueFd) {
  co_await sleep_for(std::chrono::hours(1));
  co_return protocol::KnownSpeaker{};
}

TEST_F(JobRoutes, AClientThatLeavesBeforeThereIsAJobHasNone) {
  services.read_known_speaker = never_decoded;
  FakeExchange exchange = test::form_request(
      "/v1/jobs", form_file("sound") + form_field("known_speaker_names[]", "Ada") +
                      form_field("known_speaker_references[]", "data:;base64,YQ=="));
  exchange.has_left = true;
  serve(exchange);
  EXPECT_FALSE(exchange.has_answered());
  EXPECT_EQ(jobs.waiting(), 0);
}

TEST_F(JobRoutes, TheSameRequestUnderOneKeyIsOneJob) {
  const std::string id = json_of(submit(form_file("sound"), "k"))["id"];
  EXPECT_EQ(json_of(submit(form_file("sound"), "k"))["id"], id);
  EXPECT_EQ(error_of(submit(form_file("other"), "k")), errc::key_reused);
  EXPECT_EQ(error_of(submit(form_file("sound") + form_field("language", "de"), "k")),
            errc::key_reused);
  EXPECT_EQ(jobs.waiting(), 1);
  EXPECT_EQ(spool.names().size(), 1U) << "what is not used is not kept";
}

TEST_F(JobRoutes, AWebhookThatIsRefusedNamesItsParameter) {
  const auto refused = submit(form_file("sound") + form_field("webhook_url", "https://inside"));
  EXPECT_EQ(json_of(refused)["error"]["param"], "webhook_url");
  EXPECT_EQ(status_of(submit(form_file("sound") + form_field("webhook_url", "https://fine"))),
            202U);
  EXPECT_EQ(jobs.waiting(), 1);
}

TEST_F(JobRoutes, APageGoesOnBehindTheLastOneBefore) {
  const std::string first = submitted(), second = submitted(), third = submitted();
  const json newest = json_of(page("2"));
  ASSERT_EQ(newest["data"].size(), 2U);
  EXPECT_EQ(newest["data"][0]["id"], third);
  EXPECT_EQ(newest["data"][1]["id"], second);
  EXPECT_EQ(newest["has_more"], true);
  const json rest = json_of(page("2", second));
  ASSERT_EQ(rest["data"].size(), 1U);
  EXPECT_EQ(rest["data"][0]["id"], first);
  EXPECT_EQ(rest["has_more"], false);
}

TEST_F(JobRoutes, APageThatCannotBeIsRefused) {
  for (const char* limit : {"0", "101", "-1", "5x", "", "two"}) {
    const auto refused = page(limit);
    EXPECT_EQ(status_of(refused), 400U) << limit;
    EXPECT_EQ(json_of(refused)["error"]["param"], "limit") << limit;
  }
  EXPECT_EQ(status_of(page("100")), 200U);
  EXPECT_EQ(json_of(page("5", "none"))["error"]["param"], "after");
}

TEST_F(JobRoutes, AListHasWhatPassesItsFilters) {
  const std::string first = submitted(), second = submitted();
  play(true);
  const auto found = [&](Headers queries) {
    FakeExchange exchange(http::verb::get, "/v1/jobs");
    exchange.queries = std::move(queries);
    ask(exchange);
    std::vector<std::string> ids;
    const json page = json_of(exchange);
    for (const auto& job : page["data"]) ids.push_back(job["id"]);
    return ids;
  };
  using Ids = std::vector<std::string>;
  EXPECT_EQ(found({{"status", "done"}}), Ids{first});
  EXPECT_EQ(found({{"status", "queued"}}), Ids{second});
  EXPECT_EQ(found({{"q", "GOODBYE"}}), Ids{first});
  EXPECT_EQ(found({{"language", "English"}}), Ids{first});
  EXPECT_EQ(found({{"model", "whisper-1"}}), (Ids{second, first}));
  EXPECT_EQ(found({{"model", "tiny"}}), Ids{});
  EXPECT_EQ(found({{"status", ""}, {"q", ""}}), (Ids{second, first}));
}

TEST_F(JobRoutes, AFilterThatCannotBeIsRefused) {
  for (const auto& [name, value] : {std::pair{"status", "ready"}, std::pair{"language", "klingon"},
                                    std::pair{"state", "done"}}) {
    FakeExchange exchange(http::verb::get, "/v1/jobs");
    exchange.queries = {{name, value}};
    EXPECT_EQ(status_of(ask(exchange)), 400U) << name;
    EXPECT_EQ(json_of(exchange)["error"]["param"], name);
  }
}

TEST_F(JobRoutes, AJobIsKeptAsLongAsItsClientWantsAndHasItsTexts) {
  const auto accepted = submit(form_file("sound") + form_field("keep_results_s", "60") +
                               form_field("metadata[call]", "17"));
  ASSERT_EQ(status_of(accepted), 202U) << accepted.answer.body;
  play(true);
  const json job = json_of(get(accepted.header("location")));
  EXPECT_EQ(job["metadata"].dump(), R"({"call":"17"})");
  EXPECT_NEAR(job["expires_at"].get<double>() - job["finished_at"].get<double>(), 60, 0.01);
}

TEST_F(JobRoutes, FieldsThatNobodyKnowsAreNamedInAHeaderAndInTheLog) {
  std::vector<std::string> told;
  api.ignored_fields = [&told](const Exchange&, const std::vector<std::string>& fields) {
    told = fields;
  };
  const auto accepted = submit(form_file("sound") + form_field("colour", "red"));
  EXPECT_EQ(status_of(accepted), 202U);
  EXPECT_NE(accepted.header("warning").find("colour"), std::string::npos);
  EXPECT_EQ(told, std::vector<std::string>{"colour"});
  EXPECT_EQ(submit(form_file("sound")).header("warning"), "");
}

TEST_F(JobRoutes, AnAddressIsFetchedIfTheServerFetchesSuch) {
  test::LoopbackServer server([](const std::string& request) {
    const bool is_there = request.find("/talk.mp3") != request.npos;
    return test::http_answer(is_there ? "200 OK" : "404 Not Found", "sound");
  });
  UrlFetcher fetcher({.allow_private = true}, spool);
  services.urls = &fetcher;
  const auto accepted = submit(form_field("url", server.url("/talk.mp3")));
  ASSERT_EQ(status_of(accepted), 202U) << accepted.answer.body;
  EXPECT_EQ(json_of(accepted)["title"], "talk.mp3");
  ASSERT_EQ(spool.names().size(), 1U);
  EXPECT_EQ(test::read_text(spool.folder() / spool.names()[0]), "sound");
  const auto missing = submit(form_field("url", server.url("/none.mp3")));
  EXPECT_EQ(status_of(missing), 502U);
  EXPECT_EQ(json_of(missing)["error"]["param"], "url");
  services.urls = nullptr;
}

TEST_F(JobRoutes, WhatASubmissionRefusesNamesItsParameter) {
  const auto parameter = [&](const std::string& parts) {
    return json_of(submit(parts))["error"]["param"];
  };
  EXPECT_EQ(parameter(form_file("x") + form_field("model", "none")), "model");
  EXPECT_EQ(parameter(form_field("upload", "none")), "upload");
  EXPECT_EQ(parameter(form_field("url", "https://example.org/a.mp3")), "url");
  EXPECT_EQ(parameter(form_file("x") + form_field("url", "https://example.org")), "file");
  EXPECT_EQ(parameter(""), "file");
}

TEST_F(JobRoutes, AJobOfAnotherIsNotThere) {
  ASSERT_TRUE(keys.add_lines("ada secret-key-of-ada\nbob secret-key-of-bob"));
  const auto as = [&](const char* who, FakeExchange exchange) {
    exchange.fields.set(http::field::authorization, std::string("Bearer secret-key-of-") + who);
    ask(exchange);
    return exchange;
  };
  const auto accepted = as("ada", test::form_request("/v1/jobs", form_file("sound")));
  const std::string path = accepted.header("location");
  for (const auto& [method, ending] :
       {std::pair{http::verb::get, ""}, std::pair{http::verb::get, "/events"},
        std::pair{http::verb::get, "/transcript"}, std::pair{http::verb::delete_, ""}}) {
    const auto answer = as("bob", FakeExchange(method, path + ending));
    EXPECT_EQ(status_of(answer), 404U) << ending;
    EXPECT_EQ(error_of(answer), errc::job_not_found) << ending;
  }
  EXPECT_EQ(json_of(as("bob", FakeExchange(http::verb::get, "/v1/jobs")))["data"].size(), 0U);
  EXPECT_EQ(status_of(as("ada", FakeExchange(http::verb::get, path))), 200U);
}

TEST_F(JobRoutes, ADeletedJobIsCancelledAndForgotten) {
  const std::string id = submitted();
  EXPECT_EQ(json_of(remove(id))["deleted"], true);
  EXPECT_EQ(jobs.waiting(), 0);
  EXPECT_TRUE(spool.names().empty());
  EXPECT_EQ(error_of(remove(id)), errc::job_not_found);
}

TEST_F(JobRoutes, ATranscriptComesInEachFormatWithItsType) {
  const std::string id = submitted();
  play(true);
  const std::map<std::string, std::pair<std::string, std::string>> formats{
      {"", {"text/plain", "Hello there."}},
      {"txt", {"text/plain", "Hello there."}},
      {"srt", {"text/plain", "00:00:00,000 --> 00:00:03,000"}},
      {"ass", {"text/x-ssa", ",,Hello there. Goodbye.\n"}},
      {"vtt", {"text/vtt", "WEBVTT"}},
      {"tsv", {"text/tab-separated-values", "1000\t3000\tGoodbye."}},
      {"lrc", {"text/plain", "[00:01.00] Goodbye."}},
      {"json", {"application/json", "\"segments\""}},
      {"docx", {"application/vnd.openxmlformats", "word/document.xml"}},
      {"text", {"text/plain", "Hello there. Goodbye.\n"}},
      {"verbose_json", {"application/json", "\"no_speech_prob\""}}};
  for (const auto& [format, expected] : formats) {
    const auto answer = transcript(id, format);
    EXPECT_EQ(status_of(answer), 200U) << format;
    EXPECT_TRUE(answer.answer.content_type.starts_with(expected.first)) << format;
    EXPECT_NE(answer.answer.body.find(expected.second), std::string::npos) << answer.answer.body;
    EXPECT_EQ(answer.header("x-job-status"), "done");
  }
  const auto whispers = subtitles(id, "subtitle_style", "whisper");
  EXPECT_NE(whispers.answer.body.find("00:00:01,000 --> 00:00:03,000"), std::string::npos);
  EXPECT_EQ(json_of(subtitles(id, "subtitle_style", "x"))["error"]["param"], "subtitle_style");
  EXPECT_EQ(json_of(subtitles(id, "max_line_width", "x"))["error"]["param"], "max_line_width");
  const auto unknown = transcript(id, "odt");
  EXPECT_EQ(status_of(unknown), 400U);
  EXPECT_EQ(json_of(unknown)["error"]["param"], "format");
}

TEST_F(JobRoutes, ATranscriptOfARunningJobIsMarkedAsAPart) {
  const std::string id = submitted();
  play(false);
  const auto answer = transcript(id, "txt");
  EXPECT_EQ(answer.header("x-job-status"), "running");
  EXPECT_NE(answer.answer.body.find("Goodbye."), std::string::npos);
}

}  // namespace
}  // namespace server
