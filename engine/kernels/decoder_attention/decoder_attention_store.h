#pragma once

#include <cstddef>

#include "engine/kernels/attention/attention_buffer.h"
#include "engine/kernels/decoder_attention/decoder_attention_kernel.h"
#include "engine/kernels/decoder_attention/decoder_attention_write.h"

namespace engine::kernels {

// Stores the keys and values of all layers that one row of a decoder attends to: those of a window
// of the encoder, written once, or those of the tokens so far, written as they come. Base with 1500
// positions takes 38 MB as float32, 18 MB as bfloat16, 9.8 MB as int8.
class KvStore {
 public:
  // Throws std::bad_alloc.
  KvStore(KvFormat format, int n_layer, int n_head, int capacity);

  KvFormat format() const { return format_; }
  int n_head() const { return n_head_; }
  int capacity() const { return capacity_; }

  // Writes the positions [first, first + count) of one head. Heads may be written at once by
  // several threads.
  void write(int layer, int head, int first, int count, const KvRows& keys, const KvRows& values);

  // Takes over the first `count` positions of one head of a store of the same shape, as beams do
  // that continue another one's text.
  void copy(const KvStore& from, int layer, int head, int count);

  HeadKv head(int layer, int head) const;

 private:
  struct Part {
    std::byte* keys;
    std::byte* values;
    float* key_scale;
    float* value_scale;
  };
  Part part(int layer, int head) const;

  KvFormat format_;
  int n_head_;
  int capacity_;
  std::size_t packed_bytes_;  // of a head's keys, or of its values
  std::size_t scale_bytes_;
  AttentionBuffer buffer_;
};

}  // namespace engine::kernels
