#include "server/inputs/url_fetcher.h"
#include "tests/server/api/api_fixture.h"

namespace server {
namespace {

using OptionsRoute = test::ApiFixture;

TEST_F(OptionsRoute, SaysWhatMayBeAskedFor) {
  api.settings.max_upload_bytes = 1000;
  api.settings.max_audio_seconds = 60;
  api.settings.doors.deepgram = false;
  services.options.language = "de";
  const auto options = json_of(get("/v1/options"));
  EXPECT_EQ(options["max_upload_bytes"], 1000);
  EXPECT_EQ(options["max_audio_seconds"], 60);
  EXPECT_EQ(options["default_model"], "base");
  EXPECT_EQ(options["models"], nlohmann::json::array());
  EXPECT_EQ(options["tells_speakers"], false);
  EXPECT_EQ(options["interfaces"]["deepgram"], false);
  EXPECT_EQ(options["interfaces"]["realtime"], true);
  EXPECT_EQ(options["defaults"]["language"], "de");
  EXPECT_EQ(options["defaults"]["task"], "transcribe");
  EXPECT_EQ(options["languages"].size(), 100U);
  EXPECT_EQ(options["languages"][2], (nlohmann::json{{"code", "de"}, {"name", "german"}}));
}

TEST_F(OptionsRoute, NamesTheHostsOfAddresses) {
  EXPECT_EQ(json_of(get("/v1/options"))["url_hosts"], nlohmann::json::array());
  UrlFetcher fetcher({.hosts = {"example.org", "*.example.org"}}, spool);
  services.urls = &fetcher;
  EXPECT_EQ(json_of(get("/v1/options"))["url_hosts"],
            (nlohmann::json{"example.org", "*.example.org"}));
}

// A client offers these for download.
TEST_F(OptionsRoute, NamesFormatsThatATranscriptHas) {
  const auto job = test::run(io, jobs.submit({.model = "base", .input = "a", .owner = "local"}));
  const auto options = json_of(get("/v1/options"));
  for (const auto& format : options["formats"]) {
    if (format == "rttm") continue;  // it is of jobs with speakers
    test::FakeExchange exchange(http::verb::get, "/v1/jobs/" + job->id + "/transcript");
    exchange.queries = {{"format", format}};
    EXPECT_EQ(status_of(ask(exchange)), 200U) << format;
  }
}

}  // namespace
}  // namespace server
