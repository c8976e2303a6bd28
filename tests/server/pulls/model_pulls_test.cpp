#include "server/pulls/model_pulls.h"

#include <gtest/gtest.h>

#include <boost/asio/ip/tcp.hpp>
#include <string>

#include "tests/server/models/temporary_store.h"
#include "tests/server/run_coroutine.h"

// What a pull does with a hub is tested with a real daemon (tests/integration/catalog_test.py).
namespace server {
namespace {

class ModelPullsTest : public ::testing::Test {
 protected:
  // Nothing answers at this address, so each pull fails soon.
  static HubAccess no_hub() { return {"http://127.0.0.1:1", {}}; }

  asio::io_context io;
  testing::TemporaryStore store;
  ModelPulls pulls{io.get_executor(), store.store(), no_hub()};
};

TEST_F(ModelPullsTest, RefuseWhatNobodyKnows) {
  EXPECT_EQ(pulls.start("no-such-model").error().code, "unknown_model");
}

TEST_F(ModelPullsTest, RefuseWhatIsHere) {
  ASSERT_TRUE(store.install("base", "weights"));
  EXPECT_EQ(pulls.start("base").error().code, "already_installed");
  EXPECT_EQ(pulls.start("openai/whisper-base").error().code, "already_installed");
}

TEST_F(ModelPullsTest, OneModelIsFetchedOnceAtATime) {
  const auto begun = pulls.start("openai/whisper-base");
  ASSERT_TRUE(begun);
  EXPECT_EQ(begun->model, "base");
  EXPECT_GT(begun->total_bytes.value_or(0), 100'000'000U);
  EXPECT_TRUE(pulls.is_pulling("base"));
  EXPECT_EQ(pulls.start("base").error().code, errc::pull_running);
  EXPECT_TRUE(pulls.state_of("base"));
  EXPECT_FALSE(pulls.state_of("small"));
}

TEST_F(ModelPullsTest, OnlySoManyAreFetchedAtOnce) {
  for (const char* name :
       {"tiny", "tiny.en", "base", "base.en", "small", "small.en", "medium", "medium.en"}) {
    ASSERT_TRUE(pulls.start(name)) << name;
  }
  EXPECT_EQ(pulls.start("large-v3").error().code, errc::too_many_pulls);
}

// No Python is found either: the hub and the packages are all the sources that this model has.
TEST_F(ModelPullsTest, TellListenersHowTheyEnd) {
  std::vector<std::pair<std::string, std::string>> ended;
  pulls.add_listener({.ended = [&](const std::string& model, const std::optional<Error>& error) {
    ended.emplace_back(model, error ? error->code : "");
  }});
  const auto pulled = test::run(io, pulls.pull("distil-small.en"));
  ASSERT_FALSE(pulled);
  EXPECT_EQ(pulled.error().code, errc::unreachable);
  ASSERT_EQ(ended.size(), 1U);
  EXPECT_EQ(ended[0], std::pair(std::string("distil-small.en"), std::string(errc::unreachable)));
  EXPECT_FALSE(pulls.is_pulling("distil-small.en"));
}

// A hub that takes connections and never answers keeps those busy that are fetched first.
TEST_F(ModelPullsTest, ThoseThatWaitForATurnAreStoppedAtOnce) {
  const asio::ip::tcp::acceptor silent(io, {asio::ip::address_v4::loopback(), 0});
  const auto port = std::to_string(silent.local_endpoint().port());
  ModelPulls pulls(io.get_executor(), store.store(), {"http://127.0.0.1:" + port, {}});
  std::vector<std::string> ended;
  pulls.add_listener({.ended = [&](const std::string& model, const std::optional<Error>& error) {
    if (error && error->code == errc::cancelled) ended.push_back(model);
  }});
  ASSERT_TRUE(pulls.start("openai/whisper-base"));
  ASSERT_TRUE(pulls.start("openai/whisper-small"));
  ASSERT_TRUE(pulls.start("tiny"));
  ASSERT_TRUE(test::run(io, pulls.stop("tiny")));
  EXPECT_FALSE(pulls.is_pulling("tiny"));
  EXPECT_EQ(ended, std::vector<std::string>{"tiny"});
  EXPECT_EQ(test::run(io, pulls.stop("tiny")).error().code, errc::no_pull);
}

}  // namespace
}  // namespace server
