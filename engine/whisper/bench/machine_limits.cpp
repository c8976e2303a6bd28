#include "engine/whisper/bench/machine_limits.h"

#include <algorithm>
#include <fstream>
#include <stdexcept>
#include <vector>

#include "engine/kernels/aligned_vector.h"
#include "engine/kernels/attention/attention_buffer.h"
#include "engine/kernels/chosen_isa.h"
#include "engine/kernels/kernels.h"
#include "engine/kernels/thread_pool.h"
#include "engine/torch/device.h"
#include "engine/torch/linear.h"
#include "engine/whisper/bench/best_time.h"

namespace engine {
namespace {

constexpr std::size_t cache_line = 64;

// A weight [n, n] in zeros (256 KB as int8), and rows that meet it: they stay in each core's second
// cache.
constexpr int n = 512;
constexpr int rows = 48;

// Measures a kernel of our own. multiply(out) computes the rows' products once.
template <class Multiply>
double own_rate(int threads, double budget_s, const Multiply& multiply) {
  constexpr int rounds = 16;  // of a measurement, so that waking the pool does not count
  kernels::ThreadPool pool(threads);
  constexpr std::size_t outputs = std::size_t{rows} * n;
  kernels::AlignedVector<float> y(outputs * static_cast<std::size_t>(pool.size()));
  BestTime best(budget_s);
  while (best.wants_more()) {
    best.measure([&] {
      pool.run([&](int index) {
        float* out = y.data() + outputs * static_cast<std::size_t>(index);
        for (int round = 0; round < rounds; ++round) {
          multiply(kernels::Output{kernels::Store::float32, out, n});
        }
      });
    });
  }
  return 2.0 * rows * n * n * rounds * pool.size() / best.seconds();
}

double own_rate(ComputeType type, kernels::Isa isa, int threads, double budget_s) {
  const kernels::Kernels kernels = kernels::kernels_for(isa);
  const kernels::Panels panels{0, n / kernels::panel_width};
  const kernels::AlignedVector<float> zeros(std::size_t{n} * n);
  const kernels::AlignedVector<float> ones(n, 1);
  const kernels::AlignedVector<std::uint16_t> halves(std::size_t{n} * n);
  const kernels::AlignedVector<std::int8_t> signed_bytes(std::size_t{n} * n);
  const kernels::AlignedVector<std::uint8_t> bytes(std::size_t{rows} * n);
  switch (type) {
    case ComputeType::int8:
      return own_rate(threads, budget_s, [&](const kernels::Output& out) {
        kernels.gemm_int8({bytes.data(), ones.data(), zeros.data()}, rows,
                          {n, n, signed_bytes.data(), ones.data(), zeros.data(), zeros.data()},
                          panels, out);
      });
    case ComputeType::bfloat16:
      return own_rate(threads, budget_s, [&](const kernels::Output& out) {
        kernels.gemm_bfloat16({halves.data(), n}, rows, {n, n, halves.data(), zeros.data()}, panels,
                              out);
      });
    default:
      return own_rate(threads, budget_s, [&](const kernels::Output& out) {
        kernels.gemm_float32({zeros.data(), n}, rows, {n, n, zeros.data(), zeros.data()}, panels,
                             out);
      });
  }
}

double torch_rate(const Placement& placement, int n, double budget_s) {
  const int rounds = placement.on_cpu() ? 1 : 10;  // launching does not count
  const Linear linear(at::rand({n, n}, placement.options()), {}, placement, n);
  const at::Tensor x = at::rand({n, n}, placement.options());
  BestTime best(budget_s);
  while (best.wants_more()) {
    best.measure([&] {
      for (int round = 0; round < rounds; ++round) linear(x);
      wait_for_device(placement.device);
    });
  }
  return 2.0 * n * n * n * rounds / best.seconds();
}

// Takes the best of some sizes: which of them a library likes most cannot be known.
double matrix_rate(const Placement& placement, int threads, double budget_s) {
  const auto isa = kernels::isa_of_this_cpu();
  if (placement.on_cpu() && isa) return own_rate(placement.type, *isa, threads, budget_s);
  const std::vector<int> sizes =
      placement.on_cpu() ? std::vector{256, 512, 1024} : std::vector{2048, 4096, 8192};
  double best = 0;
  for (const int n : sizes) {
    best = std::max(best, torch_rate(placement, n, budget_s / static_cast<double>(sizes.size())));
  }
  return best;
}

// One word of each cache line is read, since memory hands over whole lines.
double cpu_read_rate(int threads, double budget_s) {
  const std::size_t wanted = 4 * static_cast<std::size_t>(cpu_cache_bytes());
  const kernels::AttentionBuffer buffer(
      std::clamp(wanted, std::size_t{128} << 20, std::size_t{1} << 30));
  const auto lines = static_cast<int>(buffer.bytes() / cache_line);
  kernels::ThreadPool pool(threads);
  std::vector<std::uint64_t> sums(static_cast<std::size_t>(pool.size()));
  BestTime best(budget_s);
  while (best.wants_more()) {
    best.measure([&] {
      pool.run([&](int index) {
        constexpr std::size_t step = cache_line / sizeof(std::uint64_t);
        const kernels::Span span = kernels::share(lines, index, pool.size());
        const auto* words = buffer.as<const std::uint64_t>();
        std::uint64_t sum = 0;
        for (int line = span.begin; line < span.end; ++line) {
          sum += words[static_cast<std::size_t>(line) * step];
        }
        sums[static_cast<std::size_t>(index)] += sum;
      });
    });
  }
  // This also keeps the compiler from leaving the reads out.
  if (std::ranges::any_of(sums, [](auto sum) { return sum != 0; })) {
    throw std::logic_error("memory that was zeroed is not zero");
  }
  return static_cast<double>(buffer.bytes()) / best.seconds();
}

double device_read_rate(const Placement& placement, double budget_s) {
  constexpr std::int64_t most_bytes = std::int64_t{2} << 30;
  const std::int64_t free = device_memory(placement.device).free_bytes;
  const std::int64_t count = (free > 0 ? std::min(most_bytes, free / 4) : most_bytes / 8) / 4;
  const at::Tensor numbers =
      at::zeros({count}, at::TensorOptions(placement.device).dtype(at::kFloat));
  BestTime best(budget_s);
  while (best.wants_more()) {
    best.measure([&] {
      numbers.sum();
      wait_for_device(placement.device);
    });
  }
  return static_cast<double>(count) * 4 / best.seconds();
}

}  // namespace

std::int64_t cpu_cache_bytes() {
  // Reads a text such as "32768K". The numbers of sysconf() count the caches of CPUs that a virtual
  // machine does not have.
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index3/size");
  std::int64_t kibibytes = 0;
  return file >> kibibytes ? 1024 * kibibytes : 0;
}

MachineLimits measure_limits(const Placement& placement, int threads, double budget_s) {
  return {matrix_rate(placement, threads, budget_s), placement.on_cpu()
                                                         ? cpu_read_rate(threads, budget_s)
                                                         : device_read_rate(placement, budget_s)};
}

}  // namespace engine
