#include "server/commands/speaker_options.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "protocol/speaker_names.h"

namespace server {
namespace {

TEST(SpeakerOptions, KnownSpeakersHaveANameAndAClipEach) {
  struct Case {
    std::vector<std::string> texts;
    const char* code;
    std::optional<int> num_speakers{};
  };
  for (const Case& c :
       {Case{{"Ada"}, errc::usage}, Case{{"Ada="}, errc::usage}, Case{{""}, errc::usage},
        Case{{"=ada.wav"}, protocol::bad_speaker_name},
        Case{{" =ada.wav"}, protocol::bad_speaker_name},
        Case{{"A\nB=ada.wav"}, protocol::bad_speaker_name},
        Case{{"Ada=a.wav", "Ada=b.wav"}, protocol::bad_speaker_name},
        Case{{"Ada=a.wav", "Grace=b.wav"}, protocol::bad_speaker_name, 1},
        Case{std::vector<std::string>(17, "Ada=a.wav"), protocol::bad_speaker_name}}) {
    const auto read = parse_speakers(c.texts, c.num_speakers);
    ASSERT_FALSE(read) << c.texts[0];
    EXPECT_EQ(read.error().code, c.code) << c.texts[0];
  }
}

}  // namespace
}  // namespace server
