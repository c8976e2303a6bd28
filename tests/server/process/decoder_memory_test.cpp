#include "server/process/decoder_memory.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace server {
namespace {

class DecoderMemoryTest : public testing::Test {
 protected:
  std::unique_ptr<DecoderMemory::Wish> ask(const std::string& owner) {
    return memory_->ask(owner, [this, owner] { granted_.push_back(owner); });
  }

  using Owners = std::vector<std::string>;
  Owners granted_{};  // in their order
  std::shared_ptr<DecoderMemory> memory_ = std::make_shared<DecoderMemory>(3);
};

TEST_F(DecoderMemoryTest, GrantsAtOnceWhileThereArePlaces) {
  const auto wish = ask("ada");
  EXPECT_TRUE(wish->is_granted());
  EXPECT_EQ(granted_, Owners{"ada"});
}

TEST_F(DecoderMemoryTest, KeepsOnePlaceFromAnOwnerWhoHasAllOthers) {
  std::vector<std::unique_ptr<DecoderMemory::Wish>> wishes;
  for (int i = 0; i < 32; ++i) wishes.push_back(ask("bob"));
  EXPECT_EQ(granted_, (Owners{"bob", "bob"}));
  EXPECT_FALSE(wishes[2]->is_granted());
  EXPECT_TRUE(ask("ada")->is_granted());
}

TEST_F(DecoderMemoryTest, GivesAFreePlaceToWhoHasTheFewestThenToWhoAskedFirst) {
  auto bob = ask("bob");
  const auto again = ask("bob"), eve = ask("eve");
  const auto third = ask("bob"), ada = ask("ada"), other = ask("ada");
  EXPECT_EQ(granted_, (Owners{"bob", "bob", "eve"}));
  bob.reset();
  EXPECT_EQ(granted_.back(), "ada");
  EXPECT_TRUE(ada->is_granted());
  EXPECT_FALSE(third->is_granted() || other->is_granted());
}

TEST_F(DecoderMemoryTest, ForgetsWhoNoLongerWaits) {
  auto first = ask("ada");
  const auto second = ask("ada");
  auto gone = ask("ada");
  const auto next = ask("ada");
  gone.reset();
  EXPECT_EQ(granted_.size(), 2u);
  first.reset();
  EXPECT_TRUE(next->is_granted());
}

TEST_F(DecoderMemoryTest, HasAtLeastOnePlaceForOneOwner) {
  memory_ = std::make_shared<DecoderMemory>(1);
  auto wish = ask("ada");
  const auto next = ask("ada");
  EXPECT_TRUE(wish->is_granted());
  EXPECT_FALSE(next->is_granted());
  wish.reset();
  EXPECT_TRUE(next->is_granted());
}

}  // namespace
}  // namespace server
