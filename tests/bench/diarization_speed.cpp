// How fast a CPU tells speakers apart: the two networks over a recording, and the clustering of ten
// hours of made-up voices. Prints a line of JSON:
//   diarization_speed MODEL_FOLDER SOUND.wav [THREADS] [float32|bfloat16|int8]
// The sound is 16 kHz, mono, in 16 bits. THREADS (2) work on windows and pieces; one clusters. But
// for "times_real_time" all is time of the CPU, which other programs disturb less.
#include <ATen/Parallel.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <iterator>
#include <random>
#include <string_view>
#include <vector>

#include "engine/speakers/networks/load_speaker_networks.h"
#include "engine/speakers/speaker_analysis.h"
#include "engine/speakers/turns.h"
#include "engine/speakers/unit_vector.h"

namespace {

using namespace engine;

double now_s() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double cpu_s() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

// Measures how long each of the networks takes.
class TimedNetworks : public SpeakerNetworks {
 public:
  explicit TimedNetworks(std::shared_ptr<const SpeakerNetworks> networks)
      : networks_(std::move(networks)) {}

  std::vector<Voices> segment(std::span<const float> windows) const override {
    const double begin = cpu_s();
    auto voices = networks_->segment(windows);
    segmentation_s += cpu_s() - begin;
    return voices;
  }
  std::vector<float> embed(std::span<const float> pieces) const override {
    const double begin = cpu_s();
    auto embeddings = networks_->embed(pieces);
    embedding_s += cpu_s() - begin;
    return embeddings;
  }

  mutable double segmentation_s = 0;
  mutable double embedding_s = 0;

 private:
  std::shared_ptr<const SpeakerNetworks> networks_;
};

// The samples begin after a header of 44 bytes, as most programs write it.
std::vector<float> read_sound(const char* path) {
  std::ifstream file(path, std::ios::binary);
  std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  std::vector<float> sound;
  for (std::size_t i = 44; i + 1 < bytes.size(); i += 2) {
    const auto low = static_cast<unsigned char>(bytes[i]);
    sound.push_back(static_cast<float>(low + 256 * bytes[i + 1]) / 32768);
  }
  return sound;
}

// Makes pieces of eight voices that take turns of ten seconds. Two pieces of a voice have a cosine
// of 1 / (1 + variation).
std::vector<float> made_up_voices(int pieces, double variation) {
  std::mt19937 random(1);
  std::normal_distribution<double> normal(0, 1 / std::sqrt(embedding_size));
  std::vector<float> voices(8 * embedding_size);
  for (float& x : voices) x = static_cast<float>(normal(random));
  std::vector<float> made;
  for (int i = 0; i < pieces; ++i) {
    const float* voice = voices.data() + i / 16 % 8 * embedding_size;
    for (int j = 0; j < embedding_size; ++j) {
      made.push_back(voice[j] + static_cast<float>(std::sqrt(variation) * normal(random)));
    }
  }
  return made;
}

double clustering_s(double variation) {
  constexpr int ten_hours = 48'000;
  const std::vector<float> pieces = made_up_voices(ten_hours, variation);
  const double begin = cpu_s();
  cluster_speakers(pieces, embedding_size);
  return cpu_s() - begin;
}

ComputeType type_of(std::string_view text) {
  for (const ComputeType type : {ComputeType::bfloat16, ComputeType::int8}) {
    if (text == name(type)) return type;
  }
  return ComputeType::float32;
}

int measure(const char* folder, const char* path, int threads, ComputeType type) {
  at::set_num_threads(threads);
  auto networks = load_speaker_networks(folder, {}, type);
  if (!networks) {
    std::fprintf(stderr, "%s\n", networks.error().message.c_str());
    return 1;
  }
  const std::vector<float> sound = read_sound(path);
  const auto timed = std::make_shared<TimedNetworks>(*std::move(networks));
  timed->embed(std::vector<float>(std::size_t{8} * piece_samples, 0.1F));  // warms up
  timed->segment(std::vector<float>(std::size_t{8} * speaker_window, 0.1F));
  timed->segmentation_s = timed->embedding_s = 0;
  const double begin = now_s();
  const double cpu_begin = cpu_s();
  SpeakerAnalysis analysis(timed);
  analysis.push(sound);
  analysis.finish();
  const Turns turns = find_turns(analysis.evidence());
  const double whole_s = now_s() - begin;
  const double whole_cpu_s = cpu_s() - cpu_begin;
  const double sound_s = static_cast<double>(sound.size()) / sample_rate_hz;
  const auto windows = static_cast<double>(analysis.evidence().windows.size());
  const auto pieces = static_cast<double>(analysis.evidence().pieces.size());
  std::printf(
      "{\"threads\": %d, \"type\": \"%s\", \"times_real_time\": %.1f, "
      "\"times_real_time_per_core\": %.1f, \"sound_s\": %.1f, \"windows\": %.0f, "
      "\"pieces\": %.0f, \"window_ms\": %.2f, \"piece_ms\": %.2f, \"turns\": %zu, "
      "\"cluster_10_h_s\": %.2f, \"cluster_10_h_varied_s\": %.2f}\n",
      threads, name(type), sound_s / whole_s, sound_s / whole_cpu_s, sound_s, windows, pieces,
      1000 * timed->segmentation_s / windows, 1000 * timed->embedding_s / pieces, turns.all.size(),
      clustering_s(0.6), clustering_s(1.2));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const int threads = argc > 3 ? std::atoi(argv[3]) : 2;
  if (argc < 3 || threads < 1) {
    std::fprintf(stderr, "diarization_speed MODEL_FOLDER SOUND.wav [THREADS] [TYPE]\n");
    return 2;
  }
  return measure(argv[1], argv[2], threads, type_of(argc > 4 ? argv[4] : "float32"));
}
