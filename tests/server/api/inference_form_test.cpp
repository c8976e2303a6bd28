#include "server/api/inference_form.h"

#include <gtest/gtest.h>

namespace server {
namespace {

InferenceForm read_fine(const std::vector<FormField>& fields) {
  return read_inference_form(fields).value();
}

TEST(InferenceForm, FieldsOfWhisperCppBecomeOptions) {
  const auto form = read_fine({{"language", "auto"},
                               {"translate", "1"},
                               {"prompt", "Names."},
                               {"beam_size", "3"},
                               {"no_speech_thold", "0.5"},
                               {"vad", "yes"},
                               {"no_timestamps", "y"},
                               {"carry_initial_prompt", "false"}});
  EXPECT_EQ(form.options.language, "");
  EXPECT_EQ(form.options.task, protocol::Task::translate);
  EXPECT_EQ(form.options.initial_prompt, "Names.");
  EXPECT_EQ(form.options.beam_size, 3);
  EXPECT_EQ(form.options.no_speech_threshold, 0.5);
  EXPECT_TRUE(form.options.vad_filter);
  EXPECT_TRUE(form.options.without_timestamps);
  EXPECT_FALSE(form.options.carry_initial_prompt);
  EXPECT_TRUE(form.ignored.empty());
}

TEST(InferenceForm, FieldsForSubtitlesAreScribedsOwn) {
  const auto form = read_fine({{"subtitle_style", "bbc"}, {"max_line_width", "30"}});
  EXPECT_EQ(form.options.subtitle_style, protocol::SubtitleStyle::bbc);
  EXPECT_EQ(form.lines.max_line_width, 30);
  EXPECT_TRUE(form.options.word_timestamps);
  EXPECT_TRUE(read_fine({{"response_format", "srt"}}).options.word_timestamps);
  EXPECT_EQ(read_fine({{"max_line_width", "wide"}, {"subtitle_style", "x"}}).unusable,
            (std::vector<std::string>{"max_line_width", "subtitle_style"}));
}

TEST(InferenceForm, TheTemperatureRisesByItsStep) {
  EXPECT_EQ(read_fine({}).options.temperatures, protocol::TranscribeOptions().temperatures);
  EXPECT_EQ(read_fine({{"temperature", "0.5"}, {"temperature_inc", "0.5"}}).options.temperatures,
            (std::vector<double>{0.5, 1}));
  EXPECT_EQ(read_fine({{"temperature", "0.5"}, {"temperature_inc", "0"}}).options.temperatures,
            (std::vector<double>{0.5}));
}

TEST(InferenceForm, APartOfTheRecordingIsInMilliseconds) {
  EXPECT_EQ(read_fine({{"offset_t", "1500"}}).options.clip_timestamps, (std::vector<double>{1.5}));
  EXPECT_EQ(read_fine({{"offset_t", "1500"}, {"duration", "500"}}).options.clip_timestamps,
            (std::vector<double>{1.5, 2}));
  EXPECT_TRUE(read_fine({{"offset_t", "0"}, {"duration", "0"}}).options.clip_timestamps.empty());
}

TEST(InferenceForm, ATimeThatIsNoneGivesWayToTheDefault) {
  for (const char* time : {"nan", "inf", "-inf", "-5", "1e999", "soon"}) {
    const auto form = read_fine({{"offset_t", time}, {"duration", time}, {"temperature", time}});
    EXPECT_EQ(form.options, protocol::TranscribeOptions()) << time;
    EXPECT_EQ(form.unusable, (std::vector<std::string>{"offset_t", "duration", "temperature"}));
  }
}

TEST(InferenceForm, AValueThatIsNoneIsToldApartFromAFieldWithoutAnEffect) {
  const auto form = read_fine({{"beam_size", "-1"},
                               {"temperature", "warm"},
                               {"response_format", "doc"},
                               {"max_len", "40"}});
  EXPECT_EQ(form.options, protocol::TranscribeOptions());
  EXPECT_EQ(form.response_format, "json");
  EXPECT_EQ(form.unusable,
            (std::vector<std::string>{"beam_size", "temperature", "response_format"}));
  EXPECT_EQ(form.ignored, std::vector<std::string>{"max_len"});
  EXPECT_EQ(read_fine({{"temperature", "9"}}).unusable, std::vector<std::string>{"temperature"});
}

TEST(InferenceForm, NamesOfValuesCountInAnyCase) {
  const auto form = read_fine({{"response_format", "Verbose_JSON"}, {"translate", "TRUE"}});
  EXPECT_EQ(form.response_format, "verbose_json");
  EXPECT_EQ(form.options.task, protocol::Task::translate);
  EXPECT_TRUE(form.unusable.empty());
}

TEST(InferenceForm, WhatIsLeftEmptyAsksForNothing) {
  const auto form = read_fine({{"beam_size", ""}, {"temperature", ""}, {"response_format", ""}});
  EXPECT_EQ(form.options, protocol::TranscribeOptions());
  EXPECT_EQ(form.ignored, std::vector<std::string>());
}

TEST(InferenceForm, OnlyALanguageThatThereIsNotIsAnError) {
  EXPECT_EQ(read_inference_form({{"language", "klingon"}}).error().code, errc::usage);
}

TEST(InferenceForm, WordsAreFoundForTheFormatThatHasThem) {
  EXPECT_TRUE(read_fine({{"response_format", "verbose_json"}}).options.word_timestamps);
  EXPECT_FALSE(read_fine({{"response_format", "json"}}).options.word_timestamps);
  EXPECT_FALSE(read_fine({{"response_format", "verbose_json"}, {"no_timestamps", "true"}})
                   .options.word_timestamps);
}

}  // namespace
}  // namespace server
