#include "engine/torch/upload.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace engine {
namespace {

TEST(Upload, CopiesNumbers) {
  const std::vector<std::int64_t> numbers{3, 1, 2};
  EXPECT_TRUE(at::equal(upload(numbers, at::kCPU), at::tensor({3, 1, 2}, at::kLong)));
  EXPECT_EQ(upload({}, at::kCPU).numel(), 0);
}

TEST(Upload, FillsTheBeginningOfAPlace) {
  const at::Tensor place = at::zeros({4}, at::kLong);
  const void* before = place.const_data_ptr();
  upload_to(place, std::vector<std::int64_t>{7, 8});
  EXPECT_TRUE(at::equal(place, at::tensor({7, 8, 0, 0}, at::kLong)));
  EXPECT_EQ(place.const_data_ptr(), before);
}

TEST(Upload, StacksTensorsAtTheBeginningOfAPlace) {
  const std::array parts{at::full({2, 3}, 1.0F), at::full({2, 3}, 2.0F)};
  const at::Tensor place = at::full({3, 2, 3}, 7.0F);
  const void* before = place.const_data_ptr();
  upload_stacked_to(place, parts);
  EXPECT_TRUE(at::equal(place, at::stack({parts[0], parts[1], at::full({2, 3}, 7.0F)})));
  EXPECT_EQ(place.const_data_ptr(), before);
}

}  // namespace
}  // namespace engine
