#include "engine/whisper/words/alignment_heads.h"

#include <array>
#include <span>

#include "engine/whisper/constants.h"

namespace engine {
namespace {

using Head = std::pair<int, int>;

constexpr auto tiny_en =
    std::to_array<Head>({{1, 0}, {2, 0}, {2, 5}, {3, 0}, {3, 1}, {3, 2}, {3, 3}, {3, 4}});
constexpr auto tiny = std::to_array<Head>({{2, 2}, {3, 0}, {3, 2}, {3, 3}, {3, 4}, {3, 5}});
constexpr auto base_en = std::to_array<Head>({{3, 3}, {4, 7}, {5, 1}, {5, 5}, {5, 7}});
constexpr auto base =
    std::to_array<Head>({{3, 1}, {4, 2}, {4, 3}, {4, 7}, {5, 1}, {5, 2}, {5, 4}, {5, 6}});
constexpr auto small_en = std::to_array<Head>({{6, 6},
                                               {7, 0},
                                               {7, 3},
                                               {7, 8},
                                               {8, 2},
                                               {8, 5},
                                               {8, 7},
                                               {9, 0},
                                               {9, 4},
                                               {9, 8},
                                               {9, 10},
                                               {10, 0},
                                               {10, 1},
                                               {10, 2},
                                               {10, 3},
                                               {10, 6},
                                               {10, 11},
                                               {11, 2},
                                               {11, 4}});
constexpr auto small = std::to_array<Head>(
    {{5, 3}, {5, 9}, {8, 0}, {8, 4}, {8, 7}, {8, 8}, {9, 0}, {9, 7}, {9, 9}, {10, 5}});
constexpr auto medium_en = std::to_array<Head>({{11, 4},
                                                {14, 1},
                                                {14, 12},
                                                {14, 14},
                                                {15, 4},
                                                {16, 0},
                                                {16, 4},
                                                {16, 9},
                                                {17, 12},
                                                {17, 14},
                                                {18, 7},
                                                {18, 10},
                                                {18, 15},
                                                {20, 0},
                                                {20, 3},
                                                {20, 9},
                                                {20, 14},
                                                {21, 12}});
constexpr auto medium =
    std::to_array<Head>({{13, 15}, {15, 4}, {15, 15}, {16, 1}, {20, 0}, {23, 4}});
constexpr auto large_v2 = std::to_array<Head>(
    {{10, 12}, {13, 17}, {16, 11}, {16, 12}, {16, 13}, {17, 15}, {17, 16}, {18, 4},
     {18, 11}, {18, 19}, {19, 11}, {21, 2},  {21, 3},  {22, 3},  {22, 9},  {22, 12},
     {23, 5},  {23, 7},  {23, 13}, {25, 5},  {26, 1},  {26, 12}, {27, 15}});
constexpr auto large_v3 = std::to_array<Head>(
    {{7, 0}, {10, 17}, {12, 18}, {13, 12}, {16, 1}, {17, 14}, {19, 11}, {21, 4}, {24, 1}, {25, 6}});
constexpr auto large_v3_turbo =
    std::to_array<Head>({{2, 4}, {2, 11}, {3, 3}, {3, 6}, {3, 11}, {3, 14}});

// The part of the dimensions that tells the published models apart, distilled ones included.
struct KnownModel {
  int n_vocab;
  int n_mels;
  int n_audio_layer;
  int n_text_layer;
  int n_text_head;
  std::span<const Head> heads;
};

constexpr auto known_models = std::to_array<KnownModel>({
    {english_vocabulary, 80, 4, 4, 6, tiny_en},
    {multilingual_vocabulary, 80, 4, 4, 6, tiny},
    {english_vocabulary, 80, 6, 6, 8, base_en},
    {multilingual_vocabulary, 80, 6, 6, 8, base},
    {english_vocabulary, 80, 12, 12, 12, small_en},
    {multilingual_vocabulary, 80, 12, 12, 12, small},
    {english_vocabulary, 80, 24, 24, 16, medium_en},
    {multilingual_vocabulary, 80, 24, 24, 16, medium},
    {multilingual_vocabulary, 80, 32, 32, 20, large_v2},
    {cantonese_vocabulary, 128, 32, 32, 20, large_v3},
    {cantonese_vocabulary, 128, 32, 4, 20, large_v3_turbo},
});

}  // namespace

std::vector<std::pair<int, int>> alignment_heads(const ModelDims& dims) {
  for (const KnownModel& known : known_models) {
    if (dims.n_vocab == known.n_vocab && dims.n_mels == known.n_mels &&
        dims.n_audio_layer == known.n_audio_layer && dims.n_text_layer == known.n_text_layer &&
        dims.n_text_head == known.n_text_head) {
      return {known.heads.begin(), known.heads.end()};
    }
  }
  std::vector<std::pair<int, int>> upper_half;
  for (int layer = dims.n_text_layer / 2; layer < dims.n_text_layer; ++layer) {
    for (int head = 0; head < dims.n_text_head; ++head) upper_half.emplace_back(layer, head);
  }
  return upper_half;
}

}  // namespace engine
