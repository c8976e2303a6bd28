#include "engine/worker/loaded_model.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

Error refusal(const std::string& device, const std::string& compute_type) {
  protocol::worker::Load request;
  request.model_path = "/nonexistent";
  request.device = device;
  request.compute_type = compute_type;
  return load_model(request).error();
}

TEST(LoadModel, ADeviceOrTypeThatCannotBeIsToldBeforeAMissingFile) {
  EXPECT_EQ(refusal("cuda:0", "auto").code, Errc::device_unavailable);
  EXPECT_EQ(refusal("cuda:zero", "auto").code, Errc::invalid_option);
  EXPECT_EQ(refusal("cpu", "float16").code, Errc::invalid_option);
  EXPECT_EQ(refusal("cpu", "auto").code, Errc::not_found);
}

}  // namespace
}  // namespace engine
