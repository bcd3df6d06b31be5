# Helpers that add directories and libraries to the build.

# clmali_add_directory(DIR): add_subdirectory(DIR) if it has a CMakeLists.txt.
function(clmali_add_directory Dir)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${Dir})
  if(EXISTS ${CMAKE_CURRENT_SOURCE_DIR}/${Dir}/CMakeLists.txt)
    add_subdirectory(${Dir})
  endif()
endfunction()

# clmali_add_directories(DIR [WITHOUT...]): the same for every folder directly below DIR.
function(clmali_add_directories Dir)
  file(GLOB Lists CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${Dir}/*/CMakeLists.txt)
  list(SORT Lists)
  foreach(List ${Lists})
    get_filename_component(Sub ${List} DIRECTORY)
    get_filename_component(Name ${Sub} NAME)
    if(NOT Name IN_LIST ARGN)
      add_subdirectory(${Sub})
    endif()
  endforeach()
endfunction()

# clmali_sources(VAR): the *.cpp files of the current directory and below, without those of
# sub-directories that are targets of their own (they have a CMakeLists.txt).
function(clmali_sources Var)
  file(GLOB_RECURSE Sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  file(GLOB_RECURSE Lists CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*/CMakeLists.txt)
  foreach(List ${Lists})
    get_filename_component(Sub ${List} DIRECTORY)
    if(NOT Sub STREQUAL CMAKE_CURRENT_SOURCE_DIR)
      list(FILTER Sources EXCLUDE REGEX "^${Sub}/")
    endif()
  endforeach()
  set(${Var} ${Sources} PARENT_SCOPE)
endfunction()

# clmali_precompile(TARGET llvm|clang [HEADER...]): the headers of cmake/precompiled are parsed once for the target,
# and headers of ours that nearly all of its files include.
function(clmali_precompile Target Headers)
  if(CLMALI_PRECOMPILE)
    list(TRANSFORM ARGN PREPEND ${CMAKE_SOURCE_DIR}/ OUTPUT_VARIABLE Own)
    target_precompile_headers(${Target} PRIVATE ${CMAKE_SOURCE_DIR}/cmake/precompiled/${Headers}.h ${Own})
  endif()
endfunction()

# clmali_library(NAME [LLVM] [CLANG] [FOLDERS folder...] [DEPENDS target...] [PRECOMPILE header...]): a static library of
# clmali_sources, of all folders or of those given. Headers: as for clmali_precompile.
function(clmali_library Name)
  cmake_parse_arguments(Arg "LLVM;CLANG" "" "FOLDERS;DEPENDS;PRECOMPILE" ${ARGN})
  clmali_sources(Sources)
  if(Arg_FOLDERS)
    list(JOIN Arg_FOLDERS "|" Folders)
    list(FILTER Sources INCLUDE REGEX "^${CMAKE_CURRENT_SOURCE_DIR}/(${Folders})/")
  endif()
  add_library(${Name} STATIC ${Sources})
  set(Headers llvm)
  if(Arg_LLVM)
    target_link_libraries(${Name} PUBLIC clmali::llvm)
  endif()
  if(Arg_CLANG)
    target_link_libraries(${Name} PUBLIC clmali::clang)
    set(Headers clang)
  endif()
  target_link_libraries(${Name} PUBLIC ${Arg_DEPENDS})
  clmali_precompile(${Name} ${Headers} ${Arg_PRECOMPILE})
endfunction()

# clmali_program(NAME MAIN SOURCE...): an executable whose main() is in the file MAIN. In a static build it is a part of
# the one program `clmali` (tools/package), which calls its main by the name NAME_main, with _ for -.
function(clmali_program Name Main)
  if(NOT CLMALI_STATIC)
    add_executable(${Name} ${Main} ${ARGN})
    return()
  endif()
  add_library(${Name} OBJECT ${Main} ${ARGN})
  string(REPLACE - _ Function ${Name}_main)
  set_property(SOURCE ${Main} APPEND PROPERTY COMPILE_DEFINITIONS main=${Function})
  set_property(SOURCE ${Main} PROPERTY SKIP_PRECOMPILE_HEADERS ON)
endfunction()
