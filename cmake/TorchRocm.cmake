# Defines `torch_rocm`, with which a ROCm worker is linked besides `torch`, for a libtorch of the ROCm
# line given as Torch_DIR: it registers its kernels under libtorch's CUDA names. Of ROCm itself the
# headers of HIP are needed. Written against what libtorch and HIP publish; no such pack has been
# built yet, as no ROCm libtorch was to be had; scripts/check_rocm compiles the sources that it adds.

set(SCRIBED_ROCM_ROOT /opt/rocm CACHE PATH "Folder of ROCm, with include/hip")
find_torch_library(TORCH_LIBRARY torch)
find_torch_library(TORCH_HIP_LIBRARY torch_hip)
find_torch_library(C10_HIP_LIBRARY c10_hip)
find_library(HIP_LIBRARY amdhip64 PATHS ${torch_root}/lib ${SCRIBED_ROCM_ROOT}/lib NO_DEFAULT_PATH)
find_path(HIP_HEADERS hip/hip_runtime_api.h PATHS ${SCRIBED_ROCM_ROOT}/include)
if(NOT HIP_LIBRARY OR NOT HIP_HEADERS)
  message(FATAL_ERROR "HIP's headers or libamdhip64 were not found. "
                      "Pass -DSCRIBED_ROCM_ROOT=<folder of ROCm>")
endif()

file(STRINGS ${HIP_HEADERS}/hip/hip_version.h hip_version_lines
     REGEX "^#define HIP_VERSION_(MAJOR|MINOR) ")
string(REGEX MATCH "MAJOR ([0-9]+)" ignored "${hip_version_lines}")
set(torch_rocm_major ${CMAKE_MATCH_1})
string(REGEX MATCH "MINOR ([0-9]+)" ignored "${hip_version_lines}")
set(torch_rocm_minor ${CMAKE_MATCH_1})

add_library(torch_rocm INTERFACE)
# As for CUDA (TorchCuda.cmake): kernels are registered when the library is loaded, and nothing else
# in a worker would name it.
target_link_libraries(torch_rocm INTERFACE
  torch -Wl,--no-as-needed ${TORCH_LIBRARY} ${TORCH_HIP_LIBRARY} ${C10_HIP_LIBRARY}
  -Wl,--as-needed ${HIP_LIBRARY})
target_link_options(torch_rocm INTERFACE -Wl,--disable-new-dtags)
target_include_directories(torch_rocm SYSTEM INTERFACE ${HIP_HEADERS})
target_compile_definitions(torch_rocm INTERFACE __HIP_PLATFORM_AMD__=1 USE_ROCM=1)

# scribed_hipify(VARIABLE SOURCE…) sets VARIABLE to HIP translations of CUDA sources.
function(scribed_hipify variable)
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/hip)
  list(TRANSFORM ARGN PREPEND ${CMAKE_CURRENT_SOURCE_DIR}/ OUTPUT_VARIABLE sources)
  string(REPLACE cuda hip made "${ARGN}")
  list(TRANSFORM made PREPEND ${folder}/)
  add_custom_command(
    OUTPUT ${made}
    COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/hipify.py ${torch_root} ${folder}
            ${sources}
    DEPENDS ${sources} ${PROJECT_SOURCE_DIR}/cmake/hipify.py
    VERBATIM)
  set(${variable} ${made} PARENT_SCOPE)
endfunction()
