#pragma once

#include "engine/cuda_kernels/portable.h"

// The tables by slot that a choice of tokens reads and writes, see DeviceChooser.
#ifdef __CUDACC_RTC__
namespace kernels_on_cards {
#else
namespace engine::cuda_kernels {
#endif

struct ChoiceColumns {
  // The columns of a row's integers.
  enum Number : int64 {
    token,
    position,
    last_timestamp,
    timestamp_from,
    text_count,
    pairing,  // this and the next two: what the table of pairings has
    text_from,
    timestamp_to,
    first_timestamp,  // this and what follows stays as it is; n_vocab: the rules do not apply
    noise_key,
    other_noise_key,
    ngram_size,
    n_numbers
  };
  // The columns of the rules that are no integers.
  enum Real : int64 { temperature, penalty, n_reals };
};

}  // namespace
