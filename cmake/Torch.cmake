# Defines libtorch as the imported target `torch`, and for CUDA packs `torch_cuda` on top of it. The
# targets are our own, because find_package(Torch) of a CUDA build asks for a whole toolkit, of
# which only libraries and headers are needed. A user's own Torch_DIR (…/share/cmake/Torch) or
# LIBTORCH wins over what scripts/setup fetched.

if(Torch_DIR)
  cmake_path(SET torch_root NORMALIZE "${Torch_DIR}/../../..")
elseif(DEFINED ENV{LIBTORCH})
  set(torch_root $ENV{LIBTORCH})
elseif(CMAKE_CROSSCOMPILING)
  set(torch_root ${PROJECT_SOURCE_DIR}/.deps/arm64-torch/torch)
else()
  set(torch_root ${PROJECT_SOURCE_DIR}/.deps/torch/torch)
endif()

function(find_torch_library variable name)
  find_library(${variable} ${name} PATHS ${torch_root}/lib NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
  if(NOT ${variable})
    message(FATAL_ERROR "lib${name} was not found in ${torch_root}. Run ./scripts/setup, or pass "
                        "-DTorch_DIR=<libtorch>/share/cmake/Torch")
  endif()
endfunction()

find_torch_library(TORCH_CPU_LIBRARY torch_cpu)
find_torch_library(C10_LIBRARY c10)
add_library(torch INTERFACE)
target_include_directories(torch SYSTEM INTERFACE ${torch_root}/include)
target_compile_definitions(torch INTERFACE _GLIBCXX_USE_CXX11_ABI=1)
# -rpath-link is needed because libtorch_cpu.so names NVIDIA's runtime libraries, which its own
# rpath finds.
target_link_libraries(torch INTERFACE ${TORCH_CPU_LIBRARY} ${C10_LIBRARY})
file(GLOB torch_nvidia_folders ${torch_root}/../nvidia/*)
target_link_options(torch INTERFACE -Wl,-rpath,${torch_root}/lib -Wl,--as-needed)
foreach(folder IN LISTS torch_nvidia_folders)
  target_link_options(torch INTERFACE -Wl,-rpath-link,${folder}/lib)
endforeach()

if(SCRIBED_CUDA)
  include(cmake/TorchCuda.cmake)
endif()
if(SCRIBED_ROCM)
  include(cmake/TorchRocm.cmake)
endif()
include(cmake/BuildInfo.cmake)
