#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/kernels/decoder_attention/decoder_attention_store.h"

namespace engine::cpu {

// The keys and values of the tokens so far, of each row of a decode.
using Histories = std::vector<std::shared_ptr<kernels::KvStore>>;

// A history that becomes the copy of another one.
struct HistoryCopy {
  const kernels::KvStore* from = nullptr;
  kernels::KvStore* to = nullptr;
};

struct ReorderedHistories {
  Histories rows{};
  std::vector<HistoryCopy> copies{};  // to be made before the rows are used; in any order
};

// Gives row i the history of row sources[i]. Only a history that several rows continue is copied,
// into those that no row continues. So a decode never holds more histories than it has rows.
//   sources  as many as there are histories
ReorderedHistories reordered(const Histories& before, std::span<const int> sources);

}  // namespace engine::cpu
