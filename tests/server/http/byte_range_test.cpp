#include "server/http/byte_range.h"

#include <gtest/gtest.h>

namespace server {
namespace {

WantedBytes wanted(const std::string& range, const std::string& if_range = "") {
  http::fields fields;
  if (!range.empty()) fields.set(http::field::range, range);
  if (!if_range.empty()) fields.set(http::field::if_range, if_range);
  return wanted_bytes(fields, 1000, "\"now\"");
}

void expect_part(const std::string& range, std::uint64_t first, std::uint64_t length) {
  const auto found = wanted(range);
  EXPECT_EQ(found.status, http::status::partial_content) << range;
  EXPECT_EQ(found.range, (ByteRange{first, length})) << range;
}

void expect_all(const std::string& range, const std::string& if_range = "") {
  const auto found = wanted(range, if_range);
  EXPECT_EQ(found.status, http::status::ok) << range;
  EXPECT_EQ(found.range, (ByteRange{0, 1000})) << range;
}

TEST(ByteRange, IsAPartOfTheContent) {
  expect_part("bytes=0-99", 0, 100);
  expect_part("bytes=999-", 999, 1);
  expect_part("bytes=0-", 0, 1000);
  expect_part("bytes=-300", 700, 300);
  expect_part("Bytes=1-1", 1, 1);
}

TEST(ByteRange, EndsWithTheContent) {
  expect_part("bytes=900-5000", 900, 100);
  expect_part("bytes=-5000", 0, 1000);
  expect_part("bytes=5-18446744073709551615", 5, 995);
}

TEST(ByteRange, BehindTheEndThereIsNothing) {
  for (const std::string range : {"bytes=1000-", "bytes=4000-5000", "bytes=-0"}) {
    const auto found = wanted(range);
    EXPECT_EQ(found.status, http::status::range_not_satisfiable) << range;
    EXPECT_EQ(content_range(found, 1000), "bytes */1000");
  }
}

TEST(ByteRange, WhatIsNoSingleRangeIsAnsweredWithAll) {
  for (const std::string range :
       {"", "bytes=", "bytes=-", "bytes=a-b", "bytes=5-1", "items=0-1", "bytes=0-1,5-6",
        "bytes=--5", "bytes 0-1", "bytes=18446744073709551616-"}) {
    expect_all(range);
  }
}

TEST(ByteRange, OfAnOlderContentIsAnsweredWithAll) {
  expect_all("bytes=0-99", "\"before\"");
  expect_all("bytes=0-99", "W/\"now\"");
  expect_all("bytes=0-99", "Sun, 06 Nov 1994 08:49:37 GMT");
  EXPECT_EQ(wanted("bytes=0-99", "\"now\"").status, http::status::partial_content);
}

TEST(ByteRange, IsToldWithTheLengthOfAll) {
  EXPECT_EQ(content_range(wanted("bytes=5-9"), 1000), "bytes 5-9/1000");
}

}  // namespace
}  // namespace server
