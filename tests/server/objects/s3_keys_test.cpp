#include "server/objects/s3_keys.h"

#include <gtest/gtest.h>

#include "tests/server/temporary_folder.h"

namespace server {
namespace {

class S3KeysTest : public testing::Test {
 protected:
  Result<S3Keys> read(const std::string& text) {
    test::write_text(folder_ / "credentials", text);
    return read_keys({.file = folder_ / "credentials", .keys = {"other", "other"}});
  }

  const test::TemporaryFolder folder_;
};

TEST_F(S3KeysTest, AFileHasThemBelowDefault) {
  const auto keys = read(
      "# of the bucket\n[other]\naws_access_key_id = no\n[default]\r\naws_access_key_id=AK\n"
      "aws_secret_access_key = a/b+c=\naws_session_token = t\nregion = x\n[more]\n"
      "aws_access_key_id = no\n");
  ASSERT_TRUE(keys) << keys.error().message;
  EXPECT_EQ(keys->id, "AK");
  EXPECT_EQ(keys->secret, "a/b+c=");
  EXPECT_EQ(keys->token, "t");
}

TEST_F(S3KeysTest, AChangedFileIsTakenUp) {
  EXPECT_EQ(read("aws_access_key_id=a\naws_secret_access_key=b\n")->id, "a");
  EXPECT_EQ(read("aws_access_key_id=c\naws_secret_access_key=b\n")->id, "c");
}

TEST_F(S3KeysTest, WithoutAFileThoseOfTheStartCount) {
  EXPECT_EQ(read_keys({.keys = {"id", "secret"}})->secret, "secret");
}

TEST_F(S3KeysTest, MissingAndStrangeKeysAreErrors) {
  EXPECT_EQ(read_keys({}).error().code, errc::bad_config);
  EXPECT_EQ(read_keys({.file = folder_ / "none"}).error().code, errc::bad_config);
  EXPECT_EQ(read("aws_access_key_id = a\n").error().code, errc::bad_config);
  EXPECT_EQ(read_keys({.keys = {"a", "b", "t\r\nHost: x"}}).error().code, errc::bad_config);
  EXPECT_EQ(read_keys({.keys = {"a:b", "c"}}).error().code, errc::bad_config);
}

}  // namespace
}  // namespace server
