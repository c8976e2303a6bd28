#include "tests/server/mcp/tools/tools_fixture.h"

namespace server {
namespace {

using mcp::Json;
using test::run;

class TranscribeTool : public test::ToolsFixture {};

TEST_F(TranscribeTool, TimesOfWordsAreAskedForAndGivenInTheSegments) {
  const Json started =
      call_tool("transcribe", {{"path", (sounds / "talk.mp3").string()}, {"timestamps", "word"}});
  const std::string id = started["structuredContent"]["job"];
  EXPECT_TRUE(run(io, jobs.find(id, "ada")).value()->request.options.word_timestamps);
  auto segments = said(1, " Hello you.");
  segments[0].words = {{0.1, 0.4, " Hello", 0.9}, {0.5, 0.9, " you.", 0.8}};
  transcribe_next(std::move(segments));

  const auto segment_of = [&](const char* timestamps) {
    const Json result =
        call_tool("get_job", {{"job", id}, {"timestamps", timestamps}, {"segments", true}});
    return result["structuredContent"]["segments"][0];
  };
  EXPECT_EQ(segment_of("word")["words"],
            Json::parse(R"([{"start":0.1,"end":0.4,"word":"Hello","probability":0.9},
                            {"start":0.5,"end":0.9,"word":"you.","probability":0.8}])"));
  EXPECT_FALSE(segment_of("segment").contains("words"));
  const Json asked = call_tool("get_job", {{"job", id}, {"timestamps", "word"}});
  EXPECT_TRUE(asked["structuredContent"].contains("segments")) << "words stand nowhere else";
  const Json plain = call_tool("get_job", {{"job", id}, {"timestamps", "segment"}});
  EXPECT_FALSE(plain["structuredContent"].contains("segments"));
}

TEST_F(TranscribeTool, SubtitlesAskForTheTimesOfWords) {
  const auto times_words = [this](const Json& more) {
    Json all{{"path", (sounds / "talk.mp3").string()}, {"format", "srt"}, {"wait_s", 0}};
    all.update(more);
    const std::string id = call_tool("transcribe", all)["structuredContent"]["job"];
    return run(io, jobs.find(id, "ada")).value()->request.options.word_timestamps;
  };
  EXPECT_TRUE(times_words(Json::object()));
  EXPECT_FALSE(times_words({{"format", "text"}}));
  EXPECT_FALSE(times_words({{"subtitle_style", "whisper"}}));
  EXPECT_FALSE(times_words({{"task", "translate"}}));
  EXPECT_TRUE(times_words({{"subtitle_style", "whisper"}, {"max_line_width", 32}}));
  EXPECT_TRUE(times_words({{"highlight_words", true}}));
}

TEST_F(TranscribeTool, LinesOfSubtitlesAreToldToTheCallThatReadsThem) {
  const auto text = text_of(call_tool("transcribe", {{"path", (sounds / "talk.mp3").string()},
                                                     {"format", "vtt"},
                                                     {"max_line_width", 32},
                                                     {"max_line_count", 1}}));
  EXPECT_NE(text.find("format=\"vtt\", max_line_width=32, max_line_count=1 and wait_s="),
            std::string::npos)
      << text;
}

TEST_F(TranscribeTool, LanguagesToChooseFromReachTheJob) {
  call_tool("transcribe", {{"path", (sounds / "talk.mp3").string()},
                           {"languages", {"de", "French"}},
                           {"multilingual", true}});
  const auto job = run(io, jobs.claim(false)).value();
  EXPECT_EQ(job.request.options.languages, (std::vector<std::string>{"de", "fr"}));
  EXPECT_TRUE(job.request.options.multilingual);
  for (const Json& wrong : {Json("de"), Json({"klingon"}), Json({1})}) {
    EXPECT_TRUE(is_error(
        call_tool("transcribe", {{"path", (sounds / "talk.mp3").string()}, {"languages", wrong}})));
  }
}

TEST_F(TranscribeTool, TheTimeLineAndTheFilterOfSpeechReachTheJob) {
  const std::string path = sounds / "talk.mp3";
  call_tool("transcribe", {{"path", path}, {"timeline", "packed"}, {"vad_filter", true}});
  const auto job = run(io, jobs.claim(false)).value();
  EXPECT_EQ(job.request.decoder.timeline, "packed");
  EXPECT_TRUE(job.request.options.vad_filter);
  EXPECT_TRUE(is_error(call_tool("transcribe", {{"path", path}, {"timeline", "recorder"}})));
}

TEST_F(TranscribeTool, KnownSpeakersComeByNameWithAClipOfTheVoice) {
  test::write_text(sounds / "ada.wav", "of Ada");
  make_tools({.home = folder.path().string()});
  call_tool("transcribe", {{"path", (sounds / "talk.mp3").string()},
                           {"known_speakers",
                            {{"Grace", "data:;base64,b2YgR3JhY2U="}, {"Ada", "~/sounds/ada.wav"}}},
                           {"wait_s", 0}});
  const auto job = run(io, jobs.claim(false)).value();
  EXPECT_TRUE(job.request.options.diarize);
  EXPECT_EQ(job.request.options.known_speakers,
            (std::vector<protocol::KnownSpeaker>{{"Ada", "of Ada"}, {"Grace", "of Grace"}}));
}

TEST_F(TranscribeTool, KnownSpeakersNeedANameAndAClipThatMayBeNamed) {
  const auto refusal_of = [this](Json speakers) {
    const Json result = call_tool("transcribe", {{"path", (sounds / "talk.mp3").string()},
                                                 {"known_speakers", std::move(speakers)}});
    EXPECT_TRUE(is_error(result)) << result;
    return text_of(result);
  };
  const auto expect_part = [&](Json speakers, const char* part) {
    const std::string text = refusal_of(std::move(speakers));
    EXPECT_NE(text.find(part), std::string::npos) << text;
  };
  expect_part(Json::array({"Ada"}), "an object of at most 16 strings");
  expect_part({{"Ada", 1}}, "an object of at most 16 strings");
  expect_part({{"Ada", "/etc/passwd"}}, "The clip of Ada: ");
  expect_part({{"Ada", "data:audio/wav,hello"}}, "The clip of Ada in known_speakers is no data: ");
  expect_part({{"Ada", "file://elsewhere/ada.wav"}}, "no address of a file on this machine");
  expect_part({{"Ada", "data:;base64,bm8gc291bmQ="}}, "Ada's is none");
  expect_part({{"A\nda", "data:;base64,aGVsbG8="}}, "an invisible character");
  Json many = Json::object();
  for (int i = 0; i < 17; ++i) many["S" + std::to_string(i)] = "data:;base64,aGVsbG8=";
  expect_part(std::move(many), "an object of at most 16 strings");
  EXPECT_EQ(jobs.waiting(), 0);
}

TEST_F(TranscribeTool, SplitChannelsTellWhoSpeaksInALineEach) {
  const auto split = [this](Json labels) {
    Json arguments{{"path", (sounds / "talk.mp3").string()}, {"channels", "split"}};
    if (!labels.empty()) arguments["channel_labels"] = std::move(labels);
    const std::string id = call_tool("transcribe", arguments)["structuredContent"]["job"];
    EXPECT_TRUE(run(io, jobs.find(id, "ada")).value()->request.split_channels);
    auto segments = said(2, " Hello.");
    segments[0].channel = 0;
    segments[1].channel = 1;
    transcribe_next(std::move(segments));
    return id;
  };
  const Json plain = call_tool("get_job", {{"job", split({})}, {"segments", true}});
  EXPECT_EQ(plain["structuredContent"]["text"], "Left: Hello.\nRight: Hello.\n");
  EXPECT_EQ(plain["structuredContent"]["segments"][1]["channel"], 1);
  EXPECT_EQ(plain["structuredContent"]["segments"][1]["speaker"], "Right");
  const std::string id = split({"Agent", "Caller"});
  EXPECT_EQ(
      call_tool("get_job", {{"job", id}, {"timestamps", "segment"}})["structuredContent"]["text"],
      "[0:00 - 0:01] Agent: Hello.\n[0:01 - 0:02] Caller: Hello.\n");
  EXPECT_EQ(call_tool("get_job", {{"job", id}, {"format", "srt"}})["structuredContent"]["text"],
            "1\n00:00:00,000 --> 00:00:00,920\nAgent: Hello.\n\n"
            "2\n00:00:01,000 --> 00:00:02,000\nCaller: Hello.\n\n");
}

TEST_F(TranscribeTool, LabelsAreTwoForSplitChannels) {
  const std::string path = sounds / "talk.mp3";
  for (const Json& arguments :
       {Json{{"path", path}, {"channel_labels", {"A", "B"}}},
        Json{{"path", path}, {"channels", "split"}, {"channel_labels", {"A"}}},
        Json{{"path", path}, {"channels", "split"}, {"channel_labels", {"A", ""}}},
        Json{{"path", path}, {"channels", "split"}, {"channel_labels", {"A", "B\nNote: C"}}},
        Json{{"path", path}, {"channels", "split"}, {"channel_labels", {"A", "B\x1b[2J"}}},
        Json{{"path", path}, {"channels", "left"}}}) {
    EXPECT_TRUE(is_error(call_tool("transcribe", arguments))) << arguments;
  }
}

TEST_F(TranscribeTool, AJobsFileIsNamedForWhicheverProcessDoesIt) {
  make_tools({.wait = std::chrono::seconds(0)});
  const Json result = call_tool("transcribe", {{"path", "sounds/talk.mp3"}});
  const auto job = run(io, jobs.find(result["structuredContent"]["job"], "ada")).value();
  EXPECT_EQ(job->request.input, (sounds / "talk.mp3").string());
}

TEST_F(TranscribeTool, AFileThatIsInTheWayIsToldBeforeAnybodyWaits) {
  test::write_text(sounds / "a.txt", "mine");
  const Json wanted{{"path", (sounds / "talk.mp3").string()},
                    {"output_file", (sounds / "a.txt").string()}};
  EXPECT_TRUE(is_error(call_tool("transcribe", wanted)));
  EXPECT_EQ(jobs.waiting(), 0);
}

}  // namespace
}  // namespace server
