#include "server/http/api_keys.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>

#include "tests/server/temporary_folder.h"

namespace server {
namespace {

const std::string key = "0123456789abcdef";
// This hash comes from: printf 0123456789abcdef | sha256sum
const std::string key_hash = "9f9f5111f7b27a781f1f1ddde5ebc2dd2b796bfc7365c9c28b548e564176929f";

Result<Principal> ask(const ApiKeys& keys, const std::string& authorization) {
  boost::beast::http::fields headers;
  headers.insert("Authorization", authorization);
  return keys.authenticate(headers);
}

ApiKeys keys_of(std::string_view lines) {
  ApiKeys keys;
  const auto added = keys.add_lines(lines);
  EXPECT_TRUE(added) << added.error().message;
  return keys;
}

TEST(ApiKeys, LetEverybodyDoAllWhereThereAreNone) {
  const auto principal = ApiKeys().authenticate({});
  ASSERT_TRUE(principal);
  EXPECT_EQ(principal->name, "local");
  EXPECT_TRUE(principal->may(Right::manage));
}

TEST(ApiKeys, TellWhoAKeyBelongsToAndWhatItMay) {
  const auto keys = keys_of(
      "# users\n\n"
      "ann  " +
      key +
      "A\n"
      "ben\t" +
      key +
      "B [manage]  # the admin\r\n"
      "ben  sha256:" +
      key_hash + "  [transcribe,read_status, manage]\n");
  const auto ann = ask(keys, "Bearer " + key + "A");
  ASSERT_TRUE(ann);
  EXPECT_EQ(ann->name, "ann");
  EXPECT_EQ(ann->rights, (Rights{Right::transcribe, Right::read_status}));
  EXPECT_EQ(ask(keys, "bearer " + key + "B")->rights, Rights{Right::manage});
  EXPECT_EQ(ask(keys, "Bearer " + key)->rights.size(), 3U);
  EXPECT_EQ(keys.names(), 2U);
}

TEST(ApiKeys, RefuseEverythingElse) {
  const auto keys = keys_of("ann " + key);
  for (const std::string& value :
       {std::string(), std::string("Bearer"), std::string("Bearer "), "Basic " + key, key,
        "Bearer  " + key, "Bearer " + key + "x", "Bearer " + key.substr(1), "Bearer " + key_hash,
        "Bearer sha256:" + key_hash, "Bearer " + std::string(10'000, 'x')}) {
    const auto answer = ask(keys, value);
    ASSERT_FALSE(answer) << value;
    EXPECT_EQ(answer.error().code, "unauthorized");
    EXPECT_EQ(answer.error().message.find(key), std::string::npos);
  }
  EXPECT_FALSE(keys.authenticate({}));
}

TEST(ApiKeys, RefuseTwoAuthorizations) {
  const auto keys = keys_of("ann " + key);
  boost::beast::http::fields headers;
  headers.insert("Authorization", "Bearer " + key);
  EXPECT_TRUE(keys.authenticate(headers));
  headers.insert("Authorization", "Bearer " + key);
  EXPECT_FALSE(keys.authenticate(headers));
}

TEST(ApiKeys, RefuseLinesThatAreNotValidAndNameTheirNumber) {
  for (const std::string& line :
       {std::string("ann"), std::string("ann short"), "a/b " + key, "ann " + key + " manage",
        "ann " + key + " [all]", "ann " + key + " []", "ann sha256:" + key_hash.substr(1),
        "ann sha256:" + key_hash.substr(1) + "g", "ann " + key + "\nben " + key,
        std::string(65, 'a') + " " + key}) {
    const auto added = ApiKeys().add_lines("# first\n" + line);
    ASSERT_FALSE(added) << line;
    EXPECT_EQ(added.error().code, "usage");
    EXPECT_TRUE(added.error().message.starts_with("Line ")) << added.error().message;
  }
}

TEST(ApiKeys, ComeFromTheEnvironmentWithAllRights) {
  ApiKeys keys;
  ASSERT_TRUE(keys.add_key(key));
  EXPECT_EQ(ask(keys, "Bearer " + key)->name, "default");
  EXPECT_TRUE(ask(keys, "Bearer " + key)->may(Right::manage));
  EXPECT_FALSE(keys.add_key("secret"));
}

TEST(ApiKeys, ComeFromAFileThatOthersCannotRead) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "keys";
  EXPECT_FALSE(ApiKeys().add_file(file));
  std::ofstream(file) << "ann " << key << "\n";
  ASSERT_EQ(::chmod(file.c_str(), 0644), 0);
  const auto open_to_all = ApiKeys().add_file(file);
  ASSERT_FALSE(open_to_all);
  EXPECT_TRUE(open_to_all.error().fix.starts_with("Run: chmod 600 ")) << open_to_all.error().fix;
  ASSERT_EQ(::chmod(file.c_str(), 0640), 0);
  ApiKeys keys;
  ASSERT_TRUE(keys.add_file(file));
  EXPECT_TRUE(ask(keys, "Bearer " + key));
}

TEST(ApiKeys, AFileWithoutAKeyLetsNobodyIn) {
  const test::TemporaryFolder folder;
  const auto file = folder / "keys";
  for (const std::string& text :
       {std::string(), std::string("# none\n"), std::string("\n \n"), std::string("ann short\n")}) {
    test::write_text(file, text);
    ASSERT_EQ(::chmod(file.c_str(), 0600), 0);
    ApiKeys keys;
    const auto added = keys.add_file(file);
    ASSERT_FALSE(added) << text;
    EXPECT_EQ(exit_code(added.error().code), ExitCode::usage);
    EXPECT_FALSE(keys.is_open());
    EXPECT_FALSE(keys.authenticate({})) << text;
    EXPECT_FALSE(keys.may("local", Right::transcribe));
  }
}

TEST(ApiKeys, AFileThatIsNoneIsNotWaitedFor) {
  const test::TemporaryFolder folder;
  ASSERT_EQ(::mkfifo((folder / "pipe").c_str(), 0600), 0);
  EXPECT_FALSE(ApiKeys().add_file(folder / "pipe"));
  EXPECT_FALSE(ApiKeys().add_file(folder.path()));
}

TEST(ApiKeys, WhoseKeysAreGoneMayDoNothingMore) {
  const auto keys = keys_of("ann " + key + " [manage]");
  EXPECT_TRUE(keys.may("ann", Right::manage));
  EXPECT_FALSE(keys.may("ann", Right::transcribe));
  EXPECT_FALSE(keys.may("ben", Right::transcribe));
  EXPECT_TRUE(ApiKeys().may("local", Right::manage));
}

TEST(ApiKeys, EndWhenTheirLineSaysSo) {
  const auto keys = keys_of("ann " + key + "A until=2027-01-31\nben " + key +
                            "B [manage] until=2027-01-31T12:00:00Z\n");
  constexpr std::time_t noon = 1801396800;  // 2027-01-31T12:00:00Z
  constexpr std::time_t midnight = noon + 12 * 3600;
  const auto at = [&](const char* letter, std::time_t now) {
    boost::beast::http::fields headers;
    headers.insert("Authorization", "Bearer " + key + letter);
    return keys.authenticate(headers, now).has_value();
  };
  EXPECT_TRUE(at("A", midnight - 1)) << "a date is valid to its end";
  EXPECT_FALSE(at("A", midnight));
  EXPECT_TRUE(at("B", noon - 1));
  EXPECT_FALSE(at("B", noon));
  EXPECT_TRUE(keys.may("ben", Right::manage, noon - 1));
  EXPECT_FALSE(keys.may("ben", Right::manage, noon));
}

TEST(ApiKeys, HaveLimitsThatHoldForAllKeysOfAName) {
  const auto keys = keys_of("ann " + key +
                            "A requests_per_minute=60 running_jobs=2 # few\n"
                            "ann " +
                            key + "B [transcribe] running_jobs=5 stored_bytes=1000\nben " + key +
                            "C sound_seconds_per_day=3600 weight=2.5\nben " + key +
                            "E weight=0.1\ncleo " + key + "D\n");
  const KeyLimits ann{.requests_per_minute = 60, .running_jobs = 2, .stored_bytes = 1000};
  EXPECT_EQ(ask(keys, "Bearer " + key + "A")->limits, ann);
  EXPECT_EQ(ask(keys, "Bearer " + key + "B")->limits, ann);
  EXPECT_EQ(ask(keys, "Bearer " + key + "C")->limits,
            (KeyLimits{.sound_seconds_per_day = 3600, .weight = 0.1}));
  EXPECT_EQ(ask(keys, "Bearer " + key + "D")->limits, KeyLimits{});
  EXPECT_EQ(keys.limits().size(), 2U);
}

TEST(ApiKeys, RefuseWhatTheirLinesCannotMean) {
  for (const char* rest :
       {"until=2027-02-30", "until=tomorrow", "until=2027-01-31T12:00", "until=", "running_jobs=0",
        "running_jobs=-1", "running_jobs=2x", "requests_per_minute=", "request_per_minute=5",
        "weight=0.05", "weight=101", "weight=", "weight=nan", "weight=2x", "weight=-1",
        "[transcribe] manage=true", "=5"}) {
    ApiKeys keys;
    const auto added = keys.add_lines("ann " + key + " " + rest);
    EXPECT_FALSE(added) << rest;
    EXPECT_FALSE(keys.is_open());
  }
}

}  // namespace
}  // namespace server
