# Two interface targets for the distribution's LLVM and Clang: its shared libraries or, for the portable archive, its
# static ones. Never both: static libclang*.a in addition to libclang-cpp would duplicate every registry.

separate_arguments(CLMALI_LLVM_DEFINITIONS UNIX_COMMAND "${LLVM_DEFINITIONS}")

# The targets that LLVM and Clang export are linked with the shared libraries, so the archives are given as files. The
# linker (lld) takes from them what is needed, in whatever order they come.
function(clmali_archives Var)
  set(All)
  foreach(Pattern ${ARGN})
    file(GLOB Archives ${LLVM_LIBRARY_DIR}/${Pattern})
    list(APPEND All ${Archives})
  endforeach()
  if(NOT All)
    message(FATAL_ERROR "no static libraries ${ARGN} in ${LLVM_LIBRARY_DIR}: install llvm-19-dev and libclang-19-dev")
  endif()
  set(${Var} ${All} PARENT_SCOPE)
endfunction()

add_library(clmali_llvm INTERFACE)
add_library(clmali::llvm ALIAS clmali_llvm)
target_include_directories(clmali_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
target_compile_definitions(clmali_llvm INTERFACE ${CLMALI_LLVM_DEFINITIONS})

add_library(clmali_clang INTERFACE)
add_library(clmali::clang ALIAS clmali_clang)
target_include_directories(clmali_clang SYSTEM INTERFACE ${CLANG_INCLUDE_DIRS})

if(CLMALI_STATIC)
  clmali_archives(ClangArchives libclang*.a)
  clmali_archives(LlvmArchives libLLVM*.a)
  target_link_libraries(clmali_clang INTERFACE ${ClangArchives} clmali::llvm)
  target_link_libraries(clmali_llvm INTERFACE ${LlvmArchives} clmali_bundle)
else()
  target_link_libraries(clmali_clang INTERFACE clang-cpp clmali::llvm)
  target_link_libraries(clmali_llvm INTERFACE LLVM)
endif()

# The folder with Clang's own headers (opencl-c-base.h), which cannot be found relative to our programs.
set(CLMALI_RESOURCE_DIR "${LLVM_LIBRARY_DIR}/clang/19" CACHE PATH
    "Clang's resource directory, used by the frontend")
include(GNUInstallDirs)
target_compile_definitions(clmali_clang INTERFACE CLMALI_RESOURCE_DIR="${CLMALI_RESOURCE_DIR}")
