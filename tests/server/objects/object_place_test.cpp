#include "server/objects/object_place.h"

#include <gtest/gtest.h>

namespace server {
namespace {

std::string error_of(const std::string& address, const std::string& endpoint = "",
                     const std::string& region = "us-east-1") {
  const auto place = parse_object_place(address, endpoint, region);
  return place ? "" : place.error().code;
}

TEST(ObjectPlace, ABucketIsNamedWithAndWithoutAPrefix) {
  const auto bare = parse_object_place("s3://recordings", "", "eu-central-1").value();
  EXPECT_EQ(bare.bucket, "recordings");
  EXPECT_EQ(bare.prefix, "");
  EXPECT_EQ(bare.endpoint, "https://s3.eu-central-1.amazonaws.com");
  const auto deep =
      parse_object_place("s3://my.bucket-2/a/b", "http://127.0.0.1:9000/", "us-east-1").value();
  EXPECT_EQ(deep.bucket, "my.bucket-2");
  EXPECT_EQ(deep.prefix, "a/b/");
  EXPECT_EQ(deep.endpoint, "http://127.0.0.1:9000");
}

TEST(ObjectPlace, WhatASignatureCouldDisagreeAboutIsRefused) {
  for (const char* address : {"", "recordings", "s3:/recordings", "s3://", "s3://re",
                              "s3://Recordings", "s3://a_b_c", "s3://recordings/a b",
                              "s3://recordings/%20", "s3://recordings/a//b", "s3://recordings/../b",
                              "s3://recordings/.", "s3://recordings/\xC3\xA4", "s3://u:p@host/x"}) {
    EXPECT_EQ(error_of(address), errc::bad_config) << address;
  }
  for (const char* endpoint : {"s3.example.org", "ftp://example.org", "https://", "https://a/b",
                               "https://user:secret@example.org", "https://a?b"}) {
    EXPECT_EQ(error_of("s3://recordings", endpoint), errc::bad_config) << endpoint;
  }
  for (const char* region : {"", "a:b", "EU"}) {
    EXPECT_EQ(error_of("s3://recordings", "", region), errc::bad_config) << region;
  }
}

}  // namespace
}  // namespace server
