# What the project's own programs (tests, examples, benchmarks) share. Nothing here touches `mpmd::mpmd`,
# so none of it reaches a consumer.

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  set(CMAKE_CXX_EXTENSIONS OFF)

  # Paths are made relative to the checkout, so that several checkouts share one cache.
  find_program(MPMD_CCACHE ccache)
  if(MPMD_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER
        env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1 "${MPMD_CCACHE}")
  endif()
endif()

add_library(mpmd_warnings INTERFACE)
target_compile_options(mpmd_warnings INTERFACE -Wall -Wextra -Wconversion -Wshadow -Wpedantic)
if(MPMD_WARNINGS_AS_ERRORS)
  target_compile_options(mpmd_warnings INTERFACE -Werror)
endif()

# mpmd_add_program(NAME SOURCE...): an executable with the library and the warnings.
function(mpmd_add_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE mpmd::mpmd mpmd_warnings)
endfunction()

# Readers and printers, compiled once for all programs that link this (see include/mpmd/text/separate.hpp).
# It is the library in use like any example, and compiled with the same options.
set(MPMD_EXAMPLE_OPTIONS "" CACHE STRING "Further compile options of the examples and the tool")
add_library(mpmd_separate_text STATIC EXCLUDE_FROM_ALL
            "${PROJECT_SOURCE_DIR}/examples/separate_text/mlir.cpp"
            "${PROJECT_SOURCE_DIR}/examples/separate_text/python.cpp")
target_compile_definitions(mpmd_separate_text PUBLIC MPMD_SEPARATE_TEXT)
target_link_libraries(mpmd_separate_text PUBLIC mpmd::mpmd PRIVATE mpmd_warnings)
target_compile_options(mpmd_separate_text PRIVATE ${MPMD_EXAMPLE_OPTIONS})
