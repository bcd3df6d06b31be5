# Build-wide settings: language, warnings, output folders, and options for fast builds (ccache, lld,
# light optimisation without debug information).

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
# libclmali-tidy.so is linked from the same static libraries as the programs.
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/lib)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
endif()
# -O1 compiles Clang's headers noticeably faster than -O2, and most run time is spent in libclang-cpp, which
# the distribution has optimised. Our assertions stay enabled.
set(CMAKE_CXX_FLAGS_RELEASE "-O1")
set(CMAKE_C_FLAGS_RELEASE "-O1")

# libstdc++ 12 uses its own deprecated helper inside std::stable_sort.
add_compile_options(-Wall -Wno-deprecated-declarations -Wextra -Wno-unused-parameter -fvisibility-inlines-hidden
                    -ffunction-sections -fdata-sections)
include_directories(${CMAKE_SOURCE_DIR})

# Parsing the headers of LLVM and Clang takes a third of the time of a build. The compiler cache then serves
# one build folder only (tools/build).
option(CLMALI_PRECOMPILE "Precompile the headers of LLVM and Clang" ON)
if(CLMALI_PRECOMPILE AND CMAKE_CXX_COMPILER_ID MATCHES Clang)
  add_compile_options("SHELL:-Xclang -fno-pch-timestamp") # or the compiler cache never hits
endif()

if(NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(CLMALI_CCACHE ccache)
  if(CLMALI_CCACHE)
    set(CMAKE_C_COMPILER_LAUNCHER ${CLMALI_CCACHE})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CLMALI_CCACHE})
  endif()
endif()

# For the portable archive (tools/package).
option(CLMALI_STATIC "Link LLVM, Clang and libstdc++ statically, and most programs into one file; no tests" OFF)
if(CLMALI_STATIC)
  set(CMAKE_INSTALL_LIBDIR lib CACHE STRING "No name of a machine: the archive is used where it is unpacked")
endif()

find_program(CLMALI_LLD NAMES ld.lld-19 ld.lld)
if(CLMALI_LLD)
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    add_link_options(--ld-path=${CLMALI_LLD})
  else()
    add_link_options(-fuse-ld=lld)
  endif()
endif()
