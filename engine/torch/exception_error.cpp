#include "engine/torch/exception_error.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <array>
#include <new>
#include <string>
#include <string_view>

namespace engine {
namespace {

Error out_of_memory(std::string message) {
  return {Errc::out_of_memory, std::move(message),
          "Use a smaller model, a smaller --beam-size or --compute-type bfloat16."};
}

Error out_of_device_memory(std::string message) {
  return {Errc::out_of_memory, std::move(message),
          "Use a smaller model or a smaller --beam-size, or end what else uses the card."};
}

Error internal(const char* where, const std::string& what) {
  return {Errc::internal, std::string("[") + where + "] " + what, ""};
}

bool has_any(const std::string& text, const auto& words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text.find(word) != std::string::npos; });
}

// Only CUDA's own calls have an exception type; their mathematical libraries fail with a text.
bool is_of_device(const c10::Error& error, const std::string& what) {
  static constexpr std::array<std::string_view, 8> words{
      "CUDA", "CUBLAS_STATUS", "cuDNN", "CUDNN_STATUS", "NVIDIA", "HIP", "MIOpen", "MPS"};
  return dynamic_cast<const c10::AcceleratorError*>(&error) != nullptr || has_any(what, words);
}

bool is_out_of_memory(const c10::Error& error, const std::string& what) {
  static constexpr std::array<std::string_view, 3> words{"can't allocate memory", "out of memory",
                                                         "CUBLAS_STATUS_ALLOC_FAILED"};
  return dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr || has_any(what, words);
}

// A device's words are handed on whole: which driver, library or card is at fault is read from
// them.
Error of_libtorch(const c10::Error& error, const char* where) {
  // what() would print a backtrace.
  const std::string what = error.what_without_backtrace();
  const bool device = is_of_device(error, what);
  if (is_out_of_memory(error, what)) {
    return device ? out_of_device_memory(what) : out_of_memory("memory ran out");
  }
  if (!device) return internal(where, what);
  return {Errc::device_unavailable, what, "Run scribed doctor, or use --device cpu."};
}

}  // namespace

Error error_of_current_exception(const char* where) {
  try {
    throw;
  } catch (const Exception& exception) {
    return exception.error;
  } catch (const std::bad_alloc&) {
    return out_of_memory("memory ran out");
  } catch (const c10::Error& error) {
    return of_libtorch(error, where);
  } catch (const std::exception& error) {
    return internal(where, error.what());
  }
}

}  // namespace engine
