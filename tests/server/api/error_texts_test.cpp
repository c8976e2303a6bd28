#include <algorithm>
#include <array>
#include <functional>

#include "tests/server/api/api_fixture.h"
#include "tests/server/api/form_request.h"

namespace server {
namespace {

using nlohmann::json;
using test::FakeExchange;
using test::form_field;
using test::form_file;

// Errors at each interface are whole sentences that say what is wrong and what to do.
class ErrorTexts : public test::ApiFixture {
 protected:
  static FakeExchange form(const std::string& path, const std::string& parts) {
    return test::form_request(path, parts);
  }
  static FakeExchange query(http::verb method, const std::string& path, Headers fields) {
    FakeExchange exchange(method, path);
    exchange.queries = std::move(fields);
    return exchange;
  }
  static FakeExchange body(const std::string& path, std::string text) {
    FakeExchange exchange(http::verb::post, path);
    exchange.fields.set(http::field::content_type, "application/json");
    exchange.body = std::move(text);
    return exchange;
  }
  // Returns the text of an error in the shape of any interface.
  static std::string text_of(const FakeExchange& exchange) {
    const json answer = json::parse(exchange.answer.body);
    if (answer.contains("err_msg")) return answer["err_msg"];
    if (answer.contains("detail")) {
      return answer["detail"].is_string() ? answer["detail"] : answer["detail"][0]["msg"];
    }
    return answer["error"].is_string() ? answer["error"] : answer["error"]["message"];
  }
  void expect_whole(FakeExchange exchange) {
    ask(exchange);
    EXPECT_GE(status_of(exchange), 400U) << exchange.path();
    const std::string text = text_of(exchange);
    const std::string shown = std::string(exchange.path()) + ": " + text;
    EXPECT_FALSE(text.front() >= 'a' && text.front() <= 'z') << shown;
    EXPECT_TRUE(text.ends_with('.') || text.ends_with('?')) << shown;
    constexpr std::array second_halves{". ", "! ", " must be ", " may have "};
    EXPECT_TRUE(std::ranges::any_of(second_halves, [&](const char* half) {
      return text.find(half) != text.npos;
    })) << shown;
  }
};

TEST_F(ErrorTexts, OfFormsHaveBothHalves) {
  const std::string file = form_file("sound");
  for (const std::string path : {"/v1/audio/transcriptions", "/v1/audio/translations"}) {
    const std::string named = file + form_field("model", "base");
    for (const auto& [name, value] : Headers{{"response_format", "xml"},
                                             {"language", "klingon"},
                                             {"temperature", "hot"},
                                             {"langauge", "en"},
                                             {"model", "bsae"},
                                             {"beam_size", "many"},
                                             {"audio_track", "zwei"},
                                             {"channels", "both"},
                                             {"keep_alive", "long"},
                                             {"upload", "upload://none"},
                                             {"max_line_width", "wide"},
                                             {"clip_timestamps", "5,1"},
                                             {"prompt", std::string(9000, 'a')}}) {
      expect_whole(form(path, named + form_field(name, value)));
    }
    expect_whole(form(path, form_field("model", "base")));
    expect_whole(form(path, form_field("model", "base") + form_field("url", "https://a/b")));
    expect_whole(form(path, file));
    expect_whole(body(path, "{}"));
    expect_whole(query(http::verb::get, path, {}));
  }
  const std::string words = file + form_field("model", "base");
  expect_whole(form("/v1/audio/transcriptions", words + form_field("include[]", "tokens")));
  expect_whole(form("/v1/audio/transcriptions", words + form_field("chunking_strategy", "words")));
  expect_whole(form("/v1/jobs", words + form_field("metadata", "{")));
  expect_whole(form("/v1/jobs", words + form_field("priority", "high")));
  expect_whole(form("/v1/jobs", words + form_field("keep_results_s", "0")));
}

TEST_F(ErrorTexts, OfOtherInterfacesHaveBothHalves) {
  for (const auto& [name, value] : Headers{{"output", "xml"},
                                           {"task", "sing"},
                                           {"language", "klingon"},
                                           {"encode", "maybe"},
                                           {"min_speakers", "many"},
                                           {"max_line_count", "x"}}) {
    expect_whole(query(http::verb::post, "/asr", {{name, value}}));
  }
  expect_whole(form("/asr", form_field("a", "b")));
  expect_whole(form("/inference", form_field("a", "b")));
  expect_whole(form("/inference", form_file("sound") + form_field("language", "klingon")));
  expect_whole(form("/inference", form_file("sound") + form_field("model", "bsae")));
  for (const auto& [name, value] : Headers{{"language", "xx"},
                                           {"model", "bsae"},
                                           {"redact", "pci"},
                                           {"utt_split", "x"},
                                           {"channels", "99"},
                                           {"diarize", "maybe"}}) {
    expect_whole(query(http::verb::post, "/v1/listen", {{name, value}}));
    expect_whole(query(http::verb::get, "/v1/listen", {{name, value}, {"encoding", "linear16"}}));
  }
  expect_whole(query(http::verb::post, "/v1/listen", {}));
  expect_whole(body("/v1/listen", "{"));
  expect_whole(body("/v1/listen", "{}"));
  expect_whole(body("/v1/listen", R"({"url": "https://a/b"})"));
}

TEST_F(ErrorTexts, OfTheRestHaveBothHalves) {
  for (const char* path : {"/v1/jobs/none", "/v1/jobs/none/transcript", "/v1/uploads/none",
                           "/v1/models/none", "/v1/nothing", "/v1/shares/none", "/v1/realtime"}) {
    expect_whole(query(http::verb::get, path, {}));
  }
  expect_whole(query(http::verb::get, "/v1/jobs", {{"state", "done"}}));
  expect_whole(query(http::verb::get, "/v1/jobs", {{"limit", "0"}}));
  expect_whole(query(http::verb::get, "/v1/jobs", {{"limit", "1"}, {"limit", "1"}}));
  expect_whole(query(http::verb::get, "/v1/jobs", {{"pinned", "maybe"}}));
  expect_whole(query(http::verb::delete_, "/v1/jobs", {}));
  expect_whole(body("/v1/models/base/load", "{"));
  expect_whole(body("/v1/realtime/client_secrets", "{"));
  expect_whole(body("/v1/realtime/client_secrets", R"({"session": 5})"));
  expect_whole(body("/v1/realtime/client_secrets", R"({"expires_after": 5})"));
  expect_whole(body("/v1/uploads", "{}"));
  expect_whole(body("/v1/session", "{"));
}

}  // namespace
}  // namespace server
