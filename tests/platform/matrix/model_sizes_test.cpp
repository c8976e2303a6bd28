#include <gtest/gtest.h>

#include <cmath>

#include "platform/matrix/matrix.h"

namespace platform {
namespace {

struct Vocabulary {
  const char* model;
  std::int64_t words;
  std::int64_t mel_bins;
};

// Weights of Whisper by its shape: 12 d² for a layer of the encoder, 16 d² for one of the decoder,
// the embedding, two convolutions and the positions of both sides.
double parameters(const ModelRow& model, const Vocabulary& vocabulary) {
  const std::int64_t d = model.d_model;
  const std::int64_t layers = (12 * model.encoder_layers + 16 * model.decoder_layers) * d * d;
  const std::int64_t convolutions = 3 * d * vocabulary.mel_bins + 3 * d * d;
  return static_cast<double>(layers + vocabulary.words * d + convolutions + (1500 + 448) * d);
}

TEST(ModelSizes, FollowFromTheLayers) {
  const Matrix matrix = built_in_matrix().matrix;
  const Vocabulary vocabularies[] = {{"tiny", 51865, 80},
                                     {"base", 51865, 80},
                                     {"small", 51865, 80},
                                     {"medium", 51865, 80},
                                     {"large", 51865, 80},
                                     {"large-v2", 51865, 80},
                                     {"large-v3", 51866, 128},
                                     {"large-v3-turbo", 51866, 128},
                                     {"distil-large-v3", 51866, 128}};
  EXPECT_EQ(std::size(vocabularies), matrix.models.size());
  for (const auto& vocabulary : vocabularies) {
    const ModelRow* model = matrix.find_model(vocabulary.model);
    ASSERT_TRUE(model) << vocabulary.model;
    const double computed = parameters(*model, vocabulary);
    EXPECT_NEAR(static_cast<double>(model->parameters), computed, computed * 0.003)
        << vocabulary.model;
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
    const std::int64_t parameters = matrix.find_model(name)->parameters;
    EXPECT_GT(parameters, before) << name;
    before = parameters;
  }
}

}  // namespace
}  // namespace platform
