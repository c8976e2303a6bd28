#include "server/api/text_warnings.h"

#include "tests/server/api/api_fixture.h"
#include "tests/server/api/form_request.h"
#include "tests/server/api/played_job.h"
#include "tests/server/api/sse_events.h"

namespace server {
namespace {

using nlohmann::json;
using test::FakeExchange;
using test::form_field;

constexpr char prompt_was_cut[] = "The initial prompt has 400 tokens: only its end counts.";
constexpr char as_header[] =
    "299 scribed \"The initial prompt has 400 tokens: only its end counts.\"";

// A transcript with a warning, at each door.
class TextWarnings : public test::ApiFixture {
 protected:
  FakeExchange answer(FakeExchange exchange) {
    test::PlayedJob played{.said = test::two_segments()};
    played.end->summary.warnings = {prompt_was_cut};
    test::play_beside(io, jobs, std::move(played));
    api.text_warnings = [this](const Exchange&, const std::vector<std::string>& warnings) {
      logged = warnings;
    };
    ask(exchange);
    EXPECT_EQ(status_of(exchange), 200U) << exchange.answer.body;
    EXPECT_EQ(std::exchange(logged, {}), std::vector<std::string>{prompt_was_cut});
    return exchange;
  }
  FakeExchange transcribed(const std::string& fields) {
    return answer(
        test::form_request("/v1/audio/transcriptions",
                           test::form_file("sound") + form_field("model", "base") + fields));
  }
  static std::string asr_file() {
    return test::form_part("name=\"audio_file\"; filename=\"a\"", "sound");
  }
  std::vector<std::string> logged{};
};

TEST_F(TextWarnings, AreToldInAHeaderWithEachFormat) {
  for (const char* format :
       {"json", "text", "srt", "vtt", "ass", "verbose_json", "diarized_json"}) {
    EXPECT_EQ(transcribed(form_field("response_format", format)).header("warning"), as_header)
        << format;
  }
}

TEST_F(TextWarnings, AreInTheLastEventOfAStream) {
  const auto answered = transcribed(form_field("stream", "true"));
  const auto& body = answered.answer.body;
  EXPECT_NE(body.find(R"("warnings":["The initial prompt has 400 tokens)"), body.npos) << body;
}

TEST_F(TextWarnings, AreToldInAHeaderByOtherInterfaces) {
  const std::string file = test::form_file("sound");
  for (const char* format : {"json", "text", "srt", "vtt", "verbose_json"}) {
    const auto answered =
        answer(test::form_request("/inference", file + form_field("response_format", format)));
    EXPECT_EQ(answered.header("warning"), as_header) << format;
  }
  for (const char* output : {"txt", "json", "srt"}) {
    auto exchange = test::form_request("/asr", asr_file());
    exchange.queries = {{"output", output}};
    EXPECT_EQ(answer(std::move(exchange)).header("warning"), as_header) << output;
  }
  auto detecting = test::form_request("/detect-language", asr_file());
  EXPECT_EQ(answer(std::move(detecting)).header("warning"), as_header);
}

TEST_F(TextWarnings, AreInTheMetadataOfDeepgram) {
  FakeExchange exchange(http::verb::post, "/v1/listen");
  exchange.body = "sound";
  const auto answered = answer(std::move(exchange));
  EXPECT_EQ(answered.header("warning"), as_header);
  EXPECT_EQ(json_of(answered)["metadata"]["warnings"][0]["message"], prompt_was_cut);
}

TEST(SentenceWarning, IsPrintableAscii) {
  EXPECT_EQ(sentence_warning("Of \"J\xc3\xa9n\"."),
            "299 scribed \"Of 'J?"
            "?n'.\"");
  EXPECT_LT(sentence_warning(std::string(5000, 'a')).size(), 500U);
}

}  // namespace
}  // namespace server
