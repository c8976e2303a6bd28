#include "engine/whisper/model/slot_store.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>

namespace engine {
namespace {

SlotStore store(int max_slots = 4) {
  return SlotStore({1, 2, 1, 1, 3, 64}, at::kFloat, max_slots);
}

TEST(SlotStore, GivesTheLowestFreePlace) {
  SlotStore slots = store();
  std::optional<SlotPool::Slot> first(slots.take());
  const SlotPool::Slot second = slots.take();
  EXPECT_EQ(first->index(), 0);
  EXPECT_EQ(second.index(), 1);
  first.reset();
  EXPECT_EQ(slots.take().index(), 0);
}

TEST(SlotStore, DoublesAndKeepsWhatItHolds) {
  SlotStore slots = store();
  const SlotPool::Slot first = slots.take();
  slots.slot(0).fill_(7);
  const SlotPool::Slot second = slots.take();
  const SlotPool::Slot third = slots.take();
  EXPECT_EQ(slots.capacity(), 4);
  EXPECT_TRUE(slots.slot(0).eq(7).all().item<bool>());
  EXPECT_TRUE(slots.slot(2).eq(0).all().item<bool>());
}

TEST(SlotStore, APlaceThatIsTakenAgainIsZero) {
  SlotStore slots = store();
  {
    const SlotPool::Slot used = slots.take();
    slots.slot(0).fill_(NAN);
  }
  const SlotPool::Slot again = slots.take();
  EXPECT_TRUE(slots.slot(0).eq(0).all().item<bool>());
}

TEST(SlotStore, RefusesMoreThanItsBound) {
  SlotStore slots = store(1);
  const SlotPool::Slot only = slots.take();
  EXPECT_THROW(slots.take(), c10::Error);
  EXPECT_EQ(slots.capacity(), 1);
}

TEST(SlotStore, APlaceMayOutliveTheStore) {
  std::optional<SlotStore> slots(store());
  const SlotPool::Slot place = slots->take();
  slots.reset();
  EXPECT_EQ(place.index(), 0);
}

}  // namespace
}  // namespace engine
