#pragma once

#include "engine/kernels/gemm/gemm.h"

namespace engine::kernels {

// Calls function.operator()<store>(): from a value to the code that was compiled for it.
template <class Function>
void with_store(Store store, Function function) {
  switch (store) {
    case Store::float32:
      return function.template operator()<Store::float32>();
    case Store::add:
      return function.template operator()<Store::add>();
    case Store::gelu:
      return function.template operator()<Store::gelu>();
    case Store::exact_gelu:
      return function.template operator()<Store::exact_gelu>();
    case Store::bfloat16:
      return function.template operator()<Store::bfloat16>();
    case Store::gelu_bfloat16:
      return function.template operator()<Store::gelu_bfloat16>();
  }
}

}  // namespace engine::kernels
