#pragma once

#include <ATen/ATen.h>

#include <string>

#include "engine/error.h"
#include "engine/torch/linear.h"
#include "engine/whisper/weights/weights.h"

namespace engine {

// Packs query, key and value of one attention block as a single projection [3·n_state, n_state].
// The query's rows carry the factor 1/√head_dim, a power of two, so that nothing is rounded by it.
Linear fused_qkv(const Weights& weights, const std::string& prefix, const Placement& placement,
                 std::int64_t rows);

// Packs the query projection of a cross-attention block, with the same factor.
Linear scaled_query(const Weights& weights, const std::string& prefix, const Placement& placement,
                    std::int64_t rows);

// Packs key and value of a cross-attention block as a single projection [2·n_state, n_state].
Linear fused_kv(const Weights& weights, const std::string& prefix, const Placement& placement,
                std::int64_t rows);

// [n, t, n_head·64] → [n, n_head, t, 64], a view.
at::Tensor split_heads(const at::Tensor& x);
// [n, n_head, t, 64] → [n, t, n_head·64].
at::Tensor merge_heads(const at::Tensor& x);

}  // namespace engine
