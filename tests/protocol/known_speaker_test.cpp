#include "protocol/known_speaker.h"

#include <gtest/gtest.h>

#include <limits>

#include "protocol/speaker_names.h"

namespace protocol {
namespace {

TEST(KnownSpeaker, ClipsKeepTheirSoundToSixteenBits) {
  const std::vector<float> pcm{0, 0.5F, -0.5F, -1, 0.999F, 1.0F / 32768};
  const auto read = decode_clip(encode_clip(pcm));
  ASSERT_TRUE(read);
  ASSERT_EQ(read->size(), pcm.size());
  for (std::size_t i = 0; i < pcm.size(); ++i) EXPECT_NEAR((*read)[i], pcm[i], 0.5 / 32768) << i;
  EXPECT_EQ(encode_clip(*read), encode_clip(pcm));
}

TEST(KnownSpeaker, ClipsAreCutOffAtFullScale) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const auto read = decode_clip(encode_clip(std::vector<float>{1, 2, -3, nan})).value();
  EXPECT_EQ(read, (std::vector<float>{32767.F / 32768, 32767.F / 32768, -1, 0}));
}

TEST(KnownSpeaker, OtherTextIsNoClip) {
  EXPECT_EQ(decode_clip("AAA="), (std::vector<float>{0}));
  EXPECT_EQ(decode_clip(""), std::vector<float>{});
  EXPECT_EQ(decode_clip("AAAA"), std::nullopt);  // three bytes
  EXPECT_EQ(decode_clip("AAA"), std::nullopt);
  EXPECT_EQ(decode_clip("no, Base64"), std::nullopt);
}

TEST(KnownSpeaker, NamesAreFineEachOnce) {
  const auto problem = [](const std::vector<std::string>& names) {
    const auto fine = check_known_names(names);
    return fine ? std::string() : fine.error().code + ": " + fine.error().message;
  };
  EXPECT_EQ(problem({}), "");
  EXPECT_TRUE(check_known_names(std::vector<std::string>{"Ada", "Grace"}, 2));
  const auto contradiction = check_known_names(std::vector<std::string>{"Ada", "Grace"}, 1);
  ASSERT_FALSE(contradiction);
  EXPECT_EQ(contradiction.error().message, "2 speakers are known by name, and num_speakers is 1.");
  EXPECT_EQ(problem({"Ada", "ada", "Dr. Grace O'Neil"}), "");
  EXPECT_EQ(problem({"Ada", "Grace", "Ada"}),
            "bad_speaker_name: Two known speakers are called Ada.");
  EXPECT_EQ(problem({"Ada", ""}).substr(0, 16), "bad_speaker_name");
  EXPECT_EQ(problem({"Ada\nGrace"}).substr(0, 16), "bad_speaker_name");
  std::vector<std::string> many;
  for (std::size_t i = 0; i < most_known_speakers; ++i) many.push_back("S" + std::to_string(i));
  EXPECT_EQ(problem(many), "");
  many.emplace_back("one more");
  EXPECT_NE(problem(many).find("17 known speakers"), std::string::npos);
}

}  // namespace
}  // namespace protocol
