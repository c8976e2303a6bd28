#include "server/api/transcription_form.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "server/options/line_options.h"
#include "tests/server/api/form_fields.h"

namespace server {
namespace {

using test::Fields;
using test::with_model;

// Within the bounds of pairs and values, and long as JSON.
std::string control_characters() {
  nlohmann::json metadata;
  for (int i = 0; i < 16; ++i) metadata[std::to_string(i)] = std::string(512, '\x01');
  return metadata.dump();
}

TEST(TranscriptionForm, TakesWhatOpenAiTakes) {
  const auto form = read_form({{"model", "base"},
                               {"language", "German"},
                               {"keywords[]", "Ada"},
                               {"keywords[]", "Babbage"},
                               {"prompt", "A talk."},
                               {"response_format", "verbose_json"},
                               {"temperature", "0.4"},
                               {"timestamp_granularities[]", "segment"},
                               {"stream", "false"},
                               {"chunking_strategy", "null"},
                               {"keep_alive", "0"}},
                              FormKind::transcription);
  ASSERT_TRUE(form);
  EXPECT_EQ(form->model, "base");
  EXPECT_EQ(form->options.language, "de");
  EXPECT_EQ(form->options.hotwords, "Ada, Babbage");
  EXPECT_EQ(form->options.initial_prompt, "A talk.");
  EXPECT_EQ(form->options.temperatures, std::vector<double>{0.4});
  EXPECT_EQ(form->response_format, "verbose_json");
  EXPECT_EQ(form->keep_alive_s, 0);
  EXPECT_EQ(form->options.task, protocol::Task::transcribe);
}

TEST(TranscriptionForm, WhatIsLeftEmptyAsksForNothingWhereverItBelongs) {
  for (const FormKind kind : {FormKind::transcription, FormKind::translation, FormKind::job}) {
    const auto form = read_form(with_model({{"known_speaker_names[]", ""},
                                            {"channel_labels[]", ""},
                                            {"metadata", ""},
                                            {"priority", ""},
                                            {"webhook_url", ""},
                                            {"keep_results_s", ""},
                                            {"stream", ""},
                                            {"max_line_width", ""}}),
                                kind);
    EXPECT_TRUE(form) << form.error().parameter;
  }
}

TEST(TranscriptionForm, TranslationsIgnoreWhatDoesNotChangeTheirText) {
  const auto form = read_form(with_model({{"stream", "true"},
                                          {"timestamp_granularities[]", "word"},
                                          {"include[]", "logprobs"},
                                          {"chunking_strategy", "auto"}}),
                              FormKind::translation);
  ASSERT_TRUE(form) << form.error().parameter;
  EXPECT_EQ(form->ignored, (std::vector<std::string>{"stream", "timestamp_granularities[]",
                                                     "include[]", "chunking_strategy"}));
  EXPECT_FALSE(form->stream);
}

TEST(TranscriptionForm, BeginsWithTheDefaultsOfTheServer) {
  const protocol::TranscribeOptions defaults{.beam_size = 1, .vad_filter = true};
  const auto plain = read_form(with_model({}), FormKind::transcription, defaults);
  EXPECT_EQ(plain->options, defaults);
  const auto other = read_form(with_model({{"vad_filter", "false"}}), FormKind::job, defaults);
  EXPECT_EQ(other->options, protocol::TranscribeOptions{.beam_size = 1});
}

TEST(TranscriptionForm, TakesDecodingOptionsOfTheCommandLine) {
  const auto form = read_form(with_model({{"repetition_penalty", "1.1"},
                                          {"no_repeat_ngram_size", "3"},
                                          {"loop_detection", "false"},
                                          {"fallback", "openai"},
                                          {"encoder_window", "short"},
                                          {"language_detection_candidates", "1"},
                                          {"suppress_tokens", "-1,50256"},
                                          {"prefix", "Well"}}),
                              FormKind::translation);
  ASSERT_TRUE(form);
  EXPECT_EQ(form->options.repetition_penalty, 1.1);
  EXPECT_EQ(form->options.no_repeat_ngram_size, 3);
  EXPECT_FALSE(form->options.loop_detection);
  EXPECT_EQ(form->options.fallback, protocol::Fallback::openai);
  EXPECT_EQ(form->options.encoder_window, protocol::EncoderWindow::shortened);
  EXPECT_EQ(form->options.language_detection_candidates, 1);
  EXPECT_EQ(form->options.suppress_tokens, "-1,50256");
  EXPECT_EQ(form->options.prefix, "Well");
  EXPECT_FALSE(form->options.word_timestamps);
}

TEST(TranscriptionForm, WordsAreTimedForTheRuleThatNeedsIt) {
  const auto form = read_form(with_model({{"hallucination_silence_threshold", "2.5"},
                                          {"response_format", "verbose_json"},
                                          {"timestamp_granularities[]", "segment"}}),
                              FormKind::transcription);
  ASSERT_TRUE(form);
  EXPECT_EQ(form->options.hallucination_silence_threshold, 2.5);
  EXPECT_TRUE(form->options.word_timestamps);
  EXPECT_FALSE(form->parts.words);
}

TEST(TranscriptionForm, WordsAreTimedForTheStyleThatNeedsThem) {
  const auto wanted = [](const char* style) {
    return read_form(with_model({{"response_format", "srt"}, {"subtitle_style", style}}),
                     FormKind::transcription)
        ->options;
  };
  EXPECT_EQ(wanted("netflix").subtitle_style, protocol::SubtitleStyle::netflix);
  EXPECT_TRUE(wanted("netflix").word_timestamps);
  EXPECT_TRUE(wanted("default").word_timestamps);
  EXPECT_FALSE(read_form(with_model({{"response_format", "srt"}}), FormKind::translation)
                   ->options.word_timestamps);
  EXPECT_FALSE(wanted("whisper").word_timestamps);
}

TEST(TranscriptionForm, ATranslationIsATask) {
  EXPECT_EQ(read_form(with_model({}), FormKind::translation)->options.task,
            protocol::Task::translate);
}

TEST(TranscriptionForm, KnownSpeakersComeAsNamesAndDataUrls) {
  const auto form = read_form(with_model({{"known_speaker_names[]", "Ada"},
                                          {"known_speaker_references[]", "data:;base64,YQ=="},
                                          {"known_speaker_names", R"(["Grace"])"},
                                          {"known_speaker_references", "data:;base64,Zw=="}}),
                              FormKind::job);
  ASSERT_TRUE(form) << form.error().error.message;
  EXPECT_TRUE(form->options.diarize);
  ASSERT_EQ(form->known_speakers.size(), 2U);
  EXPECT_EQ(form->known_speakers[0].name, "Ada");
  EXPECT_EQ(std::get<BytesSource>(form->known_speakers[0].clip).bytes, "a");
  EXPECT_EQ(form->known_speakers[1].name, "Grace");
  EXPECT_EQ(std::get<BytesSource>(form->known_speakers[1].clip).bytes, "g");
}

TEST(TranscriptionForm, ClipsThatCameBeforeBelongToTheNamesInTheirOrder) {
  std::vector<SentClip> clips(1);  // it was no data: URL
  const auto form =
      read_form(with_model({{"known_speaker_names[]", "Ada"}, {"known_speaker_references[]", ""}}),
                FormKind::job, {}, {}, std::move(clips));
  ASSERT_FALSE(form);
  EXPECT_EQ(form.error().parameter, "known_speaker_references");
  EXPECT_NE(form.error().error.message.find("The voice sample of Ada"), std::string::npos);
}

TEST(TranscriptionForm, RefusesKnownSpeakersThatDoNotFitTogether) {
  const FormField ada{"known_speaker_names", "Ada"};
  const FormField clip{"known_speaker_references", "data:;base64,YQ=="};
  const auto refused = [](Fields fields) {
    const auto form = read_form(with_model(std::move(fields)), FormKind::transcription);
    return form ? "" : form.error().error.code + " " + form.error().parameter;
  };
  EXPECT_EQ(refused({ada, clip}), "");
  EXPECT_EQ(refused({ada, ada, clip}), "usage known_speaker_references");
  EXPECT_EQ(refused({ada, clip, clip}), "usage known_speaker_names");
  EXPECT_EQ(refused({ada, clip, ada, clip}), "bad_speaker_name known_speaker_names");
  EXPECT_EQ(refused({{"known_speaker_names", ""}, clip}), "usage known_speaker_names");
  EXPECT_EQ(refused({{"known_speaker_names", " "}, clip}), "bad_speaker_name known_speaker_names");
  EXPECT_EQ(refused({ada, {"known_speaker_references", "ada.wav"}}),
            "usage known_speaker_references");
}

struct BadForm {
  FormField field;
  const char* code;
  const char* parameter;
  FormKind kind = FormKind::transcription;
};

TEST(TranscriptionForm, RefusesWhatItCannotDoAndSaysWhichParameterItIs) {
  const std::string deep(100'000, '[');
  const BadForm table[] = {
      {{"response_format", "xml"}, "usage", "response_format"},
      {{"temperature", "-1"}, "usage", "temperature"},
      {{"temperature", "1.1"}, "usage", "temperature"},
      {{"temperature", "nan"}, "usage", "temperature"},
      {{"temperature", "1e308"}, "usage", "temperature"},
      {{"temperature", "warm"}, "usage", "temperature"},
      {{"temperature", "0.5x"}, "usage", "temperature"},
      {{"language", "klingon"}, "usage", "language"},
      {{"languages[]", "klingon"}, "usage", "languages"},
      {{"languages", R"(["de","klingon"])"}, "usage", "languages"},
      {{"multilingual", "perhaps"}, "usage", "multilingual"},
      {{"timestamp_granularities[]", "line"}, "usage", "timestamp_granularities"},
      {{"timestamp_granularities[]", deep}, "usage", "timestamp_granularities"},
      {{"stream", "maybe"}, "usage", "stream"},
      {{"vad_filter", "perhaps"}, "usage", "vad_filter"},
      {{"loop_detection", "perhaps"}, "usage", "loop_detection"},
      {{"encoder_window", "half"}, "usage", "encoder_window"},
      {{"fallback", "last"}, "usage", "fallback"},
      {{"language_detection_candidates", "0"}, "usage", "language_detection_candidates"},
      {{"language_detection_candidates", "2.5"}, "usage", "language_detection_candidates"},
      {{"repetition_penalty", "0"}, "usage", "repetition_penalty"},
      {{"repetition_penalty", "101"}, "usage", "repetition_penalty"},
      {{"repetition_penalty", "nan"}, "usage", "repetition_penalty"},
      {{"no_repeat_ngram_size", "-1"}, "usage", "no_repeat_ngram_size"},
      {{"no_repeat_ngram_size", "2.5"}, "usage", "no_repeat_ngram_size"},
      {{"no_repeat_ngram_size", "449"}, "usage", "no_repeat_ngram_size"},
      {{"hallucination_silence_threshold", "-1"}, "usage", "hallucination_silence_threshold"},
      {{"hallucination_silence_threshold", "inf"}, "usage", "hallucination_silence_threshold"},
      {{"suppress_tokens", "all"}, "usage", "suppress_tokens"},
      {{"channels", "left"}, "usage", "channels"},
      {{"chunking_strategy[type]", "server"}, "usage", "chunking_strategy"},
      {{"chunking_strategy", R"({"type": 1})"}, "usage", "chunking_strategy"},
      {{"include[]", "usage"}, "usage", "include"},
      {{"known_speaker_names[]", "Ada"}, "usage", "known_speaker_references"},
      {{"known_speaker_references[]", "data:"}, "usage", "known_speaker_names"},
      {{"known_speaker_names[]", "Ada"},
       "unknown_parameter",
       "known_speaker_names[]",
       FormKind::translation},
      {{"keep_alive", "soon"}, "bad_request", "keep_alive"},
      {{"langauge", "de"}, "unknown_parameter", "langauge"},
      {{"keyword[]", "Ada"}, "unknown_parameter", "keyword[]"},
      {{"Prompt", "Ada"}, "unknown_parameter", "Prompt"},
      {{"beamsize", "1"}, "unknown_parameter", "beamsize"},
      {{"fil", "x"}, "unknown_parameter", "fil"},
      {{"webhook_url", "https://example.org"}, "unknown_parameter", "webhook_url"},
      {{"metadata[a]", "b"}, "unknown_parameter", "metadata[a]"},
      {{"keep_results_s", "60"}, "unknown_parameter", "keep_results_s"},
      {{"keep_results_s", "0"}, "usage", "keep_results_s", FormKind::job},
      {{"priority", "bulk"}, "unknown_parameter", "priority"},
      {{"priority", "flex"}, "usage", "priority", FormKind::job},
      {{"keep_results_s", "86401"}, "usage", "keep_results_s", FormKind::job},
      {{"keep_results_s", "soon"}, "usage", "keep_results_s", FormKind::job},
      {{"metadata", "a"}, "usage", "metadata", FormKind::job},
      {{"metadata", R"({"a": 1})"}, "usage", "metadata", FormKind::job},
      {{"metadata[]", "a"}, "usage", "metadata", FormKind::job},
      {{"metadata[a]", std::string(513, 'x')}, "usage", "metadata", FormKind::job},
      {{"metadata[" + std::string(65, 'x') + "]", "a"}, "usage", "metadata", FormKind::job},
      {{"metadata", control_characters()}, "usage", "metadata", FormKind::job},
  };
  for (const auto& row : table) {
    const auto form = read_form(with_model({row.field}), row.kind);
    ASSERT_FALSE(form) << row.field.name << "=" << row.field.value.substr(0, 40);
    EXPECT_EQ(form.error().error.code, row.code) << row.field.name << "=" << row.field.value;
    EXPECT_EQ(form.error().parameter, row.parameter);
    EXPECT_EQ(http_status(form.error().error.code), 400);
  }
}

TEST(TranscriptionForm, WhatNobodyKnowsIsIgnoredAndNamed) {
  const auto form = read_form(with_model({{"colour", "red"}, {"user", "ada"}, {"a[b]", ""}}),
                              FormKind::transcription);
  ASSERT_TRUE(form);
  EXPECT_EQ(form->ignored, (std::vector<std::string>{"colour", "user", "a[b]"}));
}

TEST(TranscriptionForm, AMistypedNameIsToldWhatItMayMean) {
  const auto form = read_form(with_model({{"langauge", "de"}}), FormKind::transcription);
  ASSERT_FALSE(form);
  EXPECT_EQ(form.error().error.fix, "Did you mean language?");
}

TEST(TranscriptionForm, OfAJobSaysWhereLinesOfSubtitlesAreChosen) {
  for (const LineOption& option : line_options) {
    const FormField field{std::string(option.name), option.is_flag ? "true" : "7"};
    EXPECT_TRUE(read_form(with_model({field}), FormKind::transcription)) << option.name;
    const auto form = read_form(with_model({field}), FormKind::job);
    ASSERT_FALSE(form) << option.name;
    EXPECT_EQ(form.error().error.code, errc::unknown_parameter);
    EXPECT_NE(form.error().error.fix.find("GET /v1/jobs/ID/transcript"), std::string::npos)
        << form.error().error.fix;
  }
}

TEST(TranscriptionForm, AnEmptyFieldAsksForNothing) {
  for (const char* name :
       {"temperature", "response_format", "timestamp_granularities[]", "include[]", "vad_filter",
        "language", "languages[]", "keywords[]", "stream", "chunking_strategy", "channels",
        "audio_track", "timeline", "keep_alive", "beam_size", "known_speaker_references[]",
        "max_line_width"}) {
    const auto form = read_form(with_model({{name, ""}}), FormKind::transcription);
    ASSERT_TRUE(form) << name;
    EXPECT_EQ(form->response_format, "json");
    EXPECT_EQ(form->options, protocol::TranscribeOptions()) << name;
  }
  protocol::TranscribeOptions defaults;
  defaults.initial_prompt = "Ada";
  const auto form = read_form(with_model({{"prompt", ""}}), FormKind::transcription, defaults);
  EXPECT_EQ(form->options.initial_prompt, "") << "an empty prompt is a prompt";
}

TEST(TranscriptionForm, AChunkingStrategyOfVoicesIsTheFilter) {
  for (const Fields& fields :
       {Fields{{"chunking_strategy", R"({"type": "server_vad", "threshold": 0.5})"}},
        Fields{{"chunking_strategy[type]", "server_vad"},
               {"chunking_strategy[threshold]", "0.5"}}}) {
    const auto form = read_form(with_model(fields), FormKind::transcription);
    ASSERT_TRUE(form);
    EXPECT_TRUE(form->options.vad_filter);
    EXPECT_EQ(form->options.long_form, protocol::LongForm::parallel);
    ASSERT_EQ(form->ignored.size(), 1U) << "its thresholds are fixed, which is told";
    EXPECT_NE(form->ignored[0].find("threshold"), std::string::npos);
  }
  const auto form = read_form(with_model({{"chunking_strategy", "auto"}}), FormKind::transcription);
  EXPECT_TRUE(form->ignored.empty());
  EXPECT_FALSE(form->options.vad_filter);
  EXPECT_TRUE(form->needs_vad_for_chunks);
}

TEST(TranscriptionForm, AChunkingStrategyGivesWayUnlessTheFilterIsAskedForItself) {
  for (const Fields& fields :
       {Fields{{"chunking_strategy", "auto"}, {"vad_filter", "true"}},
        Fields{{"long_form", "parallel"}, {"chunking_strategy", "server_vad"}}}) {
    EXPECT_FALSE(read_form(with_model(fields), FormKind::transcription)->needs_vad_for_chunks);
  }
}

TEST(TranscriptionForm, ATranslationMayNameTheLanguageThatIsSpoken) {
  const auto form = read_form(with_model({{"language", "de-AT"}}), FormKind::translation);
  ASSERT_TRUE(form);
  EXPECT_EQ(form->options.language, "de");
}

TEST(TranscriptionForm, OnlyAJobNeedsNoModel) {
  EXPECT_EQ(read_form({}, FormKind::transcription).error().error.code, errc::missing_parameter);
  EXPECT_EQ(read_form({}, FormKind::transcription).error().parameter, "model");
  EXPECT_TRUE(read_form({}, FormKind::job));
  EXPECT_EQ(read_form({{"model", ""}}, FormKind::transcription)->model, "") << "the default one";
}

}  // namespace
}  // namespace server
