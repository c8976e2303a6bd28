#include "server/mcp/tools/loaded_model.h"

#include <gtest/gtest.h>

namespace server {
namespace {

LoadedModel on_a_card() {
  LoadedModel model{.name = "base",
                    .device = "cuda:0",
                    .device_name = "NVIDIA T4",
                    .device_reason = "the first working GPU",
                    .compute_type = "float16",
                    .memory_bytes = 300 << 20,
                    .load_s = 1.26,
                    .jobs = 2};
  PassedOver other{.card = "NVIDIA K80"};
  other.fallback.finding.headline = "NVIDIA K80: it is too old";
  model.passed_over.push_back(other);
  return model;
}

TEST(LoadedModel, IsToldWithItsDeviceAndTheCardsThatAreNotUsed) {
  EXPECT_EQ(text_of(on_a_card()),
            "Model base on cuda:0, NVIDIA T4 (float16): the first working GPU. 300 MiB, loaded in "
            "1.3 s, 2 jobs.\nNVIDIA K80 is not used: it is too old\n");
  EXPECT_EQ(json_of(on_a_card())["passed_over"][0], "NVIDIA K80 is not used: it is too old");
}

TEST(LoadedModel, OnSeveralCardsTheJobsOfEachAreTold) {
  LoadedModel model = on_a_card();
  model.devices = {{.device = "cuda:0", .jobs = 2}, {.device = "cuda:1", .is_loading = true}};
  model.passed_over.clear();
  model.devices[0].use.encoder_window = "full until 20 clips were compared; 3 are";
  EXPECT_TRUE(text_of(model).ends_with(
      "Encoder windows of short recordings: full until 20 clips were compared; 3 are.\n"));
  model.devices[0].use.encoder_window.clear();
  EXPECT_TRUE(text_of(model).ends_with("2 jobs.\nOn cuda:0: 2 jobs.\nOn cuda:1: being loaded.\n"));
  EXPECT_EQ(json_of(model)["devices"].dump(), R"(["cuda:0","cuda:1"])");
}

TEST(LoadedModel, TellsThePlacesThatItHasInTheMemoryOfACard) {
  LoadedModel model = on_a_card();
  model.passed_over.clear();
  model.devices = {{.device = "cuda:0"}};
  EXPECT_TRUE(text_of(model).ends_with("2 jobs.\n")) << "a device without places has no line";
  EXPECT_TRUE(json_of(model)["places"].empty());
  model.devices[0].use = {.windows = 16, .windows_held = 3, .rows = 80, .rows_held = 4};
  model.devices[0].use.cache_bytes = std::int64_t{7} << 20;
  model.devices[0].use.kernel_rows = 64;
  EXPECT_TRUE(
      text_of(model).ends_with("2 jobs.\nOn cuda:0 it has 16 places for windows and 80 for rows of "
                               "decodes in 7 MiB; 3 and 4 "
                               "are held. Steps of up to 64 rows run on fused kernels.\n"))
      << text_of(model);
  EXPECT_EQ(json_of(model)["places"][0]["kernel_rows"], 64);
  model.devices[0].use.kernel_rows = 0;
  model.devices[0].use.kernels_off = "they differ";
  model.devices[0].use.graphs_off = "encodes: no memory";
  EXPECT_TRUE(
      text_of(model).ends_with("are held. Not recorded for now: encodes: no memory. No steps run "
                               "on fused kernels: they differ.\n"))
      << text_of(model);
}

TEST(LoadedModel, ADeviceWithoutANameNeedsNone) {
  LoadedModel model = on_a_card();
  model.device = "cpu";
  model.device_name = "";
  model.passed_over.clear();
  EXPECT_TRUE(text_of(model).starts_with("Model base on cpu (float16): "));
}

TEST(LoadedModel, OfOneThatIsBeingLoadedNothingElseIsKnown) {
  EXPECT_EQ(text_of(LoadedModel{.name = "base", .is_loading = true}),
            "Model base is being loaded.\n");
}

TEST(LoadedModel, HasTheFieldsOfItsSchema) {
  const auto schema = loaded_model_schema();
  const auto json = json_of(on_a_card());
  EXPECT_EQ(json.size(), schema["properties"].size());
  for (const auto& [name, value] : json.items()) {
    EXPECT_TRUE(schema["properties"].contains(name)) << name;
  }
}

}  // namespace
}  // namespace server
