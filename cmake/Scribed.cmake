# Every target of ours shares these settings: language level, warnings as errors, sanitizers.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)

# Sources for one architecture have this in their names, or that of its vectors.
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(SCRIBED_ARCHITECTURE arm)
else()
  set(SCRIBED_ARCHITECTURE x86)
endif()
# And sources for one system have that in their names.
if(APPLE)
  set(SCRIBED_SYSTEM macos)
else()
  set(SCRIBED_SYSTEM linux)
endif()

find_program(CCACHE ccache)
if(CCACHE)
  # A precompiled header is only safe to cache when its use is declared.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${CCACHE})
endif()

# The more sources in one, the less often what they share is instantiated; GCC takes 2 GB for these.
set(CMAKE_UNITY_BUILD_BATCH_SIZE 24)

add_library(scribed_options INTERFACE)
target_include_directories(scribed_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(scribed_options INTERFACE -Wall -Wextra -Wpedantic -Werror)
# Libraries of ours are in programs and in libscribed-torch.so, and share precompiled headers.
target_compile_options(scribed_options INTERFACE -fPIC)
if(SCRIBED_ARCHITECTURE STREQUAL "arm")
  # There `char` has no sign; what compares bytes of UTF-8 with it was written where it has one.
  target_compile_options(scribed_options INTERFACE -fsigned-char)
endif()
if(SCRIBED_SANITIZE STREQUAL "address")
  # A null pointer ends the program with ASan's report anyway; alignment and vptr would double the
  # size of the objects.
  set(sanitizers -fsanitize=address,undefined -fno-sanitize=null,alignment,vptr
                 -fno-sanitize-recover=undefined -fno-omit-frame-pointer)
elseif(SCRIBED_SANITIZE STREQUAL "thread")
  set(sanitizers -fsanitize=thread)
elseif(NOT SCRIBED_SANITIZE STREQUAL "")
  message(FATAL_ERROR "SCRIBED_SANITIZE is '${SCRIBED_SANITIZE}'; it can be address or thread")
endif()
if(SCRIBED_FUZZ)
  list(APPEND sanitizers -fsanitize=fuzzer-no-link)
endif()
target_compile_options(scribed_options INTERFACE ${sanitizers})
target_link_options(scribed_options INTERFACE ${sanitizers})
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # Nobody replaces a function of ours in libscribed-torch.so, so that it may be inlined.
  target_compile_options(scribed_options INTERFACE -fno-semantic-interposition)
  # GCC 12 reports these inside its own and Boost's headers at -O2, where there is no fault.
  target_compile_options(scribed_options INTERFACE -Wno-restrict -Wno-maybe-uninitialized
                         -Wno-dangling-pointer -Wno-stringop-overflow)
  if(SCRIBED_UNITY)
    # It takes what a source keeps to itself for a header's.
    target_compile_options(scribed_options INTERFACE -Wno-subobject-linkage)
  endif()
  if(SCRIBED_SANITIZE STREQUAL "thread")
    target_compile_options(scribed_options INTERFACE -Wno-tsan)
  endif()
endif()

# scribed_library(NAME SOURCES … HEADERS … DEPENDS …) adds a static library whose dependencies are
# public. HEADERS are those that other folders include. With -DCMAKE_VERIFY_INTERFACE_HEADER_SETS=ON
# the target all_verify_interface_header_sets compiles each of them alone.
function(scribed_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;HEADERS;DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  target_sources(${name} PUBLIC FILE_SET HEADERS BASE_DIRS ${PROJECT_SOURCE_DIR}
                 FILES ${ARG_HEADERS})
  target_link_libraries(${name} PUBLIC scribed_options ${ARG_DEPENDS})
  set_target_properties(${name} PROPERTIES UNITY_BUILD ${SCRIBED_UNITY})
endfunction()

# scribed_plain_loops(SOURCE …): loops that GCC turns into vectors (engine/kernels/each_level.h), which it does best at
# -O2, and with the same results at all levels.
function(scribed_plain_loops)
  set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "-O2;-ffp-contract=off")
endfunction()

# scribed_program(NAME SOURCES … DEPENDS …) adds an executable in <build>/bin.
function(scribed_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE scribed_options ${ARG_DEPENDS})
endfunction()

# scribed_test(NAME SOURCES … DEPENDS … [PCH TARGET] [SEPARATE …] [WHOLE]): GoogleTest cases, one
# ctest entry each, with the precompiled header of TARGET or else that of all tests. SEPARATE are
# sources that share names with others, so that each is compiled by itself. WHOLE: one entry for all
# cases, which share something that takes long to start.
function(scribed_test name)
  cmake_parse_arguments(ARG "WHOLE" "PCH" "SOURCES;DEPENDS;SEPARATE" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE scribed_options ${ARG_DEPENDS} GTest::gtest_main)
  target_compile_definitions(${name} PRIVATE SCRIBED_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/tests
                        UNITY_BUILD ${SCRIBED_UNITY})
  set_source_files_properties(${ARG_SEPARATE} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  if(NOT ARG_PCH)
    set(ARG_PCH tests_pch)
  endif()
  target_precompile_headers(${name} REUSE_FROM ${ARG_PCH})
  if(CMAKE_BUILD_TYPE STREQUAL "RelWithDebInfo")
    # What they test is optimised; they themselves take half of the time to build if they are not.
    target_compile_options(${name} PRIVATE -Og)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC 12 reports these falsely in <string>, but not with a precompiled header.
    target_compile_options(${name} PRIVATE -Wno-array-bounds)
  endif()
  # By the label `ctest -L` runs the cases of a program, and no others that an earlier build left.
  if(ARG_WHOLE)
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES LABELS ${name} SKIP_REGULAR_EXPRESSION "[[]  SKIPPED []]")
    return()
  endif()
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST PROPERTIES LABELS ${name})
endfunction()

# scribed_fuzzer(NAME SOURCES … DEPENDS …) adds a libFuzzer program in <build>/fuzz. The target
# `fuzzers` builds all of them.
if(SCRIBED_FUZZ)
  add_custom_target(fuzzers)
endif()
function(scribed_fuzzer name)
  if(NOT SCRIBED_FUZZ)
    return()
  endif()
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE scribed_options ${ARG_DEPENDS} -fsanitize=fuzzer)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/fuzz)
  add_dependencies(fuzzers ${name})
endfunction()
