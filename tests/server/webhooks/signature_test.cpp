#include "server/webhooks/signature.h"

#include <gtest/gtest.h>

#include "tests/server/temporary_folder.h"

namespace server {
namespace {

struct Vector {
  const char* secret;
  const char* id;
  std::int64_t timestamp;
  const char* body;
  const char* signature;
};

// Python made these: base64(hmac.new(key, f"{id}.{timestamp}.{body}".encode(), "sha256").digest())
constexpr Vector vectors[] = {
    {"whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYX", "msg_1", 1, "{}",
     "v1,5d9QMvXtx12HTwLvWeTNP59x2Rjf130Duf/R9Lus/yY="},
    {"whsec_yMnKy8zNzs/Q0dLT1NXW19jZ2tvc3d7f4OHi4+Tl5uc=", "job_01h", 1790000000,
     "{\"type\":\"job.done\",\"id\":\"\u00E9\"}",
     "v1,+n+UHGpLBkUlYv98vLmD4TQwRJ6j5lQX3AcFKur5b6I="},
    {"whsec_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
     "AA==",
     "x", 0, "", "v1,OjFea3zqE+MY/f3bFhq8BeFiiaAp2EEdXuCygJsotY0="}};

TEST(WebhookSecret, SignsAsOthersDo) {
  for (const auto& [secret, id, timestamp, body, signature] : vectors) {
    const auto parsed = WebhookSecret::parse(secret);
    ASSERT_TRUE(parsed) << secret;
    EXPECT_EQ(parsed->sign(id, timestamp, body), signature);
  }
}

TEST(WebhookSecret, EachPartCounts) {
  const auto secret = WebhookSecret::parse(vectors[0].secret).value();
  EXPECT_NE(secret.sign("msg_2", 1, "{}"), vectors[0].signature);
  EXPECT_NE(secret.sign("msg_1", 2, "{}"), vectors[0].signature);
  EXPECT_NE(secret.sign("msg_1", 1, "{ }"), vectors[0].signature);
  EXPECT_NE(WebhookSecret::parse(vectors[2].secret)->sign("msg_1", 1, "{}"), vectors[0].signature);
}

TEST(WebhookSecret, RefusesWhatIsNone) {
  for (const char* text : {"", "whsec_", "AAECAwQFBgcICQoLDA0ODxAREhMUFRYX",
                           "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRY=",  // 23 bytes
                           "whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRY",
                           "whsec_AAECAwQF BgcICQoLDA0ODxAREhMUFRYX", "WHSEC_AAAA"}) {
    const auto parsed = WebhookSecret::parse(text);
    ASSERT_FALSE(parsed) << text;
    EXPECT_EQ(parsed.error().code, errc::bad_config);
    EXPECT_EQ(parsed.error().message.find("AAEC"), std::string::npos) << "secrets are not told";
  }
}

TEST(WebhookSecret, IsReadFromAFile) {
  const test::TemporaryFolder root;
  test::write_text(root / "secret", std::string(" ") + vectors[0].secret + "\n");
  EXPECT_EQ(WebhookSecret::read(root / "secret")->sign("msg_1", 1, "{}"), vectors[0].signature);
  EXPECT_EQ(WebhookSecret::read(root / "missing").error().code, errc::input_not_found);
  test::write_text(root / "long", std::string(100'000, 'x'));
  EXPECT_EQ(WebhookSecret::read(root / "long").error().code, errc::bad_config);
}

}  // namespace
}  // namespace server
