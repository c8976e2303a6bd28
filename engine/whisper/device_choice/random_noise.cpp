#include "engine/whisper/device_choice/random_noise.h"

namespace engine {
namespace {

constexpr std::int64_t low_bits = 0xffffffff;

// Does what `scramble` of noise_keys.h does, in place. The second factor is 0x846ca68b less 2^32,
// so that no product leaves 64 bits.
at::Tensor& scramble(at::Tensor& x) {
  x.bitwise_xor_(x.bitwise_right_shift(16)).mul_(0x7feb352d).bitwise_and_(low_bits);
  x.bitwise_xor_(x.bitwise_right_shift(15)).mul_(0x846ca68b - (std::int64_t{1} << 32));
  return x.bitwise_and_(low_bits).bitwise_xor_(x.bitwise_right_shift(16));
}

}  // namespace

at::Tensor gumbel_noise(const at::Tensor& keys, const at::Tensor& counters, std::int64_t columns) {
  at::Tensor of_row = (counters + keys[0]).bitwise_and_(low_bits);
  scramble(of_row).bitwise_xor_(keys[1]);
  at::Tensor of_column = at::arange(columns, counters.options());
  at::Tensor x = scramble(of_column).unsqueeze(0).bitwise_xor(of_row.unsqueeze(1));
  // The smallest numbers are exact, which are those of the rarest samples.
  at::Tensor uniform = scramble(x).to(at::kFloat).add_(0.5).mul_(1.0 / (std::int64_t{1} << 32));
  return uniform.neg_().log1p_().neg_().log_().neg_();
}

}  // namespace engine
