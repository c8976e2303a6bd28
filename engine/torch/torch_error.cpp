#include "engine/torch/torch_error.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "engine/exception_error.h"

namespace engine {
namespace {

// A device's words are handed on whole: which driver, library or card is at fault
// is read from them.
Error out_of_device_memory(std::string message) {
  return {Errc::out_of_memory, std::move(message),
          "Use a smaller model or a smaller --beam-size, or end what else uses the card."};
}

Error device_unavailable(std::string message) {
  return {Errc::device_unavailable, std::move(message), "Run scribed doctor, or use --device cpu."};
}

enum class Fault { of_the_program, of_the_device, of_the_devices_memory, of_the_machines_memory };

// CUDA's runtime and HIP's use the same numbers for these. A call that was made wrongly, or during
// the recording of a graph, leaves the device as it was, so its worker can serve other jobs; after
// every other code the process is done with the card.
Fault fault_of(std::int32_t code) {
  constexpr std::int32_t memory_allocation = 2;
  constexpr std::array wrong_calls{1, 9};  // invalid value, invalid configuration of a launch
  constexpr std::int32_t first_of_capture = 900;
  constexpr std::int32_t last_of_capture = 908;
  if (code == memory_allocation) return Fault::of_the_devices_memory;
  const bool capture = code >= first_of_capture && code <= last_of_capture;
  const bool wrong_call = std::ranges::find(wrong_calls, code) != wrong_calls.end();
  return capture || wrong_call ? Fault::of_the_program : Fault::of_the_device;
}

// Libraries below libtorch (cuBLAS, cuDNN, MIOpen, Metal) and its own allocator on a CPU are
// checked by macros that throw a plain c10::Error. A message of such a macro is known by its first
// words; the same words further on may stand in any message about tensors of two devices.
struct CheckedLibrary {
  std::string_view first_words;
  Fault fault;
};
constexpr std::array checked_libraries{
    CheckedLibrary{"CUDA error: CUBLAS_STATUS_ALLOC_FAILED", Fault::of_the_devices_memory},
    CheckedLibrary{"CUDA error: HIPBLAS_STATUS_ALLOC_FAILED", Fault::of_the_devices_memory},
    CheckedLibrary{"HIP error: HIPBLAS_STATUS_ALLOC_FAILED", Fault::of_the_devices_memory},
    CheckedLibrary{"MPS backend out of memory", Fault::of_the_devices_memory},
    // cuDNN had memory for none of its ways. The run that tries a device has shown that it has one.
    CheckedLibrary{"GET was unable to find an engine", Fault::of_the_devices_memory},
    CheckedLibrary{"FIND was unable to find an engine", Fault::of_the_devices_memory},
    CheckedLibrary{"Unable to find a valid cuDNN algorithm", Fault::of_the_devices_memory},
    CheckedLibrary{"CUDA error: ", Fault::of_the_device},
    CheckedLibrary{"CUDA driver error: ", Fault::of_the_device},
    CheckedLibrary{"HIP error: ", Fault::of_the_device},
    CheckedLibrary{"cuDNN error: ", Fault::of_the_device},
    CheckedLibrary{"cuDNN Frontend error: ", Fault::of_the_device},
    CheckedLibrary{"MIOpen error: ", Fault::of_the_device},
    CheckedLibrary{"miopen error: ", Fault::of_the_device},
    CheckedLibrary{"Cannot initialize CUDA without ", Fault::of_the_device},
    CheckedLibrary{"Cannot initialize HIP without ", Fault::of_the_device},
    CheckedLibrary{"Found no NVIDIA driver", Fault::of_the_device},
    CheckedLibrary{"The NVIDIA driver on your system is too old", Fault::of_the_device},
    CheckedLibrary{"No CUDA GPUs are available", Fault::of_the_device},
    CheckedLibrary{"No HIP GPUs are available", Fault::of_the_device},
    CheckedLibrary{"The MPS backend is supported on", Fault::of_the_device},
    CheckedLibrary{"DefaultCPUAllocator: ", Fault::of_the_machines_memory}};

Fault fault_of(std::string_view message) {
  const auto found = std::ranges::find_if(checked_libraries, [&](const CheckedLibrary& library) {
    return message.starts_with(library.first_words);
  });
  return found == checked_libraries.end() ? Fault::of_the_program : found->fault;
}

Fault fault_of(const c10::Error& error) {
  // Only allocators of devices throw this type.
  if (dynamic_cast<const c10::OutOfMemoryError*>(&error)) return Fault::of_the_devices_memory;
  if (const auto* of_device = dynamic_cast<const c10::AcceleratorError*>(&error)) {
    return fault_of(of_device->get_error_code());
  }
  return fault_of(std::string_view(error.msg()));
}

Error of_libtorch(const c10::Error& error, const char* where) {
  // what() would print a backtrace.
  const std::string what = error.what_without_backtrace();
  switch (fault_of(error)) {
    case Fault::of_the_device:
      return device_unavailable(what);
    case Fault::of_the_devices_memory:
      return out_of_device_memory(what);
    case Fault::of_the_machines_memory:
      return memory_ran_out();
    case Fault::of_the_program:
      break;
  }
  return unforeseen(where, what);
}

}  // namespace

Error error_of_torch_exception(const char* where) {
  try {
    throw;
  } catch (const c10::Error& error) {
    return of_libtorch(error, where);
  } catch (...) {
    return error_of_current_exception(where);
  }
}

}  // namespace engine
