#include "engine/whisper/torch_model/tensor_load.h"

#include <gtest/gtest.h>

#include "tests/engine/whisper/model/toy_weights.h"

namespace engine {
namespace {

TEST(TensorLoad, AViewSharesTheFilesMemoryAndACopyDoesNot) {
  const ToyWeights toy;
  const auto weights = toy.weights();
  const std::string name = "decoder.ln.weight";
  const void* file = weights->tensors().at(name).data.data();
  EXPECT_EQ(load_view(*weights, name).const_data_ptr(), file);
  EXPECT_NE(load_float32(*weights, name).const_data_ptr(), file);
  EXPECT_TRUE(at::equal(load_view(*weights, name), load_float32(*weights, name)));
}

}  // namespace
}  // namespace engine
