#include "engine/torch/torch_error.h"

#include <c10/util/Exception.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>

namespace engine {
namespace {

template <class Thrown>
Error error_of(const Thrown& thrown) {
  try {
    throw thrown;
  } catch (...) {
    return error_of_torch_exception("test");
  }
}

c10::Error libtorch_error(const std::string& text) {
  return c10::Error({__func__, __FILE__, __LINE__}, text);
}

c10::AcceleratorError device_error(std::int32_t code, const std::string& text) {
  return {{__func__, __FILE__, __LINE__}, code, text};
}

TEST(TorchError, ADevicesCodeDecidesAndItsWordsArriveWhole) {
  // 35 driver too old, 100 no device, 209 no kernel image, 214 uncorrectable ECC error, 700 illegal
  // address, 719 launch failure, 999 unknown.
  for (const std::int32_t code : {35, 100, 209, 214, 700, 719, 999}) {
    const Error error = error_of(device_error(code, "words of a driver that may change"));
    EXPECT_EQ(error.code, Errc::device_unavailable) << code;
    EXPECT_EQ(error.message, "words of a driver that may change");
  }
}

// The next job may do well in the same process.
TEST(TorchError, ACallThatWasMadeWronglyIsNoFaultOfTheDevice) {
  // 1 invalid value, 9 invalid configuration, 900 to 908 calls while a graph is recorded.
  for (const std::int32_t code : {1, 9, 900, 906, 908}) {
    const Error error = error_of(device_error(code, "CUDA error: invalid argument"));
    EXPECT_EQ(error.code, Errc::internal) << code;
    EXPECT_EQ(error.message, "[test] CUDA error: invalid argument");
  }
}

// The libraries below libtorch have no type of their own: their checks begin with these words.
TEST(TorchError, ALibrarysWordsArriveWhole) {
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

TEST(TorchError, ADevicesNameWithinAMessageMeansNothing) {
  for (const char* text :
       {"Could not run 'aten::conv1d' with arguments from the 'CUDA' backend.",
        "Expected a tensor on the device of cuDNN, but CUDA error: was in its name",
        "Expected all tensors to be on the same device, NVIDIA or HIP"}) {
    EXPECT_EQ(error_of(libtorch_error(text)).code, Errc::internal) << text;
  }
  EXPECT_EQ(error_of(libtorch_error("the tokens ran out of memory of words")).code, Errc::internal);
}

TEST(TorchError, ADeviceWithoutMemorySaysHowMuchItHad) {
  const std::string words = "Tried to allocate 20.00 MiB. GPU 0 has a total capacity of 2 GiB";
  const c10::OutOfMemoryError of_allocator({__func__, __FILE__, __LINE__}, words);
  const c10::AcceleratorError of_runtime = device_error(2, words);
  for (const Error& error : {error_of(of_allocator), error_of(of_runtime)}) {
    EXPECT_EQ(error.code, Errc::out_of_memory);
    EXPECT_EQ(error.message, words);
  }
  for (const char* text : {"MPS backend out of memory (MPS allocated: 1 GB, max allowed: 1 GB)",
                           "GET was unable to find an engine to execute this computation",
                           "CUDA error: CUBLAS_STATUS_ALLOC_FAILED when calling cublasCreate"}) {
    const Error error = error_of(libtorch_error(text));
    EXPECT_EQ(error.code, Errc::out_of_memory) << text;
    EXPECT_EQ(error.message, text);
  }
}

TEST(TorchError, MemoryOfTheMachineThatRanOutIsToldInOurWords) {
  const Error of_libtorch = error_of(libtorch_error("DefaultCPUAllocator: can't allocate memory"));
  const Error of_standard = error_of(std::bad_alloc());
  for (const Error& error : {of_libtorch, of_standard}) {
    EXPECT_EQ(error.code, Errc::out_of_memory);
    EXPECT_EQ(error.message, "memory ran out");
  }
}

TEST(TorchError, OtherFailuresAreInternalAndNameThePart) {
  EXPECT_EQ(error_of(libtorch_error("shapes differ")).message, "[test] shapes differ");
  EXPECT_EQ(error_of(std::runtime_error("odd")).code, Errc::internal);
  EXPECT_EQ(error_of(Exception({Errc::cancelled, "stopped", ""})).code, Errc::cancelled);
}

}  // namespace
}  // namespace engine
