#include "platform/model_size.h"

#include <gtest/gtest.h>

#include <string>

namespace platform {
namespace {

struct Figures {
  std::string name;
  ModelSize size;
  int mels;
  std::int64_t encoder_layers;
  std::int64_t decoder_layers;
  std::int64_t cross;
  std::int64_t vocabulary;
  std::int64_t first_convolution;
  std::int64_t second_convolution;
  std::int64_t window;  // keys and values
  std::int64_t row;     // keys and values
  std::int64_t activations;
  std::int64_t score_bytes;
  std::int64_t choice_bytes;
};

// The figures were computed by hand.
const Figures figures[] = {
    {"base",
     {.d_model = 512,
      .heads = 8,
      .encoder_layers = 6,
      .decoder_layers = 6,
      .encoder_positions = 1500,
      .decoder_positions = 448,
      .vocabulary = 51865},
     80,
     18'874'368,
     22'020'096,
     3'145'728,
     26'554'880,
     122'880,
     786'432,
     9'216'000,
     2'752'512,
     12'288'000,
     144'000'000,
     2'489'520},
    {"large-v3",
     {.d_model = 1280,
      .heads = 20,
      .encoder_layers = 32,
      .decoder_layers = 32,
      .encoder_positions = 1500,
      .decoder_positions = 448,
      .vocabulary = 51866},
     128,
     629'145'600,
     734'003'200,
     104'857'600,
     66'388'480,
     491'520,
     4'915'200,
     122'880'000,
     36'700'160,
     30'720'000,
     360'000'000,
     2'489'568},
    {"large-v3-turbo",
     {.d_model = 1280,
      .heads = 20,
      .encoder_layers = 32,
      .decoder_layers = 4,
      .encoder_positions = 1500,
      .decoder_positions = 448,
      .vocabulary = 51866},
     128,
     629'145'600,
     91'750'400,
     13'107'200,
     66'388'480,
     491'520,
     4'915'200,
     15'360'000,
     4'587'520,
     30'720'000,
     360'000'000,
     2'489'568},
};

TEST(ModelSize, SaysHowManyNumbersItsPartsAre) {
  for (const Figures& known : figures) {
    const ModelSize& size = known.size;
    EXPECT_EQ(encoder_layer_weights(size), known.encoder_layers) << known.name;
    EXPECT_EQ(decoder_layer_weights(size), known.decoder_layers) << known.name;
    EXPECT_EQ(cross_weights(size), known.cross) << known.name;
    EXPECT_EQ(vocabulary_weights(size), known.vocabulary) << known.name;
    EXPECT_EQ(first_convolution_weights(size, known.mels), known.first_convolution) << known.name;
    EXPECT_EQ(second_convolution_weights(size), known.second_convolution) << known.name;
  }
}

TEST(ModelSize, SaysWhatItsWorkTakes) {
  for (const Figures& known : figures) {
    const ModelSize& size = known.size;
    EXPECT_EQ(keys_and_values(size, size.encoder_positions), known.window) << known.name;
    EXPECT_EQ(keys_and_values(size, size.decoder_positions), known.row) << known.name;
    EXPECT_EQ(encoder_activations(size), known.activations) << known.name;
    EXPECT_EQ(encoder_score_bytes(size), known.score_bytes) << known.name;
    EXPECT_EQ(row_choice_bytes(size), known.choice_bytes) << known.name;
  }
}

}  // namespace
}  // namespace platform
