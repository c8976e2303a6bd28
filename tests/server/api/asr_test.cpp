#include "server/api/asr_query.h"
#include "tests/server/api/api_fixture.h"
#include "tests/server/api/form_request.h"
#include "tests/server/api/played_job.h"
#include "tests/server/started.h"

namespace server {
namespace {

using nlohmann::json;
using test::FakeExchange;
using test::PlayedJob;

class AsrRoutes : public test::ApiFixture {
 protected:
  static FakeExchange asr_request(Headers queries, const std::string& sound = "sound",
                                  const std::string& path = "/asr") {
    const auto part = test::form_part("name=\"audio_file\"; filename=\"my film.mkv\"", sound);
    FakeExchange exchange = test::form_request(path, part);
    exchange.queries = std::move(queries);
    return exchange;
  }
  FakeExchange played(FakeExchange exchange, PlayedJob played) {
    test::play_beside(io, jobs, std::move(played));
    ask(exchange);
    return exchange;
  }
  FakeExchange answer(Headers queries) {
    return played(asr_request(std::move(queries)), {.said = test::two_segments()});
  }
  // Returns the job that a request becomes, and lets the client leave then.
  JobRequest job_of(FakeExchange exchange) {
    const auto serve = [&]() -> asio::awaitable<int> {
      co_await dispatch(api, exchange);
      co_return 0;
    };
    const test::Started<int> served(io, serve());
    test::run_until(io, [&] { return jobs.waiting() == 1; });
    const JobRequest request = test::run(io, jobs.list("local", 1, "")).value().at(0).request;
    exchange.has_left = true;
    test::run_until(io, [&] {
      return served.ended() && test::run(io, jobs.list("local", 1, "")).value().empty();
    });
    EXPECT_FALSE(exchange.has_answered());
    return request;
  }
  static PlayedJob failing() {
    return {.end = JobEnd{JobState::failed, Error{errc::worker_died, "It died.", ""}}};
  }
};

TEST_F(AsrRoutes, EachOutputIsPlainTextWithTheNameOfAFile) {
  struct Case {
    const char* output;
    const char* body;
  };
  for (const auto& c :
       {Case{"txt", "Hello there.\nGoodbye.\n"},
        Case{"srt", "1\n00:00:00,000 --> 00:00:03,000\nHello there. Goodbye.\n\n"},
        Case{"tsv", "start\tend\ttext\n0\t1000\tHello there.\n1000\t3000\tGoodbye.\n"}}) {
    const auto answered = answer({{"output", c.output}, {"video_file", "/films/a.mkv"}});
    EXPECT_EQ(status_of(answered), 200U) << c.output;
    EXPECT_EQ(answered.answer.body, c.body);
    EXPECT_EQ(answered.answer.content_type, "text/plain; charset=utf-8");
    EXPECT_EQ(answered.header("asr-engine"), "scribed");
    EXPECT_EQ(answered.header("content-disposition"),
              std::string("attachment; filename=\"my%20film.mkv.") + c.output + "\"");
  }
  EXPECT_EQ(answer({}).answer.body, "Hello there.\nGoodbye.\n");
}

TEST_F(AsrRoutes, SubtitlesFollowTheStyleAndOptionsOfLines) {
  EXPECT_EQ(answer({{"output", "srt"}, {"subtitle_style", "whisper"}}).answer.body,
            "1\n00:00:00,000 --> 00:00:01,000\nHello there.\n\n"
            "2\n00:00:01,000 --> 00:00:03,000\nGoodbye.\n\n");
  for (const auto& [name, wrong] : {std::pair("max_line_width", "0"), {"subtitle_style", "x"}}) {
    auto exchange = asr_request({{"output", "srt"}, {name, wrong}});
    ask(exchange);
    EXPECT_EQ(status_of(exchange), 422U) << name;
  }
}

TEST_F(AsrRoutes, JsonHasLanguageSegmentsAndText) {
  const json body = json_of(answer({{"output", "json"}}));
  EXPECT_EQ(body["language"], "en");
  EXPECT_EQ(body["text"], " Hello there. Goodbye.");
  ASSERT_EQ(body["segments"].size(), 2U);
  EXPECT_EQ(body["segments"][1]["start"], 1);
  EXPECT_TRUE(body["segments"][1].contains("avg_logprob"));
}

TEST_F(AsrRoutes, OptionsOfTheAddressReachTheJob) {
  const Headers fields{{"task", "translate"}, {"language", "de"},     {"initial_prompt", "Names."},
                       {"hotwords", "Ada"},   {"vad_filter", "True"}, {"word_timestamps", ""}};
  const auto job = job_of(asr_request(fields));
  EXPECT_EQ(job.options.task, protocol::Task::translate);
  EXPECT_EQ(job.options.language, "de");
  // A list of jobs does not tell all of their options.
  const auto read = read_asr_query(asr_request(fields), {});
  ASSERT_TRUE(read);
  EXPECT_EQ(read->options.initial_prompt, "Names.");
  EXPECT_EQ(read->options.hotwords, "Ada");
  EXPECT_TRUE(read->options.vad_filter);
  EXPECT_FALSE(read->options.word_timestamps);
  const auto subtitles = read_asr_query(asr_request({{"output", "srt"}}), {});
  ASSERT_TRUE(subtitles);
  EXPECT_TRUE(subtitles->options.word_timestamps) << "subtitles follow them";
}

TEST_F(AsrRoutes, SoundThatIsNotEncodedIsRawUnlessItHasAHeader) {
  EXPECT_EQ(job_of(asr_request({{"encode", "false"}})).decoder.input_format, "s16le");
  EXPECT_EQ(job_of(asr_request({{"encode", "false"}}, "RIFF....")).decoder.input_format, "");
  EXPECT_EQ(job_of(asr_request({{"encode", "true"}})).decoder.input_format, "");
}

TEST_F(AsrRoutes, AnEmptyFileHasNoTextAndIsNoError) {
  auto exchange = asr_request({{"output", "srt"}, {"encode", "false"}}, "");
  EXPECT_EQ(status_of(ask(exchange)), 200U);
  EXPECT_EQ(exchange.answer.body, "");
}

TEST_F(AsrRoutes, MistakesHaveTheDetailsOfThatService) {
  struct Case {
    const char* name;
    const char* value;
  };
  for (const auto& c : {Case{"language", "klingon"}, Case{"task", "sing"}, Case{"output", "doc"},
                        Case{"encode", "maybe"}, Case{"min_speakers", "x"}}) {
    auto exchange = asr_request({{c.name, c.value}});
    EXPECT_EQ(status_of(ask(exchange)), 422U) << c.name;
    const json detail = json_of(exchange)["detail"][0];
    EXPECT_EQ(detail["loc"], (json{"query", c.name}));
    EXPECT_EQ(detail["input"], c.value);
    EXPECT_TRUE(detail["msg"].get<std::string>().ends_with('.')) << detail["msg"];
    EXPECT_FALSE(exchange.was_read()) << "the sound is not received in vain";
  }
  FakeExchange exchange = test::form_request("/asr", test::form_field("file", "sound"));
  EXPECT_EQ(status_of(ask(exchange)), 422U);
  EXPECT_EQ(json_of(exchange)["detail"][0]["loc"], (json{"body", "audio_file"}));
  EXPECT_EQ(json_of(exchange)["detail"][0]["type"], "missing");
  EXPECT_EQ(json_of(exchange)["detail"][0]["msg"],
            "Field required. Send the recording as the part audio_file of a multipart form.");
}

// Bazarr stores the body of any answer as the subtitle.
TEST_F(AsrRoutes, ErrorsOfSubtitlesHaveNoBody) {
  const auto failed = played(asr_request({{"output", "srt"}}), failing());
  EXPECT_EQ(status_of(failed), unsigned(http_status(errc::worker_died)));
  EXPECT_EQ(failed.answer.body, "");
  auto mistaken = asr_request({{"output", "srt"}, {"language", "klingon"}});
  EXPECT_EQ(status_of(ask(mistaken)), 422U);
  EXPECT_EQ(mistaken.answer.body, "");
  EXPECT_EQ(mistaken.answer.content_type, "text/plain; charset=utf-8");
  EXPECT_EQ(json_of(played(asr_request({{"output", "json"}}), failing()))["detail"], "It died.");
}

TEST_F(AsrRoutes, TheLanguageHasItsCodeAndEnglishName) {
  PlayedJob detected{};
  detected.end->summary.languages = {{"de", 0.97654}, {"nl", 0.01}};
  const auto answered = played(asr_request({}, "sound", "/detect-language"), std::move(detected));
  EXPECT_EQ(
      json_of(answered),
      (json{{"detected_language", "german"}, {"language_code", "de"}, {"confidence", 0.9765}}));
  const auto job = job_of(asr_request({{"encode", "false"}}, "sound", "/detect-language"));
  EXPECT_TRUE(job.options.language_only);
  EXPECT_EQ(job.decoder.input_format, "s16le");
}

TEST_F(AsrRoutes, ParametersThatItDoesNotKnowAreTold) {
  std::vector<std::string> told;
  api.ignored_fields = [&told](const Exchange&, const std::vector<std::string>& fields) {
    told = fields;
  };
  answer({{"output", "txt"}, {"model", "large-v3"}, {"hotwords", "Ada"}});
  EXPECT_EQ(told, std::vector<std::string>{"model"});
}

TEST_F(AsrRoutes, AnUnknownLanguageIsAnEmptyObject) {
  const auto failed = played(asr_request({}, "sound", "/detect-language"), failing());
  EXPECT_EQ(failed.answer.body, "{}");
  auto empty = asr_request({}, "", "/detect-language");
  EXPECT_EQ(status_of(ask(empty)), 200U);
  EXPECT_EQ(empty.answer.body, "{}");
}

TEST_F(AsrRoutes, AreNotThereWhereTheyAreSwitchedOff) {
  api.settings.doors.asr = false;
  for (const char* path : {"/asr", "/detect-language"}) {
    auto exchange = asr_request({}, "sound", path);
    EXPECT_EQ(status_of(ask(exchange)), 404U) << path;
  }
  api.settings.doors.asr = true;
}

}  // namespace
}  // namespace server
