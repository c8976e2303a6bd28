#pragma once

// The kernels' bodies are written on these names. NVRTC compiles them for cards, and a C++ compiler
// for the CPU, where a block's threads take their turns: the same source, so that its arithmetic
// and its indices are tested where no card is. A body consists of phases, each run by all threads
// or all warps of a block before the next begins; what lives from one phase to the next is in
// shared memory.

#ifdef __CUDACC_RTC__
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <mma.h>
#define KERNEL_BODY __device__ __forceinline__
namespace kernels_on_cards {
using int64 = long long;
#else
#include <c10/util/BFloat16.h>
#include <c10/util/Half.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#define KERNEL_BODY inline
namespace engine::cuda_kernels {
using int64 = std::int64_t;
#endif

constexpr int threads_of_a_block = 256;
constexpr int warps_of_a_block = 8;
constexpr int tile = 16;  // rows and columns of a product's tile

#ifdef __CUDACC_RTC__

template <class T>
struct Number;
template <>
struct Number<__half> {
  static KERNEL_BODY float to_float(__half x) { return __half2float(x); }
  static KERNEL_BODY __half rounded(float x) { return __float2half_rn(x); }
};
#if __CUDA_ARCH__ >= 800
template <>
struct Number<__nv_bfloat16> {
  static KERNEL_BODY float to_float(__nv_bfloat16 x) { return __bfloat162float(x); }
  static KERNEL_BODY __nv_bfloat16 rounded(float x) { return __float2bfloat16_rn(x); }
};
#endif

// The scale of a number in int8 is left to whoever reads it, as it is that of a whole row.
template <>
struct Number<signed char> {
  static KERNEL_BODY float to_float(signed char x) { return static_cast<float>(x); }
};

// A block of the grid that is running.
struct Block {
  KERNEL_BODY int x() const { return blockIdx.x; }
  KERNEL_BODY int y() const { return blockIdx.y; }
  KERNEL_BODY int z() const { return blockIdx.z; }
  template <class Phase>
  KERNEL_BODY void each_thread(Phase phase) const {
    phase(static_cast<int>(threadIdx.x));
    __syncthreads();
  }
  template <class Phase>
  KERNEL_BODY void each_warp(Phase phase) const {
    phase(static_cast<int>(threadIdx.x) / 32);
    __syncthreads();
  }
  // Returns, to all threads, whether `count` blocks have come here with this counter. What the
  // others wrote before is visible then, and the counter is 0 again. `flag` is in shared memory.
  KERNEL_BODY bool is_last_of(int* counter, int count, int* flag) const {
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
      *flag = atomicAdd(counter, 1) == count - 1;
      if (*flag) *counter = 0;
    }
    __syncthreads();
    __threadfence();
    return *flag != 0;
  }
};

// Threads of a warp wait for each other: what they have written is seen behind it.
KERNEL_BODY void warp_barrier() {
  __syncwarp();
}

// A tile of a weight, whose rows are `stride` apart, on its way from memory: between load() and its
// use others can be asked for.
template <class T>
class WeightTile {
 public:
  KERNEL_BODY void load(const T* weight, int stride) {
    nvcuda::wmma::load_matrix_sync(numbers_, weight, stride);
  }

 private:
  template <class>
  friend class TileProduct;
  nvcuda::wmma::fragment<nvcuda::wmma::matrix_b, 16, 16, 16, T, nvcuda::wmma::col_major> numbers_;
};

// A tile of an int8 weight on its way; stride and address are multiples of 8.
class Int8Tile {
 public:
  KERNEL_BODY void load(const signed char* weight, int stride) {
    eight_ = *reinterpret_cast<const int2*>(weight + row() * stride + column());
  }
  // Writes the tile as numbers whose rows are 16 apart. All threads of a warp call it, and may read
  // the tile behind it.
  template <class T>
  KERNEL_BODY void widen(T* out) const {
    warp_barrier();  // the tile before has been read
    const signed char* const number = reinterpret_cast<const signed char*>(&eight_);
    for (int i = 0; i < 8; ++i) {
      out[row() * tile + column() + i] = Number<T>::rounded(static_cast<float>(number[i]));
    }
    warp_barrier();
  }

 private:
  // A thread of a warp has eight numbers of a row.
  KERNEL_BODY static int row() { return static_cast<int>(threadIdx.x) % 32 / 2; }
  KERNEL_BODY static int column() { return static_cast<int>(threadIdx.x) % 2 * 8; }

  int2 eight_;
};

// Multiplies tiles of a warp: sums += a·bᵀ, where a's rows are `a_stride` apart.
template <class T>
class TileProduct {
 public:
  KERNEL_BODY TileProduct() { nvcuda::wmma::fill_fragment(sums_, 0.0f); }
  KERNEL_BODY void add(const T* a, int a_stride, const WeightTile<T>& b) {
    nvcuda::wmma::fragment<nvcuda::wmma::matrix_a, 16, 16, 16, T, nvcuda::wmma::row_major> left;
    nvcuda::wmma::load_matrix_sync(left, a, a_stride);
    nvcuda::wmma::mma_sync(sums_, left, b.numbers_, sums_);
  }
  KERNEL_BODY void store(float* out) const {
    nvcuda::wmma::store_matrix_sync(out, sums_, tile, nvcuda::wmma::mem_row_major);
  }

 private:
  nvcuda::wmma::fragment<nvcuda::wmma::accumulator, 16, 16, 16, float> sums_;
};

// Reads numbers that lie side by side, aligned to the bytes of all of them, at once.
template <int count, class Stored>
KERNEL_BODY void read_numbers(const Stored* from, float* to) {
  struct alignas(count * sizeof(Stored)) Words {
    Stored numbers[count];
  };
  const Words words = *reinterpret_cast<const Words*>(from);
  for (int i = 0; i < count; ++i) to[i] = Number<Stored>::to_float(words.numbers[i]);
}

KERNEL_BODY float exponential(float x) {
  return expf(x);
}
KERNEL_BODY float logarithm(float x) {
  return logf(x);
}
KERNEL_BODY float logarithm_of_one_and(float x) {
  return log1pf(x);
}
KERNEL_BODY float error_function(float x) {
  return erff(x);
}
KERNEL_BODY float inverse_root(float x) {
  return rsqrtf(x);
}
KERNEL_BODY float larger(float a, float b) {
  return fmaxf(a, b);
}
KERNEL_BODY int smaller(int a, int b) {
  return min(a, b);
}
KERNEL_BODY float minus_infinity() {
  return __int_as_float(0xff800000);
}

#else

template <class T>
struct Number {
  static float to_float(T x) { return static_cast<float>(x); }
  static T rounded(float x) { return static_cast<T>(x); }
};

// A block whose threads are run one after the other.
class Block {
 public:
  Block(int x, int y, int z) : x_(x), y_(y), z_(z) {}
  int x() const { return x_; }
  int y() const { return y_; }
  int z() const { return z_; }
  template <class Phase>
  void each_thread(Phase phase) const {
    for (int thread = 0; thread < threads_of_a_block; ++thread) phase(thread);
  }
  template <class Phase>
  void each_warp(Phase phase) const {
    for (int warp = 0; warp < warps_of_a_block; ++warp) phase(warp);
  }
  bool is_last_of(int* counter, int count, int* flag) const {
    *flag = ++*counter == count;
    if (*flag) *counter = 0;
    return *flag != 0;
  }

 private:
  int x_;
  int y_;
  int z_;
};

KERNEL_BODY void warp_barrier() {}

template <class T>
class WeightTile {
 public:
  void load(const T* weight, int stride) {
    weight_ = weight;
    stride_ = stride;
  }
  float at(int row, int column) const {
    return Number<T>::to_float(weight_[row * stride_ + column]);
  }

 private:
  const T* weight_ = nullptr;
  int stride_ = 0;
};

class Int8Tile {
 public:
  void load(const signed char* weight, int stride) {
    weight_ = weight;
    stride_ = stride;
  }
  template <class T>
  void widen(T* out) const {
    for (int row = 0; row < tile; ++row) {
      for (int i = 0; i < tile; ++i) {
        out[row * tile + i] = Number<T>::rounded(weight_[row * stride_ + i]);
      }
    }
  }

 private:
  const signed char* weight_ = nullptr;
  int stride_ = 0;
};

template <class T>
class TileProduct {
 public:
  void add(const T* a, int a_stride, const WeightTile<T>& b) {
    float columns[tile][tile];  // of b, so that the innermost loop runs over neighbours
    for (int column = 0; column < tile; ++column) {
      for (int i = 0; i < tile; ++i) columns[i][column] = b.at(column, i);
    }
    for (int row = 0; row < tile; ++row) {
      for (int i = 0; i < tile; ++i) {
        const float factor = Number<T>::to_float(a[row * a_stride + i]);
        for (int column = 0; column < tile; ++column) {
          sums_[row * tile + column] += factor * columns[i][column];
        }
      }
    }
  }
  void store(float* out) const { std::copy_n(sums_, tile * tile, out); }

 private:
  float sums_[tile * tile] = {};
};

template <int count, class Stored>
KERNEL_BODY void read_numbers(const Stored* from, float* to) {
  for (int i = 0; i < count; ++i) to[i] = Number<Stored>::to_float(from[i]);
}

KERNEL_BODY float exponential(float x) {
  return std::exp(x);
}
KERNEL_BODY float logarithm(float x) {
  return std::log(x);
}
KERNEL_BODY float logarithm_of_one_and(float x) {
  return std::log1p(x);
}
KERNEL_BODY float error_function(float x) {
  return std::erf(x);
}
KERNEL_BODY float inverse_root(float x) {
  return 1 / std::sqrt(x);
}
KERNEL_BODY float larger(float a, float b) {
  return std::max(a, b);
}
KERNEL_BODY int smaller(int a, int b) {
  return std::min(a, b);
}
KERNEL_BODY float minus_infinity() {
  return -std::numeric_limits<float>::infinity();
}

#endif

}  // namespace
