#include <gtest/gtest.h>

#include <cmath>

#include "platform/matrix/matrix.h"

namespace platform {
namespace {

struct MelBins {
  const char* model;
  std::int64_t mel_bins;
};

// Returns the weights of a Whisper of this shape: 12 d² for a layer of the encoder, 16 d² for one
// of the decoder, the embedding, two convolutions and the positions of both sides.
double parameters(const ModelRow& model, const MelBins& bins) {
  const std::int64_t d = model.size.d_model;
  const std::int64_t layers =
      (12 * model.size.encoder_layers + 16 * model.size.decoder_layers) * d * d;
  const std::int64_t convolutions = 3 * d * bins.mel_bins + 3 * d * d;
  return static_cast<double>(layers + model.size.vocabulary * d + convolutions +
                             (model.size.encoder_positions + model.size.decoder_positions) * d);
}

TEST(ModelSizes, FollowFromTheLayers) {
  const Matrix matrix = built_in_matrix().matrix;
  const MelBins table[] = {{"tiny", 80},
                           {"base", 80},
                           {"small", 80},
                           {"medium", 80},
                           {"large", 80},
                           {"large-v2", 80},
                           {"large-v3", 128},
                           {"large-v3-turbo", 128},
                           {"distil-large-v3", 128}};
  EXPECT_EQ(std::size(table), matrix.models.size());
  for (const auto& bins : table) {
    const ModelRow* model = matrix.find_model(bins.model);
    ASSERT_TRUE(model) << bins.model;
    const double computed = parameters(*model, bins);
    EXPECT_NEAR(static_cast<double>(model->size.parameters), computed, computed * 0.003)
        << bins.model;
  }
}

TEST(ModelSizes, KeepTheTableThatUsersKnow) {
  const Matrix matrix = built_in_matrix().matrix;
  const std::tuple<const char*, double, double> table[] = {
      {"base", 2, 4}, {"small", 3, 6}, {"medium", 4, 8}, {"large", 6, 12}, {"large-v2", 6, 12}};
  for (const auto& [name, minimum, recommended] : table) {
    const ModelRow* model = matrix.find_model(name);
    ASSERT_TRUE(model) << name;
    EXPECT_EQ(model->minimum_gb, minimum) << name;
    EXPECT_EQ(model->recommended_gb, recommended) << name;
  }
  EXPECT_FALSE(matrix.find_model("tiny")->minimum_gb);
}

TEST(ModelSizes, GrowFromTinyToLarge) {
  const Matrix matrix = built_in_matrix().matrix;
  std::int64_t before = 0;
  for (const char* name : {"tiny", "base", "small", "medium", "large-v2"}) {
    const std::int64_t parameters = matrix.find_model(name)->size.parameters;
    EXPECT_GT(parameters, before) << name;
    before = parameters;
  }
}

}  // namespace
}  // namespace platform
