#include "engine/worker/worker_model.h"

#include <gtest/gtest.h>

namespace engine {
namespace {

std::string refusal(const std::string& device, const std::string& compute_type) {
  protocol::worker::Load request;
  request.model_path = "/nonexistent";
  request.run_on.device = device;
  request.run_on.compute_type = compute_type;
  return load_model(request).error().code;
}

TEST(LoadModel, ADeviceOrTypeThatCannotBeIsToldBeforeAMissingFile) {
  EXPECT_EQ(refusal("cuda:0", "auto"), name(Errc::device_unavailable));
  EXPECT_EQ(refusal("cuda:zero", "auto"), name(Errc::invalid_option));
  EXPECT_EQ(refusal("cpu", "float16"), name(Errc::invalid_option));
  EXPECT_EQ(refusal("cpu", "auto"), name(Errc::not_found));
}

}  // namespace
}  // namespace engine
