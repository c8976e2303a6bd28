#include "server/pulls/fetched_bytes.h"

#include <gtest/gtest.h>

namespace server {
namespace {

using Phase = PullProgress::Phase;

TEST(FetchedBytes, AddsUpFiles) {
  FetchedBytes bytes(std::nullopt);
  EXPECT_EQ(bytes.total(), std::nullopt);
  bytes.add({Phase::downloading, "config.json", 10, 10});
  bytes.add({Phase::downloading, "model.safetensors", 5, 100});
  EXPECT_EQ(bytes.done(), 15U);
  EXPECT_EQ(bytes.total(), 110U);
  bytes.add({Phase::downloading, "model.safetensors", 50, 100});
  EXPECT_EQ(bytes.done(), 60U);
  EXPECT_EQ(bytes.total(), 110U);
}

TEST(FetchedBytes, TakesTheTotalThatIsKnownBefore) {
  FetchedBytes bytes(1000);
  bytes.add({Phase::downloading, "config.json", 10, 10});
  EXPECT_EQ(bytes.total(), 1000U);
  bytes.add({Phase::downloading, "model.safetensors", 2000, std::nullopt});
  EXPECT_EQ(bytes.total(), 2010U) << "what came is more than what was said";
}

TEST(FetchedBytes, CountsWhatIsFetchedAlone) {
  FetchedBytes bytes(1000);
  bytes.add({Phase::verifying, "model.safetensors", 500, 1000});
  bytes.add({Phase::unpacking, "package", 500, 1000});
  EXPECT_EQ(bytes.done(), 0U);
}

TEST(FetchedBytes, AnotherSourceBeginsAnew) {
  FetchedBytes bytes(1000);
  bytes.add({Phase::downloading, "model.safetensors", 500, 1000});
  bytes.begin_anew();
  EXPECT_EQ(bytes.done(), 0U);
  bytes.add({Phase::downloading, "package", 1, 1});
  EXPECT_EQ(bytes.done(), 1U);
}

}  // namespace
}  // namespace server
