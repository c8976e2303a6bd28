#include "server/api/untold.h"

#include <gtest/gtest.h>

namespace server::api {
namespace {

protocol::Segment said(const std::string& text, const std::vector<double>& logprobs = {}) {
  protocol::Segment segment{.text = text};
  for (const double logprob : logprobs) segment.token_logprobs.push_back({{}, logprob});
  return segment;
}

TEST(Untold, IsTheTextBehindWhatWasTold) {
  const std::vector all{said(" hello"), said(" there,"), said(" Ada")};
  const auto rest = untold_of(all, " hello the", 0);
  ASSERT_EQ(rest.size(), 1U);
  EXPECT_EQ(rest[0].text, "re, Ada");
  EXPECT_EQ(untold_of(all, "", 0)[0].text, " hello there, Ada");
}

TEST(Untold, IsNothingWhereAllWasToldOrSomethingElse) {
  const std::vector all{said(" hello"), said(" there")};
  EXPECT_TRUE(untold_of(all, " hello there", 0).empty());
  EXPECT_TRUE(untold_of(all, " hallo", 0).empty()) << "what was told is no prefix";
  EXPECT_TRUE(untold_of(all, " hello there, Ada", 0).empty()) << "more was told";
  EXPECT_TRUE(untold_of({}, " hello", 0).empty());
  EXPECT_TRUE(untold_of({}, "", 0).empty());
}

TEST(Untold, HasTheProbabilitiesThatWereNotTold) {
  const std::vector all{said(" hello", {-1, -2}), said(" there", {-3})};
  const auto rest = untold_of(all, " hello", 2);
  ASSERT_EQ(rest.size(), 1U);
  ASSERT_EQ(rest[0].token_logprobs.size(), 1U);
  EXPECT_EQ(rest[0].token_logprobs[0].logprob, -3);
  EXPECT_TRUE(untold_of(all, " hello", 9)[0].token_logprobs.empty());
}

}  // namespace
}  // namespace server::api
