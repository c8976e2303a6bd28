#pragma once

namespace engine::kernels {

constexpr float log2_e = 1.44269504F;

}  // namespace engine::kernels
