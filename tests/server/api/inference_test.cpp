#include "tests/server/api/api_fixture.h"
#include "tests/server/api/form_request.h"
#include "tests/server/api/played_job.h"

namespace server {
namespace {

using nlohmann::json;
using test::FakeExchange;
using test::form_field;
using test::PlayedJob;

class InferenceRoutes : public test::ApiFixture {
 protected:
  static FakeExchange inference_request(const std::string& parts) {
    return test::form_request("/inference", test::form_file("sound") + parts);
  }
  FakeExchange played(const std::string& parts, PlayedJob played) {
    auto exchange = inference_request(parts);
    test::play_beside(io, jobs, std::move(played));
    ask(exchange);
    return exchange;
  }
  FakeExchange answer(const std::string& parts) {
    return played(parts, {.said = test::two_segments()});
  }
};

TEST_F(InferenceRoutes, EachFormatHasItsShapeAndType) {
  struct Case {
    const char* format;
    const char* type;
    const char* body;
  };
  for (const auto& c :
       {Case{"json", "application/json", "{\"text\":\" Hello there.\\n Goodbye.\\n\"}"},
        Case{"xml", "application/json", "{\"text\":\" Hello there.\\n Goodbye.\\n\"}"},
        Case{"text", "text/plain; charset=utf-8", " Hello there.\n Goodbye.\n"},
        Case{"srt", "application/x-subrip",
             "1\n00:00:00,000 --> 00:00:03,000\nHello there. Goodbye.\n\n"},
        Case{"vtt", "text/vtt; charset=utf-8",
             "WEBVTT\n\n00:00.000 --> 00:03.000\nHello there. Goodbye.\n\n"}}) {
    const auto answered = answer(form_field("response_format", c.format));
    EXPECT_EQ(status_of(answered), 200U) << c.format;
    EXPECT_EQ(answered.answer.content_type, c.type);
    EXPECT_EQ(answered.answer.body, c.body);
  }
}

TEST_F(InferenceRoutes, TheVerboseFormatHasWordsInItsSegments) {
  PlayedJob played_job{.said = test::two_segments()};
  played_job.said[0].words = {{.start = 0, .end = 0.5, .word = " Hello", .probability = 0.9}};
  const json body =
      json_of(played(form_field("response_format", "verbose_json"), std::move(played_job)));
  EXPECT_EQ(body["language"], "english");
  EXPECT_EQ(body["detected_language"], "english");
  EXPECT_EQ(body["duration"], 3);
  EXPECT_EQ(body["segments"][0]["words"][0]["word"], " Hello");
  EXPECT_EQ(body["segments"][0]["words"][0]["t_dtw"], -1);
  EXPECT_FALSE(body.contains("words"));
}

TEST_F(InferenceRoutes, ErrorsAreOneSentence) {
  FakeExchange no_file = test::form_request("/inference", form_field("language", "en"));
  EXPECT_EQ(status_of(ask(no_file)), 400U);
  EXPECT_EQ(json_of(no_file)["error"],
            "No 'file' field in the request. Send the recording as the part file of a multipart "
            "form.");
  for (const auto& parts : {form_field("language", "klingon"), form_field("model", "/etc/passwd"),
                            form_field("model", "models/ggml-base.bin")}) {
    auto exchange = inference_request(parts);
    EXPECT_EQ(status_of(ask(exchange)), 400U) << parts;
    EXPECT_TRUE(json_of(exchange)["error"].is_string()) << parts;
  }
  const auto failed =
      played("", {.end = JobEnd{JobState::failed, Error{"no_audio_track", "No", "Send sound."}}});
  EXPECT_EQ(status_of(failed), 400U);
  EXPECT_EQ(json_of(failed)["error"], "No. Send sound.");
}

TEST_F(InferenceRoutes, FieldsWithoutAnEffectAreNamed) {
  const auto answered = answer(form_field("tinydiarize", "true") + form_field("beam_size", "many"));
  EXPECT_EQ(status_of(answered), 200U);
  std::string warnings;
  for (const auto& [name, value] : answered.added) warnings += name == "warning" ? value : "";
  EXPECT_NE(warnings.find("no effect here: tinydiarize\""), std::string::npos) << warnings;
  EXPECT_NE(warnings.find("none of those it takes: beam_size\""), std::string::npos) << warnings;
}

TEST_F(InferenceRoutes, AModelIsLoadedByItsNameAlone) {
  for (const auto& parts : {form_field("model", "models/ggml-base.en.bin"), form_field("x", "y"),
                            form_field("model", "")}) {
    FakeExchange exchange = test::form_request("/load", parts);
    EXPECT_EQ(status_of(ask(exchange)), 400U) << parts;
    EXPECT_TRUE(json_of(exchange)["error"].is_string()) << parts;
  }
}

TEST_F(InferenceRoutes, AreNotThereWhereTheyAreSwitchedOff) {
  api.settings.doors.inference = false;
  for (const char* path : {"/inference", "/load"}) {
    FakeExchange exchange = test::form_request(path, test::form_file("sound"));
    EXPECT_EQ(status_of(ask(exchange)), 404U) << path;
  }
  api.settings.doors.inference = true;
}

}  // namespace
}  // namespace server
