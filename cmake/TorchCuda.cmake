# Defines `torch_cuda`, with which a CUDA worker is linked besides `torch`. NVIDIA's libraries and
# headers are those that scripts/setup --cuda fetched, or of the folder that scripts/build_cuda --from
# names; neither a GPU, a driver nor nvcc is needed.

set(SCRIBED_NVIDIA_ROOT ${PROJECT_SOURCE_DIR}/.deps/cuda/nvidia CACHE PATH
    "Folder of NVIDIA's Python packages (cu13, cudnn, …)")
find_torch_library(TORCH_LIBRARY torch)
find_torch_library(TORCH_CUDA_LIBRARY torch_cuda)
find_torch_library(C10_CUDA_LIBRARY c10_cuda)

file(GLOB nvidia_folders ${SCRIBED_NVIDIA_ROOT}/*)
set(cuda_folders ${nvidia_folders} ${torch_nvidia_folders})
# CUDA 13's packages share a folder; those of CUDA 12 have one each.
find_path(CUDA_CRT_HEADERS crt/host_config.h PATHS ${cuda_folders} PATH_SUFFIXES include
          NO_DEFAULT_PATH)
find_file(CUDART_LIBRARY NAMES libcudart.so.13 libcudart.so.12 PATHS ${cuda_folders}
          PATH_SUFFIXES lib NO_DEFAULT_PATH)
if(NOT CUDA_CRT_HEADERS OR NOT CUDART_LIBRARY)
  message(FATAL_ERROR "NVIDIA's packages were not found in ${SCRIBED_NVIDIA_ROOT}. "
                      "Run ./scripts/setup --cuda, or pass -DSCRIBED_NVIDIA_ROOT=<folder>")
endif()

add_library(torch_cuda INTERFACE)
# --no-as-needed is set because libtorch_cuda.so registers its kernels when it is loaded, and
# nothing else in a worker would name it. --disable-new-dtags is set because this rpath must also
# serve the libraries that libtorch_cuda.so needs, and come before LD_LIBRARY_PATH, where another
# cuDNN may lie.
target_link_libraries(torch_cuda INTERFACE
  torch -Wl,--no-as-needed ${TORCH_LIBRARY} ${TORCH_CUDA_LIBRARY} ${C10_CUDA_LIBRARY}
  -Wl,--as-needed ${CUDART_LIBRARY})
target_link_options(torch_cuda INTERFACE -Wl,--disable-new-dtags)
foreach(folder IN LISTS cuda_folders)
  target_include_directories(torch_cuda SYSTEM INTERFACE ${folder}/include)
  target_link_options(torch_cuda INTERFACE -Wl,-rpath,${folder}/lib)
endforeach()

# Our own kernels are compiled for the compute capabilities that libtorch has kernels for.
find_file(NVRTC_LIBRARY NAMES libnvrtc.so.13 libnvrtc.so.12 PATHS ${cuda_folders}
          PATH_SUFFIXES lib NO_DEFAULT_PATH REQUIRED)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
execute_process(
  COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/kernel_architectures.py --machine-code
          ${TORCH_CUDA_LIBRARY}
  OUTPUT_VARIABLE torch_cuda_architectures OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)

# header_number(VARIABLE NAME FILE) sets VARIABLE to the number that a header defines NAME as.
function(header_number variable name)
  find_file(header ${ARGN} PATHS ${cuda_folders} PATH_SUFFIXES include NO_DEFAULT_PATH NO_CACHE
            REQUIRED)
  file(STRINGS ${header} line REGEX "^#define +${name} +[0-9]+")
  string(REGEX MATCH "[0-9]+$" number "${line}")
  set(${variable} ${number} PARENT_SCOPE)
endfunction()

header_number(cuda_number CUDA_VERSION cuda.h)  # 13000 is 13.0
math(EXPR torch_cuda_major "${cuda_number} / 1000")
math(EXPR torch_cuda_minor "${cuda_number} % 1000 / 10")
foreach(part MAJOR MINOR PATCHLEVEL)
  header_number(cudnn_${part} CUDNN_${part} cudnn_version.h)
endforeach()
