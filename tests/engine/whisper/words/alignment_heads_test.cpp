#include "engine/whisper/words/alignment_heads.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace engine {
namespace {

using Heads = std::vector<std::pair<int, int>>;

ModelDims dims(int n_vocab, int n_mels, int n_audio_layer, int n_text_layer, int n_head) {
  ModelDims dims;
  dims.n_vocab = n_vocab;
  dims.n_mels = n_mels;
  dims.n_audio_layer = n_audio_layer;
  dims.n_text_layer = n_text_layer;
  dims.n_audio_head = n_head;
  dims.n_text_head = n_head;
  return dims;
}

struct HeadsCase {
  const char* model;
  ModelDims dims;
  std::size_t count;
  std::pair<int, int> first;
  std::pair<int, int> last;
  int sum;  // of 100 * layer + head
};

// Counts, ends and sums of openai-whisper 20250625.
TEST(AlignmentHeads, OfPublishedModelsAreThoseOpenAiChose) {
  const HeadsCase cases[] = {
      {"tiny.en", dims(51864, 80, 4, 4, 6), 8, {1, 0}, {3, 4}, 2015},
      {"tiny", dims(51865, 80, 4, 4, 6), 6, {2, 2}, {3, 5}, 1716},
      {"base.en", dims(51864, 80, 6, 6, 8), 5, {3, 3}, {5, 7}, 2223},
      {"base", dims(51865, 80, 6, 6, 8), 8, {3, 1}, {5, 6}, 3526},
      {"small.en", dims(51864, 80, 12, 12, 12), 19, {6, 6}, {11, 4}, 16982},
      {"small", dims(51865, 80, 12, 12, 12), 10, {5, 3}, {10, 5}, 7952},
      {"medium.en", dims(51864, 80, 24, 24, 16), 18, {11, 4}, {21, 12}, 30644},
      {"medium", dims(51865, 80, 24, 24, 16), 6, {13, 15}, {23, 4}, 10239},
      {"large-v2", dims(51865, 80, 32, 32, 20), 23, {10, 12}, {27, 15}, 46128},
      {"large-v3", dims(51866, 128, 32, 32, 20), 10, {7, 0}, {25, 6}, 16484},
      {"large-v3-turbo", dims(51866, 128, 32, 4, 20), 6, {2, 4}, {3, 14}, 1649},
  };
  for (const HeadsCase& c : cases) {
    const Heads heads = alignment_heads(c.dims);
    ASSERT_EQ(heads.size(), c.count) << c.model;
    EXPECT_EQ(heads.front(), c.first) << c.model;
    EXPECT_EQ(heads.back(), c.last) << c.model;
    EXPECT_TRUE(std::is_sorted(heads.begin(), heads.end())) << c.model;
    int sum = 0;
    for (const auto& [layer, head] : heads) {
      sum += 100 * layer + head;
      EXPECT_LT(layer, c.dims.n_text_layer) << c.model;
      EXPECT_LT(head, c.dims.n_text_head) << c.model;
    }
    EXPECT_EQ(sum, c.sum) << c.model;
  }
}

TEST(AlignmentHeads, OfOtherModelsAreTheUpperHalfOfTheDecoder) {
  EXPECT_EQ(alignment_heads(dims(51866, 128, 32, 2, 3)), (Heads{{1, 0}, {1, 1}, {1, 2}}));
  EXPECT_EQ(alignment_heads(dims(51864, 80, 4, 3, 2)), (Heads{{1, 0}, {1, 1}, {2, 0}, {2, 1}}));
  EXPECT_EQ(alignment_heads(dims(51864, 80, 4, 1, 1)), (Heads{{0, 0}}));
}

TEST(AlignmentHeads, EveryDimensionCounts) {
  // distil-small.en has the four decoder layers of tiny.en, but other heads.
  EXPECT_EQ(alignment_heads(dims(51864, 80, 12, 4, 12)).size(), 24U);
  EXPECT_EQ(alignment_heads(dims(51865, 128, 32, 4, 20)).size(), 40U);
  EXPECT_EQ(alignment_heads(dims(51866, 80, 32, 4, 20)).size(), 40U);
  EXPECT_EQ(alignment_heads(dims(51866, 128, 24, 4, 20)).size(), 40U);
  EXPECT_EQ(alignment_heads(dims(51866, 128, 32, 4, 16)).size(), 32U);
}

}  // namespace
}  // namespace engine
