#pragma once

#include <memory>

#include "engine/cuda_kernels/twin_kernels.h"

namespace engine {

// The twins, for tests that change what one of them does.
class ForwardingKernels : public StepKernels {
 public:
  void linear(const FusedLinear& call) override { twins_->linear(call); }
  void attention(const FusedAttention& call) override { twins_->attention(call); }
  void embed(const FusedEmbedding& call) override { twins_->embed(call); }
  void choice_pieces(const FusedChoice& call) override { twins_->choice_pieces(call); }
  void choice_join(const FusedChoice& call) override { twins_->choice_join(call); }
  void move_beams(const FusedMove& call) override { twins_->move_beams(call); }

 private:
  std::unique_ptr<StepKernels> twins_ = make_twin_kernels();
};

// Kernels that only count their launches.
class CountedKernels : public StepKernels {
 public:
  explicit CountedKernels(int& count) : count_(count) {}
  void linear(const FusedLinear&) override { ++count_; }
  void attention(const FusedAttention&) override { ++count_; }
  void embed(const FusedEmbedding&) override { ++count_; }
  void choice_pieces(const FusedChoice&) override { ++count_; }
  void choice_join(const FusedChoice&) override { ++count_; }
  void move_beams(const FusedMove&) override { ++count_; }

 private:
  int& count_;
};

}  // namespace engine
