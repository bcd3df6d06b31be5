# clmali_lint(TARGET
#   [DEVICE D]        as --device; default: the device of .clmali.yaml, else all families
#   [CHECKS GLOBS]    as --checks
#   [FAIL_ON S]       info, warning or error
#   [FILES FILE...]   kernels in addition to those among the target's sources
#   [BASELINE FILE]   as --baseline
#   [OPTIONS O...]    other options of clmali-lint
#   [ALL])            lint in every build
#
# Adds a target lint-TARGET that lints the kernels and the C and C++ sources of TARGET, with their compile options.
# It always runs; results for unchanged files come from clmali-lint's cache.
function(clmali_lint Target)
  cmake_parse_arguments(PARSE_ARGV 1 Arg "ALL" "DEVICE;CHECKS;FAIL_ON;BASELINE" "FILES;OPTIONS")
  if(Arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "clmali_lint(${Target}): unknown arguments '${Arg_UNPARSED_ARGUMENTS}'; it takes DEVICE, CHECKS, "
                        "FAIL_ON, FILES, BASELINE, OPTIONS and ALL")
  endif()
  if(NOT TARGET ${Target})
    message(FATAL_ERROR "clmali_lint(${Target}): there is no such target")
  endif()
  get_target_property(Folder ${Target} SOURCE_DIR)
  get_target_property(Sources ${Target} SOURCES)
  set(Files)
  foreach(Source IN LISTS Sources Arg_FILES)
    if(Source MATCHES "\\.(cl|ocl|opencl|c|cc|cpp|cxx)$" AND NOT Source MATCHES "\\$<")
      if(NOT IS_ABSOLUTE "${Source}")
        if(Source IN_LIST Arg_FILES)
          set(Source "${CMAKE_CURRENT_SOURCE_DIR}/${Source}")
        else()
          set(Source "${Folder}/${Source}")
        endif()
      endif()
      list(APPEND Files "${Source}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES Files)
  if(NOT Files)
    message(FATAL_ERROR "clmali_lint(${Target}): it has no kernel and no C or C++ source")
  endif()
  set_target_properties(${Target} PROPERTIES EXPORT_COMPILE_COMMANDS ON)
  set(Options -j0 -p "${CMAKE_BINARY_DIR}")
  if(Arg_DEVICE)
    list(APPEND Options "--device=${Arg_DEVICE}")
  endif()
  if(Arg_CHECKS)
    list(APPEND Options "--checks=${Arg_CHECKS}")
  endif()
  if(Arg_FAIL_ON)
    list(APPEND Options "--fail-on=${Arg_FAIL_ON}")
  endif()
  if(Arg_BASELINE)
    get_filename_component(Baseline "${Arg_BASELINE}" ABSOLUTE)
    list(APPEND Options "--baseline=${Baseline}")
  endif()
  set(All)
  if(Arg_ALL)
    set(All ALL)
  endif()
  add_custom_target(lint-${Target} ${All}
    COMMAND clmali::clmali-lint ${Options} ${Arg_OPTIONS} ${Files}
    WORKING_DIRECTORY "${CMAKE_SOURCE_DIR}"
    COMMENT "Linting the OpenCL code of ${Target}"
    VERBATIM)
endfunction()

# clmali_rewrite(FILE.cl
#   OUTPUT OUT.cl        below the build folder, unless absolute
#   [MANIFEST OUT.json]  default: OUT.manifest.json in the folder of OUT.cl
#   [DEVICE D] [PLATFORM P] [KERNEL NAME] [PASSES LIST] [FP MODE]  as the options of clmali-rewrite
#   [LAUNCH FILE...]     default: the *.launch.yaml in the folder of FILE.cl
#   [DEFINES NAME=VALUE...] [INCLUDE_DIRS FOLDER...]
#   [OPTIONS O...]       other options of clmali-rewrite
#   [TARGET NAME])       adds a target for the output
#
# A build step, run again when the kernel, a launch file, a header in its folder or clmali-rewrite changes. The build
# fails if no rewrite is held by the judge. Add OUT.cl to the sources of the target that needs it, or give TARGET.
function(clmali_rewrite Input)
  cmake_parse_arguments(PARSE_ARGV 1 Arg "" "OUTPUT;MANIFEST;DEVICE;PLATFORM;KERNEL;PASSES;FP;TARGET"
                        "LAUNCH;DEFINES;INCLUDE_DIRS;OPTIONS")
  if(Arg_UNPARSED_ARGUMENTS OR NOT Arg_OUTPUT)
    message(FATAL_ERROR "clmali_rewrite(${Input}): it needs OUTPUT, and takes MANIFEST, DEVICE, PLATFORM, KERNEL, "
                        "PASSES, FP, LAUNCH, DEFINES, INCLUDE_DIRS, OPTIONS and TARGET ${Arg_UNPARSED_ARGUMENTS}")
  endif()
  get_filename_component(Source "${Input}" ABSOLUTE)
  get_filename_component(Output "${Arg_OUTPUT}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  if(Arg_MANIFEST)
    get_filename_component(Manifest "${Arg_MANIFEST}" ABSOLUTE BASE_DIR "${CMAKE_CURRENT_BINARY_DIR}")
  else()
    string(REGEX REPLACE "\\.[^./]*$" ".manifest.json" Manifest "${Output}")
  endif()
  get_filename_component(Beside "${Source}" DIRECTORY)
  get_filename_component(OutputFolder "${Output}" DIRECTORY)
  set(Options)
  foreach(Name DEVICE PLATFORM KERNEL PASSES FP)
    if(Arg_${Name})
      string(TOLOWER ${Name} Option)
      list(APPEND Options "--${Option}=${Arg_${Name}}")
    endif()
  endforeach()
  set(Depends "${Source}")
  foreach(Launch IN LISTS Arg_LAUNCH)
    get_filename_component(Launch "${Launch}" ABSOLUTE)
    list(APPEND Options "--launch=${Launch}")
    list(APPEND Depends "${Launch}")
  endforeach()
  file(GLOB Near CONFIGURE_DEPENDS "${Beside}/*.launch.yaml" "${Beside}/*.h" "${Beside}/*.clh" "${Beside}/.clmali.yaml")
  list(APPEND Depends ${Near})
  set(ClangArguments)
  foreach(Define IN LISTS Arg_DEFINES)
    list(APPEND ClangArguments "-D${Define}")
  endforeach()
  foreach(Folder IN LISTS Arg_INCLUDE_DIRS)
    get_filename_component(Folder "${Folder}" ABSOLUTE)
    list(APPEND ClangArguments "-I${Folder}")
  endforeach()
  if(ClangArguments)
    list(PREPEND ClangArguments --)
  endif()
  list(REMOVE_DUPLICATES Depends)
  # The record of the judge is written next to the manifest.
  string(REGEX REPLACE "(\\.manifest)?\\.json$" "" Verdict "${Manifest}")
  add_custom_command(
    OUTPUT "${Output}" "${Manifest}"
    BYPRODUCTS "${Verdict}.verdict.json"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${OutputFolder}"
    COMMAND clmali::clmali-rewrite ${Options} ${Arg_OPTIONS} -o "${Output}" "--manifest=${Manifest}" "${Source}"
            ${ClangArguments}
    DEPENDS ${Depends} clmali::clmali-rewrite
    COMMENT "Rewriting ${Input}, verified"
    VERBATIM)
  if(Arg_TARGET)
    add_custom_target(${Arg_TARGET} DEPENDS "${Output}" "${Manifest}")
  endif()
endfunction()
