# Two interface targets for the distribution's LLVM and Clang. Always the shared libraries: static
# libclang*.a in addition to libclang-cpp would duplicate every registry.

separate_arguments(CLMALI_LLVM_DEFINITIONS UNIX_COMMAND "${LLVM_DEFINITIONS}")

add_library(clmali_llvm INTERFACE)
add_library(clmali::llvm ALIAS clmali_llvm)
target_include_directories(clmali_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(clmali_llvm INTERFACE ${CLMALI_LLVM_DEFINITIONS})
target_link_libraries(clmali_llvm INTERFACE LLVM)

add_library(clmali_clang INTERFACE)
add_library(clmali::clang ALIAS clmali_clang)
target_include_directories(clmali_clang SYSTEM INTERFACE ${CLANG_INCLUDE_DIRS})
target_link_libraries(clmali_clang INTERFACE clang-cpp clmali::llvm)

# The folder with Clang's own headers (opencl-c-base.h), which cannot be found relative to our programs.
set(CLMALI_RESOURCE_DIR "${LLVM_LIBRARY_DIR}/clang/19" CACHE PATH
    "Clang's resource directory, used by the frontend")
include(GNUInstallDirs)
target_compile_definitions(clmali_clang INTERFACE CLMALI_RESOURCE_DIR="${CLMALI_RESOURCE_DIR}")
