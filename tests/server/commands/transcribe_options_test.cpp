#include "server/commands/transcribe_options.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <optional>

#include "server/commands/speaker_options.h"
#include "tests/server/commands/parsed_options.h"

namespace server {
namespace {

using test::parse;

// Parses the command line of `scribed diarize`.
TranscribeArguments parse_diarize(std::vector<std::string> words) {
  CLI::App app;
  TranscribeArguments arguments;
  add_diarize_options(app, arguments);
  std::reverse(words.begin(), words.end());
  app.parse(words);
  return arguments;
}

TEST(DiarizeOptions, ComputeInFloat32UnlessAnotherTypeIsWanted) {
  EXPECT_EQ(parse_diarize({"a.wav"}).device.request.compute_type, "float32");
  EXPECT_EQ(parse_diarize({"--compute-type", "int8", "a.wav"}).device.request.compute_type, "int8");
  EXPECT_EQ(parse({"a.wav"}).device.request.compute_type, "auto");
}

TEST(TranscribeOptions, DefaultToOpenaiWhispersCommandLine) {
  auto arguments = parse({"a.wav"});
  protocol::TranscribeOptions expected;
  ASSERT_EQ(arguments.options.temperatures.size(), expected.temperatures.size());
  for (std::size_t i = 0; i < expected.temperatures.size(); ++i) {
    EXPECT_NEAR(arguments.options.temperatures[i], expected.temperatures[i], 1e-12);
  }
  arguments.options.temperatures = expected.temperatures;
  EXPECT_EQ(arguments.options, expected);
  EXPECT_EQ(arguments.model, "base");
  EXPECT_EQ(arguments.formats, std::vector<std::string>{"txt"});
  EXPECT_EQ(arguments.output, "-");
}

TEST(TranscribeOptions, TextsHaveLimitsThatTheErrorNames) {
  EXPECT_NO_THROW(parse({"a.wav", "--initial-prompt", std::string(8192, 'a')}));
  try {
    parse({"a.wav", "--initial-prompt", std::string(8193, 'a')});
    FAIL();
  } catch (const CLI::ValidationError& error) {
    EXPECT_STREQ(error.what(),
                 "The option --initial-prompt has 8193 bytes, and may have 8192 at most.\n"
                 "Shorten it.");
  }
}

TEST(TranscribeOptions, ReachTheMessageForTheWorker) {
  const auto arguments = parse({"--language",
                                "German",
                                "--task",
                                "translate",
                                "--languages",
                                "de, French",
                                "--language-detection-segments",
                                "3",
                                "--language-detection-threshold",
                                "0.75",
                                "--multilingual",
                                "True",
                                "--repetition-penalty",
                                "1.5",
                                "--no-repeat-ngram-size",
                                "3",
                                "--loop-detection",
                                "False",
                                "--beam-size",
                                "1",
                                "--best-of",
                                "3",
                                "--patience",
                                "2",
                                "--length-penalty",
                                "0.5",
                                "--suppress-tokens",
                                "-1,42",
                                "--initial-prompt",
                                "Hello",
                                "--carry-initial-prompt",
                                "true",
                                "--hotwords",
                                "Ada",
                                "--condition-on-previous-text",
                                "False",
                                "--temperature",
                                "0,0.4",
                                "--compression-ratio-threshold",
                                "none",
                                "--logprob-threshold",
                                "-0.5",
                                "--no-speech-threshold",
                                "0.3",
                                "--clip-timestamps",
                                "5,10",
                                "--seed",
                                "7",
                                "--word-timestamps",
                                "True",
                                "--prepend-punctuations",
                                "(",
                                "--append-punctuations",
                                ").",
                                "--hallucination-silence-threshold",
                                "2",
                                "--long-form",
                                "parallel",
                                "--vad-filter",
                                "True",
                                "--language-detection-candidates",
                                "2",
                                "--fallback",
                                "openai",
                                "--encoder-window",
                                "full",
                                "a.wav"});
  protocol::TranscribeOptions expected;
  expected.language = "de";
  expected.languages = {"de", "fr"};
  expected.language_detection_segments = 3;
  expected.language_detection_threshold = 0.75;
  expected.language_detection_candidates = 2;
  expected.multilingual = true;
  expected.repetition_penalty = 1.5;
  expected.no_repeat_ngram_size = 3;
  expected.loop_detection = false;
  expected.fallback = protocol::Fallback::openai;
  expected.encoder_window = protocol::EncoderWindow::full;
  expected.task = protocol::Task::translate;
  expected.beam_size = 1;
  expected.best_of = 3;
  expected.patience = 2;
  expected.length_penalty = 0.5;
  expected.suppress_tokens = "-1,42";
  expected.initial_prompt = "Hello";
  expected.carry_initial_prompt = true;
  expected.hotwords = "Ada";
  expected.condition_on_previous_text = false;
  expected.temperatures = {0, 0.4};
  expected.compression_ratio_threshold.reset();
  expected.logprob_threshold = -0.5;
  expected.no_speech_threshold = 0.3;
  expected.clip_timestamps = {5, 10};
  expected.seed = 7;
  expected.word_timestamps = true;
  expected.prepend_punctuations = "(";
  expected.append_punctuations = ").";
  expected.hallucination_silence_threshold = 2;
  expected.long_form = protocol::LongForm::parallel;
  expected.vad_filter = true;
  EXPECT_EQ(arguments.options, expected);
}

TEST(TranscribeOptions, KnownSpeakersAreToldApart) {
  const auto arguments = parse({"--speaker", "Ada=ada.wav", "--speaker", "Grace=g.flac", "a.wav"});
  EXPECT_EQ(arguments.inputs, std::vector<std::string>{"a.wav"});
  EXPECT_TRUE(arguments.options.diarize);
  EXPECT_EQ(parse_speakers(arguments.speakers).value(),
            (std::vector<SpeakerFile>{{"Ada", "ada.wav"}, {"Grace", "g.flac"}}));
}

TEST(TranscribeOptions, ReachTheDecoder) {
  const auto arguments =
      parse({"--track", "2", "--channel", "1", "--input-format", "s16le", "--input-sample-rate",
             "8000", "--input-channels", "2", "--max-seconds", "60.5", "-"});
  const std::vector<std::string> expected{
      "--report-fd",   "3",    "--track",    "2", "--channel",     "1",   "--format", "s16le",
      "--sample-rate", "8000", "--channels", "2", "--max-seconds", "60.5"};
  EXPECT_EQ(decoder_arguments(arguments.decoder), expected);
  EXPECT_EQ(arguments.inputs, std::vector<std::string>{"-"});
}

TEST(TranscribeOptions, TimesArePlayersUnlessTheTimelineIsPacked) {
  EXPECT_EQ(decoder_arguments(parse({"talk.mp4"}).decoder),
            (std::vector<std::string>{"--report-fd", "3"}));
  EXPECT_EQ(decoder_arguments(parse({"--timeline", "packed", "talk.mp4"}).decoder),
            (std::vector<std::string>{"--report-fd", "3", "--timeline", "packed"}));
}

TEST(TranscribeOptions, OfLiveSoundTakeRawPcmAsItComes) {
  const auto live = parse({"--live", "-"});
  EXPECT_EQ(live.options.live_chunk, 0.4);
  EXPECT_EQ(live.options.live_margin, std::nullopt);
  EXPECT_EQ(parse({"--live", "--live-margin", "20", "-"}).options.live_margin, 20);
  EXPECT_EQ(decoder_arguments(live.decoder),
            (std::vector<std::string>{"--report-fd", "3", "--format", "s16le", "--unbuffered"}));
  const auto other = parse({"--live", "--live-chunk", "2.5", "--input-format", "ogg", "-"});
  EXPECT_EQ(other.options.live_chunk, 2.5);
  EXPECT_EQ(other.decoder.input_format, "ogg");
  const auto rate = parse({"--live", "--input-sample-rate", "48000", "-"});
  EXPECT_EQ(rate.decoder.input_sample_rate, 48000);
  EXPECT_EQ(parse({"--live-chunk", "2", "-"}).options.live_chunk, std::nullopt);
}

TEST(TranscribeOptions, OfLiveSoundDoNotGoWithThoseOfAWholeRecording) {
  const auto error_of = [](auto change) {
    TranscribeArguments arguments;
    arguments.live = true;
    arguments.inputs = {"-"};
    change(arguments);
    const auto finished = finish_options(arguments);
    return finished ? "" : finished.error().code;
  };
  EXPECT_EQ(error_of([](auto&) {}), "");
  EXPECT_EQ(error_of([](auto& a) { a.formats = {"jsonl"}; }), "");
  EXPECT_EQ(error_of([](auto& a) { a.live = false, a.formats = {"jsonl"}; }), errc::usage);
  EXPECT_EQ(error_of([](auto& a) { a.inputs = {"-", "a.wav"}; }), errc::usage);
  EXPECT_EQ(error_of([](auto& a) { a.options.long_form = protocol::LongForm::parallel; }),
            errc::usage);
  EXPECT_EQ(error_of([](auto& a) { a.options.vad_filter = true; }), errc::usage);
  EXPECT_EQ(error_of([](auto& a) { a.options.clip_timestamps = {1}; }), errc::usage);
}

TEST(TranscribeOptions, SplitTheChannelsOfFilesOnly) {
  const auto split = parse({"--channels", "split", "--channel-labels", "Agent, Caller", "a.wav"});
  EXPECT_EQ(split.channels, "split");
  EXPECT_EQ(split.writer.channel_labels, (std::vector<std::string>{"Agent", "Caller"}));
  const auto error_of = [](auto change) {
    TranscribeArguments arguments;
    arguments.channels = "split";
    arguments.inputs = {"a.wav"};
    change(arguments);
    const auto finished = finish_options(arguments);
    return finished ? "" : finished.error().code;
  };
  EXPECT_EQ(error_of([](auto&) {}), "");
  EXPECT_EQ(error_of([](auto& a) { a.inputs = {"a.wav", "-"}; }), errc::usage);
  EXPECT_EQ(error_of([](auto& a) { a.live = true; }), errc::usage);
  EXPECT_EQ(error_of([](auto& a) { a.decoder.channel = 1; }), errc::usage);
  EXPECT_EQ(error_of([](auto& a) {
              a.channels = "mix", a.writer.channel_labels = {"A", "B"};
            }),
            errc::usage);
}

TEST(TranscribeOptions, TakeASingleTemperature) {
  EXPECT_EQ(parse({"--temperature", "0", "--temperature-increment-on-fallback", "None", "a.wav"})
                .options.temperatures,
            std::vector<double>{0});
}

TEST(TranscribeOptions, AllFormatsAreThoseOfOpenaisWhisper) {
  const auto arguments = parse({"a.wav", "-f", "all", "-o", "out/"});
  EXPECT_EQ(arguments.formats, (std::vector<std::string>{"txt", "vtt", "srt", "tsv", "json"}));
}

TEST(TranscribeOptions, AnAddressIsToldHowToBePiped) {
  TranscribeArguments arguments;
  arguments.inputs = {"https://example.org/a.mp3?x&y"};
  const auto finished = finish_options(arguments);
  ASSERT_FALSE(finished);
  EXPECT_EQ(finished.error().fix,
            "Pipe it: curl -L 'https://example.org/a.mp3?x&y' | scribed transcribe -");
}

TEST(TranscribeOptions, MayFollowTheFile) {
  const auto arguments = parse({"a.wav", "b.wav", "--quiet", "--output", "out"});
  EXPECT_EQ(arguments.inputs, (std::vector<std::string>{"a.wav", "b.wav"}));
  EXPECT_TRUE(arguments.quiet);
}

TEST(TranscribeOptions, RefuseWhatIsNotOffered) {
  const std::vector<std::vector<std::string>> wrong{
      {},
      {"a.wav", "--format", "doc"},
      {"a.wav", "--language", "Klingon"},
      {"a.wav", "--languages", "de,Klingon"},
      {"a.wav", "--languages", "de,auto"},
      {"a.wav", "--language-detection-segments", "0"},
      {"a.wav", "--language-detection-threshold", "1.5"},
      {"a.wav", "--repetition-penalty", "0"},
      {"a.wav", "--no-repeat-ngram-size", "-1"},
      {"a.wav", "--beam-size", "0"},
      {"a.wav", "--temperature", "hot"},
      {"a.wav", "--device", "toaster"},
      {"a.wav", "--device", "cuda:one"},
      {"a.wav", "--compute-type", "float64"},
      {"a.wav", "--gpu-device", "-1"},
      {"a.wav", "--flash-attn", "perhaps"},
      {"a.wav", "--word-timestamps", "perhaps"},
      {"a.wav", "--max-line-width", "0"},
      {"a.wav", "--track", "0"},
      {"-", "--live", "--live-chunk", "0.1"},
      {"a.wav", "--channels", "both"},
      {"a.wav", "--channels", "split", "--channel-labels", "one"},
      {"a.wav", "--channels", "split", "--channel-labels", "one,,two"},
  };
  for (const auto& words : wrong) {
    EXPECT_THROW(parse(words), CLI::ParseError) << words.back();
  }
}

TEST(TranscribeOptions, RefuseASampleRateOfInputThatHasItsOwn) {
  TranscribeArguments arguments;
  arguments.decoder.input_sample_rate = 8000;
  EXPECT_EQ(finish_options(arguments).error().code, errc::usage);
}

}  // namespace
}  // namespace server
