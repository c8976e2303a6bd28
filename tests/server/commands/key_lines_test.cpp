#include "server/commands/key_lines.h"

#include <gtest/gtest.h>

#include "server/http/api_keys.h"

namespace server {
namespace {

constexpr char file[] =
    "# who may use the server\n"
    "\n"
    "ada 0123456789abcdef0123456789abcdef [transcribe, manage]  # since May\n"
    "bob   sha256:a4d92d0093dbd2539e05cf03a1cb1c056ff51c0eb60af74c8148c59b09e30f2e\n"
    "bob 00000000000000000000 [transcribe] until=2027-01-01";

TEST(KeyLines, TellWhoseKeysThereAreAndNotTheKeys) {
  const auto lines = key_lines(file);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0].name, "ada");
  EXPECT_EQ(lines[0].rest, "[transcribe, manage]");
  EXPECT_EQ(lines[1].id, "a4d92d0093db");
  EXPECT_EQ(lines[1].rest, "");
  EXPECT_EQ(lines[2].rest, "[transcribe] until=2027-01-01");
  for (const auto& line : lines) EXPECT_EQ(line.id.size(), 12U);
}

TEST(KeyLines, TellRightsEndAndLimitsApart) {
  const KeyTerms usual = key_terms("");
  EXPECT_EQ(usual.rights, (std::vector<std::string>{"transcribe", "read_status"}));
  EXPECT_EQ(usual.until, "");
  EXPECT_TRUE(usual.limits.empty());
  const KeyTerms limited = key_terms("until=2027-01-31 running_jobs=4");
  EXPECT_EQ(limited.rights, usual.rights);
  EXPECT_EQ(limited.until, "2027-01-31");
  ASSERT_EQ(limited.limits.size(), 1U);
  EXPECT_EQ(limited.limits[0], (std::pair<std::string, std::string>("running_jobs", "4")));
  const KeyTerms named = key_terms("[transcribe, manage,back_up] stored_bytes=9");
  EXPECT_EQ(named.rights, (std::vector<std::string>{"transcribe", "manage", "back_up"}));
  EXPECT_EQ(named.limits.size(), 1U);
}

TEST(KeyLines, OfANewKeySayWhatWasAskedFor) {
  EXPECT_EQ(rest_of_line("ada", {}).value(), "");
  EXPECT_EQ(rest_of_line("ada", {.rights = {"transcribe", "manage"},
                                 .until = "2999-01-31",
                                 .limits = {{"running_jobs", "2"}, {"weight", "0.5"}}})
                .value(),
            "[transcribe, manage] until=2999-01-31 running_jobs=2 weight=0.5");
}

TEST(KeyLines, GiveNoRightThatIsHiddenInATerm) {
  for (const char* number :
       {"1 [manage]", "1\t[manage]", "1\n[manage]", "1\v[manage]", "1 ", " 1", "1#", "1 #", "",
        "1 until=2999-01-31", "1\neve sha256:0 [manage]", "1\x1b[31m"}) {
    const auto rest = rest_of_line("ada", {.limits = {{"running_jobs", number}}});
    EXPECT_TRUE(!rest && rest.error().code == errc::usage) << number;
  }
  for (const char* until :
       {"2999-01-31 [manage]", "2999-01-31 ", "2999-01-31 weight=9", "#", " "}) {
    EXPECT_FALSE(rest_of_line("ada", {.until = until})) << until;
  }
  for (const char* limit :
       {"until", "[manage] weight", "#weight", "", "[manage]", "weight ", "jobs"}) {
    EXPECT_FALSE(rest_of_line("ada", {.limits = {{limit, "1"}}})) << limit;
  }
  for (const char* right : {"manage]", "manage weight=1", "transcribe manage", "", "a,b", "all"}) {
    EXPECT_FALSE(rest_of_line("ada", {.rights = {right}})) << right;
  }
  EXPECT_FALSE(rest_of_line("ada", {.limits = {{"weight", "1"}, {"weight", "2"}}}));
}

TEST(KeyLines, ANewKeyIsAddedAsItsHash) {
  const std::string key = new_key();
  const std::string edited = with_key(file, "eve", key, "[read_status]");
  EXPECT_TRUE(edited.starts_with(std::string(file) + "\neve  sha256:"));
  EXPECT_EQ(edited.find(key), edited.npos);
  EXPECT_EQ(key_lines(edited).back().rest, "[read_status]");
}

TEST(KeyLines, AServerTakesANewKey) {
  const std::string key = new_key();
  ApiKeys keys;
  ASSERT_TRUE(keys.add_lines(with_key("", "eve", key, "[transcribe, manage]")));
  boost::beast::http::fields headers;
  headers.set("Authorization", "Bearer " + key);
  const auto principal = keys.authenticate(headers);
  ASSERT_TRUE(principal);
  EXPECT_EQ(principal->name, "eve");
  EXPECT_EQ(principal->rights, (Rights{Right::transcribe, Right::manage}));
}

TEST(KeyLines, NoTwoNewKeysAreAlike) {
  EXPECT_NE(new_key(), new_key());
  EXPECT_EQ(new_key().size(), 64U);
}

TEST(KeyLines, ANameStandsForAllOfItsKeys) {
  std::vector<ListedKey> removed;
  const std::string edited = without_keys(file, "bob", removed);
  EXPECT_EQ(removed.size(), 2U);
  EXPECT_EQ(edited,
            "# who may use the server\n"
            "\n"
            "ada 0123456789abcdef0123456789abcdef [transcribe, manage]  # since May\n");
}

TEST(KeyLines, AnIdStandsForOneKey) {
  std::vector<ListedKey> removed;
  const std::string edited = without_keys(file, "a4d92d0093db", removed);
  ASSERT_EQ(removed.size(), 1U);
  EXPECT_EQ(removed[0].name, "bob");
  EXPECT_EQ(key_lines(edited).size(), 2U);
}

TEST(KeyLines, WhatNamesNoKeyRemovesNothing) {
  std::vector<ListedKey> removed;
  EXPECT_EQ(without_keys(file, "eve", removed), file);
  EXPECT_EQ(without_keys(file, "#", removed), file);
  EXPECT_TRUE(removed.empty());
}

}  // namespace
}  // namespace server
