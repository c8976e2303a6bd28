#include "server/commands/form_fields.h"

#include <gtest/gtest.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "server/commands/transcribe_options.h"
#include "tests/server/temporary_folder.h"

namespace server {
namespace {

using Fields = std::vector<std::pair<std::string, std::string>>;

Result<Fields> fields(std::vector<std::string> words) {
  CLI::App app;
  TranscribeArguments arguments;
  add_transcribe_options(app, arguments);
  std::reverse(words.begin(), words.end());  // as CLI11 wants it
  app.parse(words);
  return form_fields(app);
}

TEST(FormFields, WhatIsNotGivenIsTheServersToChoose) {
  EXPECT_EQ(fields({"a.wav", "--server", "http://x:1", "--format", "srt", "-q"}).value(), Fields{});
}

TEST(FormFields, HaveTheNamesOfTheApi) {
  EXPECT_EQ(
      fields({"a.wav", "--model", "tiny", "--beam-size", "5", "--initial-prompt", "Hello"}).value(),
      (Fields{{"model", "tiny"}, {"prompt", "Hello"}, {"beam_size", "5"}}));
}

TEST(FormFields, AServerTranslates) {
  EXPECT_EQ(fields({"a.wav", "--task", "translate", "--language", "de"}).value(),
            (Fields{{"language", "de"}, {"task", "translate"}}));
}

TEST(FormFields, ListsAreFieldsOfTheirOwn) {
  EXPECT_EQ(fields({"a.wav", "--languages", "en,de", "--channels", "split", "--channel-labels",
                    "Agent,Caller"})
                .value(),
            (Fields{{"languages[]", "en"},
                    {"languages[]", "de"},
                    {"channels", "split"},
                    {"channel_labels[]", "Agent"},
                    {"channel_labels[]", "Caller"}}));
}

TEST(FormFields, ClipsOfKnownSpeakersAreSentAsDataUrls) {
  test::TemporaryFolder folder;
  test::write_text(folder / "a=b.wav", "hello");
  const std::string clip = (folder / "a=b.wav").string();
  EXPECT_EQ(
      fields({"--speaker", "Ada=" + clip, "--speaker", "Dr. Hopper=" + clip, "a.wav"}).value(),
      (Fields{{"known_speaker_names[]", "Ada"},
              {"known_speaker_references[]", "data:application/octet-stream;base64,aGVsbG8="},
              {"known_speaker_names[]", "Dr. Hopper"},
              {"known_speaker_references[]", "data:application/octet-stream;base64,aGVsbG8="}}));
  test::write_text(folder / "large.wav", std::string(4 << 20, 'a'));
  const auto code_of = [](const std::string& speaker) {
    return fields({"a.wav", "--speaker", speaker}).error().code;
  };
  EXPECT_EQ(code_of("Ada=" + (folder / "large.wav").string()), errc::too_large);
  EXPECT_EQ(code_of("Ada=" + (folder / "none.wav").string()), errc::input_not_found);
  EXPECT_EQ(code_of("Ada=" + folder.path().string()), errc::input_unreadable);
  EXPECT_EQ(code_of("Ada"), errc::usage);
}

TEST(FormFields, SayWhichAudioTrackAndTimeline) {
  using Fields = std::vector<std::pair<std::string, std::string>>;
  EXPECT_EQ(fields({"a.mkv", "--track", "2", "--timeline", "packed"}).value(),
            (Fields{{"audio_track", "2"}, {"timeline", "packed"}}));
  EXPECT_EQ(fields({"a.mkv", "--audio-track", "German"}).value(),
            (Fields{{"audio_track", "German"}}));
}

TEST(FormFields, WhatOnlyThisMachineCanDoIsRefused) {
  const std::vector<std::vector<std::string>> lines{{"a.wav", "--device", "cpu"},
                                                    {"a.wav", "--threads", "2"},
                                                    {"a.wav", "--channel", "1"},
                                                    {"a.wav", "--live"},
                                                    {"a.wav", "--temperature", "0,0.2"}};
  for (const auto& words : lines) {
    const auto refused = fields(words);
    ASSERT_FALSE(refused) << words[1];
    EXPECT_EQ(refused.error().code, errc::usage);
    EXPECT_NE(refused.error().message.find(words[1]), std::string::npos);
  }
}

}  // namespace
}  // namespace server
