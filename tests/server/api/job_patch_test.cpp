#include "tests/server/api/api_fixture.h"
#include "tests/server/api/form_request.h"
#include "tests/server/api/played_job.h"

namespace server {
namespace {

using nlohmann::json;
using test::FakeExchange;
using test::form_field;
using test::form_file;

class JobSpeakers : public test::ApiFixture {
 protected:
  // Submits a recording with further fields, and plays its job to the end.
  std::string transcribed(const std::string& fields, std::vector<protocol::SpeakerTurn> turns) {
    FakeExchange exchange = test::form_request("/v1/jobs", form_file("sound") + fields);
    ask(exchange);
    test::PlayedJob played{.waited_for = false, .said = test::two_segments()};
    played.end->summary.turns = std::move(turns);
    if (!played.end->summary.turns.empty()) {
      played.said[0].speaker = "A";
      played.said[1].speaker = "B";
    }
    const auto work = [&]() -> asio::awaitable<int> {
      co_await test::play(jobs, std::move(played));
      co_return 0;
    };
    test::run(io, work());
    return json_of(exchange)["id"];
  }
  std::string conversation() {
    return transcribed(form_field("diarize", "true"), {{0, 1, "A"}, {1, 3, "B"}});
  }
  FakeExchange patch(const std::string& id, std::string body, const std::string& key = "") {
    FakeExchange exchange(http::verb::patch, "/v1/jobs/" + id);
    exchange.body = std::move(body);
    if (!key.empty()) exchange.fields.set(http::field::authorization, "Bearer " + key);
    ask(exchange);
    return exchange;
  }
  FakeExchange transcript(const std::string& id, const std::string& format) {
    FakeExchange exchange(http::verb::get, "/v1/jobs/" + id + "/transcript");
    exchange.queries = {{"format", format}};
    ask(exchange);
    return exchange;
  }
  std::string text(const std::string& id, const std::string& format) {
    const auto answer = transcript(id, format);
    EXPECT_EQ(status_of(answer), 200U) << answer.answer.body;
    return answer.answer.body;
  }
};

TEST_F(JobSpeakers, ANameStandsInAllFormatsFromThenOn) {
  const std::string id = conversation();
  EXPECT_EQ(json_of(get("/v1/jobs/" + id))["speaker_names"].dump(), R"({"A":"A","B":"B"})");
  const auto renamed = patch(id, R"({"speaker_names": {"A": "Anna Lee"}})");
  ASSERT_EQ(status_of(renamed), 200U) << renamed.answer.body;
  EXPECT_EQ(json_of(renamed)["speaker_names"].dump(), R"({"A":"Anna Lee","B":"B"})");
  EXPECT_EQ(json_of(get("/v1/jobs/" + id)), json_of(renamed));
  EXPECT_EQ(text(id, "txt"), "Anna Lee: Hello there.\nB: Goodbye.\n");
  EXPECT_EQ(text(id, "text"), text(id, "txt"));
  for (const char* format : {"srt", "tsv", "lrc"}) {
    EXPECT_NE(text(id, format).find("Anna Lee: Hello"), std::string::npos) << format;
  }
  EXPECT_NE(text(id, "vtt").find("<v Anna Lee>Hello"), std::string::npos);
  for (const char* format : {"json", "verbose_json", "diarized_json"}) {
    EXPECT_EQ(json::parse(text(id, format))["segments"][0]["speaker"], "Anna Lee") << format;
  }
  EXPECT_EQ(json::parse(text(id, "json"))["speakers"][0]["id"], "Anna Lee");
  EXPECT_EQ(text(id, "rttm"),
            "SPEAKER talk 1 0.000 1.000 <NA> <NA> Anna_Lee <NA> <NA>\n"
            "SPEAKER talk 1 1.000 2.000 <NA> <NA> B <NA> <NA>\n");
}

TEST_F(JobSpeakers, NullAndAnEmptyNameGiveTheLetterBack) {
  const std::string id = conversation();
  patch(id, R"({"speaker_names": {"A": "Anna", "B": "Bob"}})");
  const auto back = patch(id, R"({"speaker_names": {"A": null, "B": ""}})");
  EXPECT_EQ(json_of(back)["speaker_names"].dump(), R"({"A":"A","B":"B"})");
  EXPECT_EQ(status_of(patch(id, R"({"speaker_names": {}})")), 200U);
}

TEST_F(JobSpeakers, AChangeThatCannotBeNamesItsParameter) {
  const std::string id = conversation();
  const auto refused = [&](const char* body) {
    const auto answer = patch(id, body);
    EXPECT_EQ(status_of(answer), 400U) << body;
    return json_of(answer)["error"];
  };
  const json unknown = refused(R"({"speaker_names": {"C": "Carl"}})");
  EXPECT_EQ(unknown["param"], "speaker_names");
  EXPECT_EQ(unknown["message"], "There is no speaker C in this job. Its speakers are: A, B.");
  EXPECT_EQ(refused(R"({"speaker_names": {"A": "An\nna"}})")["code"], protocol::bad_speaker_name);
  EXPECT_EQ(refused(R"({"speaker_names": {"A": 1}})")["param"], "speaker_names");
  EXPECT_EQ(refused(R"({"speaker_names": ["A"]})")["param"], "speaker_names");
  EXPECT_EQ(refused(R"({"colour": "red"})")["param"], "colour");
  EXPECT_EQ(refused("{}")["code"], errc::missing_parameter);
  EXPECT_EQ(refused("")["code"], errc::usage);
  EXPECT_EQ(json_of(get("/v1/jobs/" + id))["speaker_names"].dump(), R"({"A":"A","B":"B"})");
}

TEST_F(JobSpeakers, WhoManagesSeesTheJobWithoutThem) {
  const std::string id = conversation();
  ASSERT_TRUE(keys.add_lines("root secret-key-of-root [transcribe, manage]"));
  FakeExchange exchange(http::verb::get, "/v1/jobs/" + id);
  exchange.fields.set(http::field::authorization, "Bearer secret-key-of-root");
  ask(exchange);
  EXPECT_EQ(status_of(exchange), 200U) << exchange.answer.body;
  EXPECT_EQ(json_of(exchange)["speaker_names"], json::object());
}

TEST_F(JobSpeakers, OnlyTheOwnerOfAJobNamesItsSpeakers) {
  ASSERT_TRUE(
      keys.add_lines("ada secret-key-of-ada\n"
                     "root secret-key-of-root [transcribe, manage]"));
  FakeExchange exchange = test::form_request("/v1/jobs", form_file("sound"));
  exchange.fields.set(http::field::authorization, "Bearer secret-key-of-ada");
  const std::string id = json_of(ask(exchange))["id"];
  const std::string body = R"({"speaker_names": {"A": "Anna"}})";
  EXPECT_EQ(status_of(patch(id, body)), 401U);
  EXPECT_EQ(error_of(patch(id, body, "secret-key-of-root")), errc::job_not_found);
  const auto early = patch(id, body, "secret-key-of-ada");
  EXPECT_EQ(status_of(early), 409U);
  EXPECT_EQ(error_of(early), errc::job_not_ended);
}

TEST_F(JobSpeakers, FormatsOfSpeakersNeedAJobThatToldThemApart) {
  const std::string id = transcribed("", {});
  for (const char* format : {"rttm", "diarized_json"}) {
    const auto refused = transcript(id, format);
    EXPECT_EQ(status_of(refused), 400U);
    EXPECT_EQ(json_of(refused)["error"]["param"], "format");
    FakeExchange unread(http::verb::get, "/v1/jobs/" + id + "/transcript");
    unread.queries = {{"format", format}, {"version", "7"}};
    ask(unread);
    EXPECT_EQ(json_of(unread)["error"]["param"], "format") << "no text is read to be refused";
  }
  EXPECT_EQ(json_of(get("/v1/jobs/" + id))["speaker_names"].dump(), "{}");
  const std::string silent = transcribed(form_field("diarize", "true"), {});
  EXPECT_EQ(text(silent, "rttm"), "");
  EXPECT_EQ(json::parse(text(silent, "diarized_json"))["segments"].size(), 2U);
}

TEST_F(JobSpeakers, EventsTellWhoSpeaks) {
  const std::string id = conversation();
  patch(id, R"({"speaker_names": {"A": "Anna"}})");
  const std::string events = get("/v1/jobs/" + id + "/events").answer.body;
  EXPECT_NE(events.find(R"("speaker":"Anna")"), std::string::npos) << events;
  EXPECT_NE(events.find(R"("speaker":"B")"), std::string::npos);
}

}  // namespace
}  // namespace server
