#include "server/sessions/session_store.h"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "tests/server/sessions/session_stores_under_test.h"

namespace server {
namespace {

using namespace std::string_literals;

const Session ada{hash_of_key("token"), hash_of_key("key"), "ada", 12.5};
const Session bob{hash_of_key("other token"), hash_of_key("other key"), "bob", 11};
const Share link{"id", hash_of_key("link"), "job", "ada", 1, 2};

template <class UnderTest>
class SessionStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!UnderTest::why_not().empty()) GTEST_SKIP() << UnderTest::why_not();
  }

  SessionChanges all() { return under_test.store->changes(0).value(); }

  UnderTest under_test{};
};

TYPED_TEST_SUITE(SessionStoreTest, test::SessionStoresUnderTest);

TYPED_TEST(SessionStoreTest, KeepsWhatItWasGiven) {
  ASSERT_TRUE(this->under_test.store->add(ada));
  ASSERT_TRUE(this->under_test.store->add(link));
  this->under_test.reopen();
  const auto all = this->all();
  EXPECT_TRUE(all.are_all);
  ASSERT_EQ(all.sessions.size(), 1U);
  EXPECT_EQ(all.sessions[0].token, ada.token);
  EXPECT_EQ(all.sessions[0].key, ada.key);
  EXPECT_EQ(all.sessions[0].name, "ada");
  EXPECT_EQ(all.sessions[0].ends, 12.5);
  ASSERT_EQ(all.shares.size(), 1U);
  EXPECT_EQ(all.shares[0].id, "id");
  EXPECT_EQ(all.shares[0].token, link.token);
  EXPECT_EQ(all.shares[0].job, "job");
  EXPECT_EQ(all.shares[0].owner, "ada");
  EXPECT_EQ(all.shares[0].created, 1);
  EXPECT_EQ(all.shares[0].ends, 2);
}

TYPED_TEST(SessionStoreTest, WhatWasRemovedIsGone) {
  ASSERT_TRUE(this->under_test.store->add(ada));
  ASSERT_TRUE(this->under_test.store->add(bob));
  ASSERT_TRUE(this->under_test.store->add(link));
  ASSERT_TRUE(this->under_test.store->remove_session(ada.token));
  ASSERT_TRUE(this->under_test.store->remove_shares(std::array{"id"s}));
  this->under_test.reopen();
  const auto all = this->all();
  ASSERT_EQ(all.sessions.size(), 1U);
  EXPECT_EQ(all.sessions[0].name, "bob");
  EXPECT_TRUE(all.shares.empty());
}

TYPED_TEST(SessionStoreTest, TheOneThatEndsFirstIsTheFirst) {
  ASSERT_TRUE(this->under_test.store->add(ada));
  ASSERT_TRUE(this->under_test.store->add(bob));
  const auto all = this->all();
  ASSERT_EQ(all.sessions.size(), 2U);
  EXPECT_EQ(all.sessions[0].name, "bob");
}

TYPED_TEST(SessionStoreTest, RemovingWhatIsNotThereIsNoError) {
  EXPECT_TRUE(this->under_test.store->remove_session(ada.token));
  EXPECT_TRUE(this->under_test.store->remove_shares(std::array{"id"s}));
}

TYPED_TEST(SessionStoreTest, TheSameTokenTwiceIsAnError) {
  ASSERT_TRUE(this->under_test.store->add(ada));
  EXPECT_FALSE(this->under_test.store->add(ada));
  EXPECT_EQ(this->all().sessions.size(), 1U);
}

}  // namespace
}  // namespace server
