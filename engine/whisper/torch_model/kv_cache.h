#pragma once

#include <ATen/ATen.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>

#include "engine/whisper/weights/dims.h"

namespace engine {

// The keys and values of the tokens so far, for the rows of one decode: its beams or its samples.
class KvCache {
 public:
  KvCache(const ModelDims& dims, int n_rows, const at::TensorOptions& options);
  // Takes no more memory than for this many positions, at most n_text_ctx.
  static KvCache of_length(ModelDims dims, std::size_t positions,
                           const at::TensorOptions& options) {
    dims.n_text_ctx = std::min(dims.n_text_ctx, static_cast<int>(positions));
    return {dims, 1, options};
  }
  // The memory is somebody else's: [n_layer, 2, n_rows, n_head, n_text_ctx, 64].
  explicit KvCache(at::Tensor rows);

  int length() const { return length_; }
  int n_rows() const { return n_rows_; }

  // Appends t positions in `layer`, to row 0 alone while the prompt is read ([1, n_head, t, 64]) or
  // to every row ([n_rows, n_head, t, 64]). Returns the layer's keys and values up to and with
  // them, [rows, n_head, length + t, 64], views.
  std::pair<at::Tensor, at::Tensor> append(int layer, const at::Tensor& key,
                                           const at::Tensor& value);
  // Makes the appended positions part of the length, once every layer has them.
  void advance(int t) { length_ += t; }

  // Gives every row the history of row 0.
  void spread_first_row();
  // Lets row i continue what row source_rows[i] had.
  void reorder(std::span<const int> source_rows);

 private:
  int n_rows_;
  int length_ = 0;
  // The caches are [n_layer, 2, n_rows, n_head, n_text_ctx, 64]. reorder copies from one to the
  // other, since a row may be the source of several.
  at::Tensor current_;
  at::Tensor other_;
};

}  // namespace engine
