#include "protocol/worker_messages.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "tests/protocol/message_round_trip.h"

namespace protocol::worker {
namespace {

Segment full_segment() {
  return {.id = 7,
          .seek = 90000000000,
          .start = 0.1,
          .end = 4.02,
          .text = " naïve 今日",
          .tokens = {50364, 0, 50464},
          .temperature = 0.2,
          .avg_logprob = -0.3333333333333333,
          .compression_ratio = 1.25,
          .no_speech_prob = 1e-12,
          .words =
              {{.start = 0.1, .end = 0.5, .word = " naïve", .probability = 0.75, .text_tokens = 2}},
          .encoder_window = WindowKind::checked};
}

TranscribeOptions unusual_options() {
  return {.language = "de",
          .languages = {"de", "fr"},
          .language_detection_segments = 3,
          .language_detection_threshold = 0.75,
          .language_detection_candidates = 1,
          .language_only = true,
          .multilingual = true,
          .task = Task::translate,
          .temperatures = {0.5},
          .beam_size = 1,
          .best_of = 2,
          .patience = 2,
          .length_penalty = 0.5,
          .suppress_tokens = "1,2",
          .suppress_blank = false,
          .repetition_penalty = 1.5,
          .no_repeat_ngram_size = 3,
          .initial_prompt = "a",
          .carry_initial_prompt = true,
          .hotwords = "b",
          .prefix = "c",
          .condition_on_previous_text = false,
          .compression_ratio_threshold = std::nullopt,
          .logprob_threshold = std::nullopt,
          .no_speech_threshold = 0.25,
          .loop_detection = false,
          .fallback = Fallback::openai,
          .encoder_window = EncoderWindow::shortened,
          .clip_timestamps = {1, 2.5},
          .without_timestamps = true,
          .max_initial_timestamp = std::nullopt,
          .sample_len = 10,
          .seed = std::numeric_limits<std::uint64_t>::max(),
          .word_timestamps = true,
          .prepend_punctuations = "¿",
          .append_punctuations = "",
          .hallucination_silence_threshold = 1.5,
          .long_form = LongForm::parallel,
          .vad_filter = true,
          .live_chunk = 0.5,
          .live_margin = 20};
}

TEST(WorkerMessages, HelloOnTheWire) {
  EXPECT_EQ(encode(Hello{.build = R"({"torch":"2.11"})", .isa = "avx2"}),
            R"({"type":"hello","version":13,"build":"{\"torch\":\"2.11\"}","isa":"avx2"})");
}

TEST(WorkerMessages, EveryMessageKeepsItsType) {
  const std::vector<std::pair<Message, std::string>> messages{{Hello{}, "hello"},
                                                              {Loaded{}, "loaded"},
                                                              {Failed{}, "failed"},
                                                              {Event{}, "event"},
                                                              {Done{}, "done"},
                                                              {Pong{}, "pong"},
                                                              {Stats{}, "stats"},
                                                              {Load{}, "load"},
                                                              {Transcribe{}, "transcribe"},
                                                              {Live{}, "live"},
                                                              {Cancel{}, "cancel"},
                                                              {Unload{}, "unload"},
                                                              {Ping{}, "ping"},
                                                              {StatsRequest{}, "get_stats"},
                                                              {Bench{}, "bench"},
                                                              {BenchResult{}, "bench_result"}};
  ASSERT_EQ(messages.size(), std::variant_size_v<Message>);
  for (const auto& [message, type] : messages) {
    EXPECT_EQ(nlohmann::json::parse(encode(message)).at("type"), type);
    EXPECT_EQ(parse(encode(message)).value().index(), message.index()) << type;
  }
}

TEST(WorkerMessages, SegmentsArriveAsTheyWereSent) {
  const auto arrived = round_trip(Event{.job = "j", .event = full_segment()});
  EXPECT_EQ(arrived.job, "j");
  EXPECT_EQ(std::get<Segment>(arrived.event), full_segment());
}

TEST(WorkerMessages, OptionsArriveAsTheyWereSent) {
  EXPECT_EQ(round_trip(Transcribe{.job = "j", .options = {}}).options, TranscribeOptions{});
  EXPECT_EQ(round_trip(Transcribe{.job = "j", .options = unusual_options()}).options,
            unusual_options());
}

TEST(WorkerMessages, FieldsOfTheOtherMessagesArrive) {
  const auto loaded = round_trip(Loaded{
      "cpu", "bfloat16", "whisper", true, 1.5, 1LL << 40, {"a"}, "b", 5, 6, 0.5, {"c"}, {"d"}});
  EXPECT_EQ(loaded.device, "cpu");
  EXPECT_EQ(loaded.compute_type, "bfloat16");
  EXPECT_EQ(loaded.family, "whisper");
  EXPECT_TRUE(loaded.multilingual);
  EXPECT_EQ(loaded.load_s, 1.5);
  EXPECT_EQ(loaded.memory_bytes, 1LL << 40);
  EXPECT_EQ(loaded.notes, std::vector<std::string>{"a"});

  EXPECT_EQ(loaded.device_name, "b");
  EXPECT_EQ(loaded.device_free_bytes, 5);
  EXPECT_EQ(loaded.device_total_bytes, 6);
  EXPECT_EQ(loaded.smoke_s, 0.5);
  EXPECT_EQ(loaded.shields, std::vector<std::string>{"c"});
  EXPECT_EQ(loaded.missing_shields, std::vector<std::string>{"d"});

  const auto load =
      round_trip(Load{"/m", "base", {"cpu", "float32", 3, false}, true, {{"role", "/v"}}, true});
  EXPECT_EQ(load.model_path, "/m");
  EXPECT_EQ(load.model_name, "base");
  EXPECT_EQ(load.run_on.compute_type, "float32");
  EXPECT_EQ(load.run_on.threads, 3);
  EXPECT_FALSE(load.run_on.flash_attn);
  EXPECT_TRUE(load.smoke_test);
  EXPECT_EQ(load.auxiliary, (std::map<std::string, std::string>{{"role", "/v"}}));
  EXPECT_TRUE(load.require_sandbox);
  Load places;
  places.gpu_windows = 130;
  places.rows = 7;
  places.memory_part = 0.25;
  places = round_trip(places);
  EXPECT_EQ(places.gpu_windows, 130);
  EXPECT_EQ(places.rows, 7);
  EXPECT_EQ(places.memory_part, 0.25);

  const auto progress = event_round_trip(Progress{1.5, 3, ProgressPhase::listening});
  EXPECT_EQ(progress.position_s, 1.5);
  EXPECT_EQ(progress.duration_s, 3);
  EXPECT_EQ(progress.phase, ProgressPhase::listening);

  EXPECT_EQ(round_trip(Done{.windows = {1, 2, 3}}).windows, (WindowCounts{1, 2, 3}));
  const auto done = round_trip(Done{"j", "en", 30, 2, true});
  EXPECT_EQ(done.language, "en");
  EXPECT_EQ(done.duration_s, 30);
  EXPECT_EQ(done.transcribe_s, 2);
  EXPECT_TRUE(done.cancelled);

  const DeviceUse use{16, 3, 80, 4, 1LL << 40, true, 9, 2, "no memory", 16, true, "slow", "short"};
  EXPECT_EQ(round_trip(Pong{.nonce = 1, .use = use}).use, use);
  EXPECT_EQ(round_trip(Done{.job = "j", .use = use}).use, use);

  const auto stats = round_trip(Stats{1, 2, 3});
  EXPECT_EQ(stats.rss_bytes, 1);
  EXPECT_EQ(stats.peak_rss_bytes, 2);
  EXPECT_EQ(stats.jobs, 3);

  const SpeakersFound found{{{0, 2, "A"}, {1, 3, "B", 1}}, {{0, 1.5, "A"}}};
  EXPECT_EQ(event_round_trip(found).turns, found.turns);
  EXPECT_EQ(event_round_trip(found).exclusive, found.exclusive);
  EXPECT_EQ(event_round_trip(Progress{1, 3, ProgressPhase::diarizing}).phase,
            ProgressPhase::diarizing);

  EXPECT_EQ(event_round_trip(LanguageDetected{"fr", 0.5}).probability, 0.5);
  const std::vector<LanguageDetected> likeliest{{"fr", 0.5}, {"en", 0.25}};
  EXPECT_EQ(event_round_trip(LikeliestLanguages{likeliest}).languages, likeliest);
  EXPECT_EQ(round_trip(Cancel{"j"}).job, "j");
  EXPECT_EQ(round_trip(Ping{~0ull}).nonce, ~0ull);
  EXPECT_EQ(round_trip(Pong{5}).nonce, 5u);
}

TEST(WorkerMessages, TurnsOfALongConversationArrive) {
  const SpeakersFound found{.turns = std::vector<SpeakerTurn>(20'000, {1, 2, "A"}),
                            .exclusive = std::vector<SpeakerTurn>(20'000, {1, 2, "B"})};
  EXPECT_EQ(event_round_trip(found).exclusive, found.exclusive);
}

TEST(WorkerMessages, AFailureIsOfAJobOrOfTheWorkerItself) {
  const Error error("damaged_model", "model.bin ends early", "pull it again");
  EXPECT_EQ(round_trip(Failed{.job = "j", .error = error}).job, "j");
  EXPECT_EQ(round_trip(Failed{.error = error}).job, std::nullopt);
  EXPECT_EQ(round_trip(Failed{.error = error}).error, error);
}

TEST(WorkerMessages, ErrorsNameWhatIsWrong) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({})", "message: field 'type' is missing"},
      {R"({"type":1})", "message: field 'type' must be a string"},
      {R"({"type":"sing"})", "unknown message type 'sing'"},
      {R"({"type":"cancel"})", "message 'cancel': field 'job' is missing"},
      {R"({"type":"cancel","job":null})", "message 'cancel': field 'job' must be a string"},
      {R"({"type":"ping","nonce":1.5})", "message 'ping': field 'nonce' must be a whole number"},
      {R"({"type":"ping","nonce":-1})", "message 'ping': field 'nonce' is out of range"},
      {R"({"type":"stats","rss_bytes":1,"peak_rss_bytes":1,"jobs":4294967296})",
       "message 'stats': field 'jobs' is out of range"},
      {R"({"type":"stats","rss_bytes":18446744073709551615})",
       "message 'stats': field 'rss_bytes' is out of range"},
      {R"({"type":"failed","job":null,"error":"no"})",
       "message 'failed': field 'error' must be an object"},
      {R"({"type":"failed","job":null,"error":{"code":"c"}})",
       "message 'failed': field 'error.message' is missing"},
      {R"({"type":"event","job":"j","event":{"type":"language","language":"","probability":"1"}})",
       "message 'event': field 'event.probability' must be a number"},
      {R"({"type":"event","job":"j",
           "event":{"type":"progress","position_s":0,"duration_s":0,"phase":"singing"}})",
       "message 'event': field 'event.phase' must be one of listening, transcribing, diarizing"},
      {R"({"type":"event","job":"j","event":{"type":"song"}})",
       "message 'event': field 'event.type' is unknown"},
      {R"({"type":"event","job":"j","event":[]})",
       "message 'event': field 'event' must be an object"},
      {R"([1])", "This is no JSON object but: array."},
  };
  for (const auto& [payload, message] : cases) EXPECT_EQ(problem(payload), message);
}

TEST(WorkerMessages, ErrorsNameThePlaceInsideASegment) {
  auto json = nlohmann::json::parse(encode(Event{"j", full_segment()}));
  json["event"]["words"][0]["start"] = true;
  EXPECT_EQ(problem(json.dump()), "message 'event': field 'event.words[0].start' must be a number");
  json["event"]["tokens"][1] = "x";
  EXPECT_EQ(problem(json.dump()),
            "message 'event': field 'event.tokens[1]' must be a whole number");
}

TEST(WorkerMessages, AnUnknownTaskIsRefused) {
  auto json = nlohmann::json::parse(encode(Transcribe{"j"}));
  json["options"]["task"] = "sing";
  EXPECT_EQ(problem(json.dump()),
            "message 'transcribe': field 'options.task' must be one of transcribe, translate");
}

TEST(WorkerMessages, AWorkClassArrivesAndAnUnknownOneIsRefused) {
  for (const WorkClass wanted : {WorkClass::live, WorkClass::interactive, WorkClass::background}) {
    const auto arrived = round_trip(Transcribe{.job = "j", .work_class = name(wanted)});
    EXPECT_EQ(work_class_of(arrived.work_class), wanted);
  }
  EXPECT_EQ(problem(encode(Transcribe{.job = "j", .work_class = "at once"})),
            "message 'transcribe': field 'work_class' must be 'live', 'interactive' or "
            "'background'");
}

TEST(WorkerMessages, TheRequestThatAJobIsForArrivesWhereThereIsOne) {
  EXPECT_EQ(round_trip(Transcribe{.job = "j", .request_id = "from-ada"}).request_id, "from-ada");
  EXPECT_EQ(round_trip(Transcribe{.job = "j"}).request_id, std::nullopt);
}

TEST(WorkerMessages, WhatIsNoJsonIsRefused) {
  for (const char* payload : {"", "{", "{\"type\":\"unload\"", "\xff", "{\"type\":\"\xc3\"}"}) {
    EXPECT_TRUE(problem(payload).starts_with("This is not JSON: ")) << problem(payload);
  }
}

TEST(WorkerMessages, AnErrorQuotesLittleOfALongText) {
  const auto message = problem("{\"type\":\"" + std::string(100000, 'x'));
  EXPECT_TRUE(message.starts_with("This is not JSON: it ends too early")) << message;
  EXPECT_LT(message.size(), 300u);
}

TEST(WorkerMessages, UnknownFieldsAreIgnored) {
  const auto parsed = parse(R"({"type":"cancel","job":"j","why":{"deep":[1,2]}})");
  EXPECT_EQ(std::get<Cancel>(parsed.value()).job, "j");
}

TEST(WorkerMessages, BadUtf8IsReplacedOnTheWay) {
  EXPECT_EQ(round_trip(Cancel{"a\xff\xe2\x82z"}).job, "a\xef\xbf\xbd\xef\xbf\xbdz");
}

TEST(WorkerMessages, EveryEventKeepsItsTypeAndItsFields) {
  EXPECT_EQ(encode(Event{"j", Progress{1.5, 3, ProgressPhase::listening}}),
            R"({"type":"event","job":"j","event":{"type":"progress","position_s":1.5,)"
            R"("duration_s":3.0,"phase":"listening"}})");
  EXPECT_EQ(event_round_trip(ModelLoaded{"cpu", "int8", {"a"}}).notes,
            std::vector<std::string>{"a"});
  EXPECT_EQ(event_round_trip(decoder::Format{.channels = 2}).channels, 2);
  event_round_trip(ModelLoading{});
}

TEST(WorkerMessages, NumbersThatAreNotFiniteArriveAsNan) {
  auto segment = full_segment();
  segment.avg_logprob = std::numeric_limits<double>::quiet_NaN();
  segment.compression_ratio = -std::numeric_limits<double>::infinity();
  const auto arrived = event_round_trip(segment);
  EXPECT_TRUE(std::isnan(arrived.avg_logprob));
  EXPECT_TRUE(std::isnan(arrived.compression_ratio));
  EXPECT_EQ(arrived.no_speech_prob, segment.no_speech_prob);
}

TEST(WorkerMessages, AnotherVersionIsReadAndRefusedWithASentence) {
  const auto hello = parse(R"({"type":"hello","version":14,"pack":"new"})");
  const auto verdict = check_version(std::get<Hello>(hello.value()));
  ASSERT_TRUE(verdict.has_error());
  EXPECT_EQ(verdict.error().code, version_mismatch);
  EXPECT_EQ(verdict.error().message, "scribed-worker speaks version 14, this scribed version 13");
  EXPECT_EQ(verdict.error().fix, "install both from one build");

  const auto load = parse(R"({"type":"load","version":0})");
  EXPECT_EQ(check_version(std::get<Load>(load.value())).error().message,
            "scribed speaks version 0, this scribed-worker version 13");
}

TEST(WorkerMessages, TheSameVersionIsFine) {
  EXPECT_TRUE(check_version(Hello{}).has_value());
  EXPECT_TRUE(check_version(Load{}).has_value());
  EXPECT_EQ(problem(R"({"type":"hello","version":13})"),
            "message 'hello': field 'build' is missing");
  EXPECT_EQ(problem(R"({"type":"hello"})"), "message 'hello': field 'version' is missing");
}

}  // namespace
}  // namespace protocol::worker
