// A library that only has to exist: a part of cuDNN, cuBLAS, rocBLAS. It behaves when it is loaded,
// under its own SONAME: {"cudnn": {"behaviour": {"libcudnn_ops.so.9": "abort"}}}.
#include "fake_world.h"

namespace {

const int loaded = fake::enter(FAKE_SECTION, FAKE_SONAME);

}  // namespace

extern "C" int fake_part_is_loaded() {
  return loaded;
}
