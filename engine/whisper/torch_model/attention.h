#pragma once

#include <ATen/ATen.h>

#include <optional>
#include <string>

#include "engine/error.h"
#include "engine/torch/linear.h"
#include "engine/whisper/weights/weights.h"

namespace engine {

// Heads that are narrower than head_dim in the file are filled up with zeros as layers are packed,
// so that all heads together are n_head·64 numbers wide: n_state, or more.

// Packs query, key and value of one attention block as a single projection [3·n_head·64, n_state].
// The query's rows carry the factor 1/√ of a head's width, for 64 a power of two, so that nothing
// is rounded by it.
Linear fused_qkv(const Weights& weights, const std::string& prefix, const Placement& placement,
                 std::int64_t rows);

// Packs the query projection of a cross-attention block, with the same factor.
Linear scaled_query(const Weights& weights, const std::string& prefix, const Placement& placement,
                    std::int64_t rows);

// Packs key and value of a cross-attention block as a single projection [2·n_head·64, n_state].
Linear fused_kv(const Weights& weights, const std::string& prefix, const Placement& placement,
                std::int64_t rows);

// Packs the projection [n_state, n_head·64] of an attention block's output.
Linear heads_out(const Weights& weights, const std::string& prefix, const Placement& placement,
                 std::int64_t rows);

// Returns the mask as scaled_dot_product_attention takes it; none if it is undefined.
std::optional<at::Tensor> optional_mask(const at::Tensor& mask);

// [n, t, n_head·64] → [n, n_head, t, 64], a view.
at::Tensor split_heads(const at::Tensor& x);
// [n, n_head, t, 64] → [n, t, n_head·64].
at::Tensor merge_heads(const at::Tensor& x);

}  // namespace engine
