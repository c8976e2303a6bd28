#include "engine/whisper/torch_model/slot_store.h"

#include <gtest/gtest.h>

#include <cmath>
#include <optional>
#include <vector>

#include "engine/error.h"

namespace engine {
namespace {

SlotStore store(int slots = 4) {
  return SlotStore({1, 2, slots, 1, 3, 64}, at::kFloat);
}

TEST(SlotStore, GivesTheLowestFreePlace) {
  SlotStore slots = store();
  std::optional<SlotPool::Slot> first(slots.take());
  const SlotPool::Slot second = slots.take();
  EXPECT_EQ(first->index(), 0);
  EXPECT_EQ(second.index(), 1);
  EXPECT_EQ(slots.in_use(), 2);
  first.reset();
  EXPECT_EQ(slots.in_use(), 1);
  EXPECT_EQ(slots.take().index(), 0);
}

TEST(SlotStore, NeverMoves) {
  SlotStore slots = store();
  const void* before = slots.tensor().const_data_ptr();
  std::vector<SlotPool::Slot> all;
  for (int i = 0; i < 4; ++i) all.push_back(slots.take());
  EXPECT_THROW(slots.take(), Exception);
  EXPECT_EQ(slots.tensor().const_data_ptr(), before);
  EXPECT_EQ(slots.capacity(), 4);
}

TEST(SlotStore, MoreThanItHasIsWantOfMemoryAndNoInternalError) {
  SlotStore slots = store(1);
  const SlotPool::Slot only = slots.take();
  try {
    slots.take();
    FAIL();
  } catch (const Exception& refused) {
    EXPECT_EQ(refused.error.code, Errc::out_of_memory);
  }
}

TEST(SlotStore, APlaceIsClearedAlone) {
  SlotStore slots = store();
  slots.tensor().fill_(NAN);
  slots.clear(2);
  EXPECT_TRUE(slots.slot(2).values.eq(0).all().item<bool>());
  EXPECT_TRUE(slots.slot(1).values.isnan().all().item<bool>());
}

TEST(SlotStore, APlaceMayOutliveTheStore) {
  std::optional<SlotStore> slots(store());
  const SlotPool::Slot place = slots->take();
  slots.reset();
  EXPECT_EQ(place.index(), 0);
}

}  // namespace
}  // namespace engine
