#include "engine/whisper/cpu/histories.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace engine::cpu {
namespace {

Histories histories(int count) {
  Histories made;
  for (int i = 0; i < count; ++i) {
    made.push_back(std::make_shared<kernels::KvStore>(kernels::KvFormat::float32, 1, 1, 16));
  }
  return made;
}

// Returns which history each row has in the end, by the row that had it before.
std::vector<std::ptrdiff_t> contents(const Histories& before, const ReorderedHistories& after) {
  std::vector<std::ptrdiff_t> sources;
  for (const auto& row : after.rows) {
    const auto copy = std::ranges::find(after.copies, row.get(), &HistoryCopy::to);
    const auto* from = copy == after.copies.end() ? row.get() : copy->from;
    const auto had =
        std::ranges::find_if(before, [&](const auto& one) { return one.get() == from; });
    sources.push_back(had - before.begin());
  }
  return sources;
}

TEST(Histories, EachRowGoesOnWithTheOneOfItsSource) {
  const auto before = histories(4);
  for (const std::vector<int>& sources : std::vector<std::vector<int>>{
           {0, 1, 2, 3}, {3, 2, 1, 0}, {0, 0, 0, 0}, {2, 2, 1, 1}, {3, 0, 3, 3}, {1, 1, 1, 0}}) {
    const auto after = reordered(before, sources);
    EXPECT_EQ(contents(before, after), std::vector<std::ptrdiff_t>(sources.begin(), sources.end()));
  }
}

TEST(Histories, NoneIsAddedAndNoneThatIsContinuedIsWritten) {
  const auto before = histories(5);
  const std::vector<int> sources{4, 4, 4, 1, 1};
  const auto after = reordered(before, sources);
  EXPECT_EQ(std::set(after.rows.begin(), after.rows.end()), std::set(before.begin(), before.end()));
  ASSERT_EQ(after.copies.size(), 3U) << "what one row alone continues is not copied";
  for (const HistoryCopy& copy : after.copies) {
    EXPECT_NE(copy.to, before[4].get());
    EXPECT_NE(copy.to, before[1].get());
  }
}

}  // namespace
}  // namespace engine::cpu
