#include "engine/speakers/networks/network_tensors.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

TEST(ChannelNorm, ScalesShiftsAndCutsEachChannel) {
  const ChannelNorm norm{at::tensor({2.0F, -1.0F}), at::tensor({0.5F, 1.0F})};
  const at::Tensor x = at::tensor({1.0F, 3.0F, -1.0F, -2.0F}).view({1, 2, 2});
  EXPECT_TRUE(at::equal(norm.relu(x), at::tensor({2.5F, 0.0F, 0.0F, 3.0F}).view({1, 2, 2})));
}

TEST(ChannelNorm, OfAPartOfTheChannelsIsContiguous) {
  const ChannelNorm norm{at::ones({3}), at::zeros({3})};
  const at::Tensor all = at::ones({2, 4, 8});
  EXPECT_TRUE(norm.relu(all.narrow(2, 0, 3)).is_contiguous());
}

TEST(Folded, DoesWhatALayerAndItsNormDo) {
  const at::Tensor weight = at::rand({4, 3});
  const ChannelNorm norm{at::rand({4}), at::rand({4})};
  const at::Tensor x = at::rand({5, 3});
  const Affine layer = folded(weight, norm);
  const at::Tensor expected = at::linear(x, weight) * norm.scale + norm.shift;
  EXPECT_TRUE(at::allclose(at::linear(x, layer.weight, layer.bias), expected));
}

}  // namespace
}  // namespace engine
