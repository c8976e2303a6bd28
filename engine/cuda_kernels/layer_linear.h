#pragma once

#include "engine/cuda_kernels/portable.h"

// One launch for what surrounds a product with a weight: y = epilogue(LN(x)·Wᵀ + b). A weight in
// int8 has a scale for each row, by which the sums are multiplied.
#ifdef __CUDACC_RTC__
namespace kernels_on_cards {
#else
namespace engine::cuda_kernels {
#endif

// An epilogue is done to a product's sums, which are rounded to the type before.
enum class Epilogue {
  store,   // out = y
  append,  // the first third is out, the others are appended to keys and values
  gelu,    // out = 0.5·y·(1 + erf(y / √2))
  add,     // out += y
  logits,  // out = y in float32
};

template <class T>
struct LinearArguments {
  const T* x;       // [rows rounded up to 16, k]; what is in rows beyond `rows` has no effect
  const T* weight;  // [n, k], or null: it is in int8
  const signed char* int8_weight;  // [n, k], or null
  const T* scales;                 // [n], of the int8 weight's rows
  const T* bias;                   // [n], or null
  const T* norm_weight;            // [k], or null: no layer norm (eps 1e-5)
  const T* norm_bias;              // [k]
  T* out;                          // [rows, n], with append [rows, n / 3]
  float* logits;                   // [rows, n]
  T* keys;                         // [slots, heads, positions, 64], as the two strides say
  T* values;
  const int64* slots;      // [rows]
  const int64* positions;  // [rows]
  int64 slot_stride;
  int64 head_stride;
  int rows;
  int n;  // at least 16; a multiple of 48 with append, of 16 with add
  int k;  // a multiple of 16
};

// Rows of the normed tile are apart by so many numbers, so that they do not share banks.
constexpr int tile_padding = 8;

// The bytes of shared memory of a block: the sums of each warp, and the normed rows, of numbers of
// so many bytes.
KERNEL_BODY constexpr int linear_shared_bytes(int k, bool has_norm, int number_bytes) {
  const int sums = warps_of_a_block * tile * tile * static_cast<int>(sizeof(float));
  return sums + (has_norm ? tile * (k + tile_padding) * number_bytes : 0);
}

// Hands every sixteenth number of a row to use(i, number). Some are on their way from memory at
// once.
template <class T, class Use>
KERNEL_BODY void each_number(const T* row, int k, int first, Use use) {
  constexpr int under_way = 8;
  T numbers[under_way];
  int i = first;
  for (; i + (under_way - 1) * tile < k; i += under_way * tile) {
    for (int n = 0; n < under_way; ++n) numbers[n] = row[i + n * tile];
    for (int n = 0; n < under_way; ++n) use(i + n * tile, numbers[n]);
  }
  for (; i < k; i += tile) use(i, row[i]);
}

// Sixteen threads share a row: mean, then mean square of the differences, as at::layer_norm. The
// row is read once, into the memory of the result, where each thread finds its own numbers again.
// The memory of the sums holds partial ones meanwhile.
template <class T>
KERNEL_BODY void norm_rows(const LinearArguments<T>& a, const Block& block, float* partial,
                           T* normed) {
  float* const mean = partial + threads_of_a_block;
  float* const scale = mean + tile;
  const int first = block.y() * tile;
  const auto sum_of_row = [&](int row) {
    float sum = 0;
    for (int i = 0; i < tile; ++i) sum += partial[row * tile + i];
    return sum;
  };
  block.each_thread([&](int thread) {
    const int row = thread / tile;
    T* const own = normed + row * (a.k + tile_padding);
    float sum = 0;
    if (first + row < a.rows) {
      const T* const x = a.x + static_cast<int64>(first + row) * a.k;
      each_number(x, a.k, thread % tile, [&](int i, T number) {
        own[i] = number;
        sum += Number<T>::to_float(number);
      });
    }
    partial[thread] = sum;
  });
  block.each_thread([&](int thread) {
    if (thread < tile) mean[thread] = sum_of_row(thread) / static_cast<float>(a.k);
  });
  block.each_thread([&](int thread) {
    const int row = thread / tile;
    const T* const own = normed + row * (a.k + tile_padding);
    float sum = 0;
    if (first + row < a.rows) {
      for (int i = thread % tile; i < a.k; i += tile) {
        const float difference = Number<T>::to_float(own[i]) - mean[row];
        sum += difference * difference;
      }
    }
    partial[thread] = sum;
  });
  block.each_thread([&](int thread) {
    if (thread >= tile) return;
    scale[thread] = inverse_root(sum_of_row(thread) / static_cast<float>(a.k) + 1e-5f);
  });
  block.each_thread([&](int thread) {
    const int row = thread / tile;
    T* const own = normed + row * (a.k + tile_padding);
    if (first + row >= a.rows) {
      for (int i = thread % tile; i < a.k; i += tile) own[i] = Number<T>::rounded(0.0f);
      return;
    }
    for (int i = thread % tile; i < a.k; i += tile) {
      const float y = (Number<T>::to_float(own[i]) - mean[row]) * scale[row];
      own[i] = Number<T>::rounded(y * Number<T>::to_float(a.norm_weight[i]) +
                                  Number<T>::to_float(a.norm_bias[i]));
    }
  });
}

template <class T, Epilogue epilogue>
KERNEL_BODY void finish(const LinearArguments<T>& a, int row, int column, float sum) {
  if (a.scales != nullptr) sum *= Number<T>::to_float(a.scales[column]);
  if (a.bias != nullptr) sum += Number<T>::to_float(a.bias[column]);
  const T rounded = Number<T>::rounded(sum);
  const float y = Number<T>::to_float(rounded);
  const int64 place = static_cast<int64>(row) * a.n + column;
  if constexpr (epilogue == Epilogue::store) {
    a.out[place] = rounded;
  } else if constexpr (epilogue == Epilogue::gelu) {
    a.out[place] = Number<T>::rounded(0.5f * y * (1 + error_function(y * 0.70710678f)));
  } else if constexpr (epilogue == Epilogue::add) {
    a.out[place] = Number<T>::rounded(Number<T>::to_float(a.out[place]) + y);
  } else if constexpr (epilogue == Epilogue::logits) {
    a.logits[place] = y;
  } else {
    const int width = a.n / 3;
    const int within = column % width;
    if (column < width) {
      a.out[static_cast<int64>(row) * width + within] = rounded;
      return;
    }
    T* const store = column < 2 * width ? a.keys : a.values;
    store[a.slots[row] * a.slot_stride + within / 64 * a.head_stride + a.positions[row] * 64 +
          within % 64] = rounded;
  }
}

// Hands a warp's tiles of sixteen rows of a weight to add(tile, column): every eighth one. A tile
// takes longer to come than to be multiplied, so some are on their way at once.
template <class Tile, class Stored, class Add>
KERNEL_BODY void each_piece(const Stored* weight, int k, int warp, Add add) {
  constexpr int under_way = 4;
  constexpr int step = warps_of_a_block * tile;
  Tile tiles[under_way];
  int i = warp * tile;
  for (; i + (under_way - 1) * step < k; i += under_way * step) {
    for (int piece = 0; piece < under_way; ++piece) tiles[piece].load(weight + i + piece * step, k);
    for (int piece = 0; piece < under_way; ++piece) add(tiles[piece], i + piece * step);
  }
  for (; i < k; i += step) {
    tiles[0].load(weight + i, k);
    add(tiles[0], i);
  }
}

// Adds up a warp's pieces of the sums of one tile. An int8 weight is widened a tile at a time,
// where the sums go afterwards.
template <class T>
KERNEL_BODY void add_pieces(const LinearArguments<T>& a, int warp, const T* left, int stride,
                            int first_column, float* sums) {
  const int64 place = static_cast<int64>(first_column) * a.k;
  TileProduct<T> product;
  if (a.int8_weight != nullptr) {
    T* const widened = reinterpret_cast<T*>(sums);
    each_piece<Int8Tile>(a.int8_weight + place, a.k, warp, [&](const Int8Tile& piece, int i) {
      piece.widen(widened);
      WeightTile<T> numbers;
      numbers.load(widened, tile);
      product.add(left + i, stride, numbers);
    });
  } else {
    each_piece<WeightTile<T>>(a.weight + place, a.k, warp, [&](const WeightTile<T>& piece, int i) {
      product.add(left + i, stride, piece);
    });
  }
  warp_barrier();  // the last tile has been read
  product.store(sums);
}

// A block makes 16 columns of 16 rows; the sums of its warps are added in the order of the warps.
template <class T, Epilogue epilogue>
KERNEL_BODY void layer_linear(const LinearArguments<T>& a, const Block& block, void* shared) {
  constexpr int numbers_of_a_tile = tile * tile;
  float* const sums = static_cast<float*>(shared);
  T* const normed = reinterpret_cast<T*>(sums + warps_of_a_block * numbers_of_a_tile);
  const bool has_norm = a.norm_weight != nullptr;
  if (has_norm) norm_rows(a, block, sums, normed);
  const int first_row = block.y() * tile;
  // The last columns of a width that is no multiple of 16 are made twice.
  const int first_column = smaller(block.x() * tile, a.n - tile);
  const T* const left = has_norm ? normed : a.x + static_cast<int64>(first_row) * a.k;
  const int stride = has_norm ? a.k + tile_padding : a.k;
  block.each_warp([&](int warp) {
    add_pieces(a, warp, left, stride, first_column, sums + warp * numbers_of_a_tile);
  });
  block.each_thread([&](int thread) {
    const int row = first_row + thread / tile;
    if (row >= a.rows) return;
    float sum = 0;
    for (int warp = 0; warp < warps_of_a_block; ++warp) {
      sum += sums[warp * numbers_of_a_tile + thread];
    }
    finish<T, epilogue>(a, row, first_column + thread % tile, sum);
  });
}

}  // namespace
