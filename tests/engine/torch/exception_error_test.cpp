#include "engine/torch/exception_error.h"

#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <new>

namespace engine {
namespace {

template <class Thrown>
Error error_of(const Thrown& thrown) {
  try {
    throw thrown;
  } catch (...) {
    return error_of_current_exception("test");
  }
}

c10::Error libtorch_error(const std::string& text) {
  return c10::Error({__func__, __FILE__, __LINE__}, text);
}

// These are words of libtorch and the libraries below it; the whole text must arrive.
TEST(ExceptionError, ADevicesWordsArriveWhole) {
  for (const char* text :
       {"Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU",
        "CUDA error: no kernel image is available for execution on the device",
        "CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`",
        "cuDNN error: CUDNN_STATUS_NOT_INITIALIZED", "HIP error: invalid device function",
        "The MPS backend is supported on MacOS 14.0+."}) {
    const Error error = error_of(libtorch_error(text));
    EXPECT_EQ(error.code, Errc::device_unavailable) << text;
    EXPECT_EQ(error.message, text);
  }
}

TEST(ExceptionError, ADeviceWithoutMemorySaysHowMuchItHad) {
  for (const char* text : {"CUDA out of memory. Tried to allocate 20.00 MiB. GPU 0 has a total",
                           "HIP out of memory. Tried to allocate 2.00 GiB",
                           "MPS backend out of memory (MPS allocated: 1 GB, max allowed: 1 GB)",
                           "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling cublasCreate"}) {
    const Error error = error_of(libtorch_error(text));
    EXPECT_EQ(error.code, Errc::out_of_memory) << text;
    EXPECT_EQ(error.message, text);
  }
}

TEST(ExceptionError, MemoryOfTheMachineThatRanOutIsToldInOurWords) {
  const Error of_libtorch = error_of(libtorch_error("DefaultCPUAllocator: can't allocate memory"));
  const Error of_standard = error_of(std::bad_alloc());
  for (const Error& error : {of_libtorch, of_standard}) {
    EXPECT_EQ(error.code, Errc::out_of_memory);
    EXPECT_EQ(error.message, "memory ran out");
  }
}

TEST(ExceptionError, OtherFailuresAreInternalAndNameThePart) {
  EXPECT_EQ(error_of(libtorch_error("shapes differ")).message, "[test] shapes differ");
  EXPECT_EQ(error_of(std::runtime_error("odd")).code, Errc::internal);
  EXPECT_EQ(error_of(Exception({Errc::cancelled, "stopped", ""})).code, Errc::cancelled);
}

}  // namespace
}  // namespace engine
