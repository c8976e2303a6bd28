# Writes build-info.json beside a worker: what its runtime pack was built with. `scribed` reads it
# to say whether the pack fits a machine, without loading anything of the pack.

set(torch_version_header ${torch_root}/include/torch/headeronly/version.h)
if(NOT EXISTS ${torch_version_header})
  set(torch_version_header ${torch_root}/include/torch/csrc/api/include/torch/version.h)
endif()
file(READ ${torch_version_header} torch_version_text)
string(REGEX MATCH "TORCH_VERSION [\\ \n]*\"([0-9.]+)" ignored "${torch_version_text}")
set(torch_version ${CMAKE_MATCH_1})

# scribed_build_info(PACK FILE): PACK is cpu, cuda or rocm.
function(scribed_build_info pack file)
  if(pack STREQUAL "rocm")
    # Which chips it has kernels for stands in the matrix.
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    execute_process(
      COMMAND ${Python3_EXECUTABLE} docker/rocm_build_info ${torch_rocm_major}.${torch_rocm_minor}
      WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_FILE ${file} COMMAND_ERROR_IS_FATAL ANY)
    return()
  endif()
  if(pack STREQUAL "cuda")
    # The query for this list is a Python binding of torch's, so it is read from the library itself.
    find_package(Python3 REQUIRED COMPONENTS Interpreter)
    execute_process(
      COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/cmake/kernel_architectures.py
              ${TORCH_CUDA_LIBRARY}
      OUTPUT_VARIABLE architectures OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
    set(fields "\"variant\": \"cu${torch_cuda_major}${torch_cuda_minor}\",
  \"backend\": \"cuda\",
  \"cuda\": \"${torch_cuda_major}.${torch_cuda_minor}\",
  \"cudnn\": \"${cudnn_MAJOR}.${cudnn_MINOR}.${cudnn_PATCHLEVEL}\",
  ${architectures},
  \"gfx_list\": [],
  \"rocm\": \"\",
  \"origin\": \"pytorch\"")
  else()
    set(fields "\"variant\": \"cpu\",
  \"backend\": \"cpu\"")
  endif()
  file(WRITE ${file} "{
  \"torch\": \"${torch_version}\",
  ${fields}
}
")
endfunction()
