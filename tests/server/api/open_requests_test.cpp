#include "server/api/open_requests.h"

#include <gtest/gtest.h>

#include <optional>

namespace server {
namespace {

TEST(OpenRequests, AreCountedForEachOwnerWhileTheyLive) {
  OpenRequest::Counts counts;
  const OpenRequest first(counts, "ada");
  EXPECT_EQ(first.number(), 1U);
  {
    const OpenRequest second(counts, "ada"), other(counts, "bob");
    EXPECT_EQ(second.number(), 2U);
    EXPECT_EQ(other.number(), 1U);
    EXPECT_EQ(first.number(), 2U) << "with those that came later";
  }
  EXPECT_EQ(first.number(), 1U);
}

TEST(OpenRequests, NothingIsKeptOfAnOwnerWhoHasNone) {
  OpenRequest::Counts counts;
  std::optional<OpenRequest> request;
  request.emplace(counts, "ada");
  request.reset();
  EXPECT_TRUE(counts.empty());
}

}  // namespace
}  // namespace server
