// A libcudnn.so.9, the front library, which reports its version and checks of its parts.
#include <cstddef>

#include "fake_world.h"

extern "C" {

std::size_t cudnnGetVersion() {
  fake::enter("cudnn", "cudnnGetVersion");
  return fake::section("cudnn").value("version", std::size_t{91900});
}

int cudnnGraphVersionCheck() {
  return fake::enter("cudnn", "cudnnGraphVersionCheck");
}

int cudnnOpsVersionCheck() {
  return fake::enter("cudnn", "cudnnOpsVersionCheck");
}

int cudnnCnnVersionCheck() {
  return fake::enter("cudnn", "cudnnCnnVersionCheck");
}

int cudnnAdvVersionCheck() {
  return fake::enter("cudnn", "cudnnAdvVersionCheck");
}

const char* cudnnGetErrorString(int code) {
  return code == 1002 ? "CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH" : "CUDNN_STATUS_INTERNAL_ERROR";
}

}  // extern "C"
