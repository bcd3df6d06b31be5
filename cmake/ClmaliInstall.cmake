# Files of `cmake --install` and cpack: the programs, the clang-tidy module, the CMake package, manual pages and
# shell completions (generated from the option tables of the programs), licence and rule pages.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(Commands clmali-lint clmali-rewrite clmali-run clmali-record clmali-inject)
if(CLMALI_STATIC)
  set(Programs clmali)
else()
  set(Programs ${Commands})
endif()
if(TARGET clmali-clangd)
  list(APPEND Programs clmali-clangd)
endif()
# The dynamic linker finds LLVM's libraries without an RPATH; the absolute path on the build machine would be wrong
# elsewhere. The portable archive has the solver in a folder of its own.
set(RunPath)
if(CLMALI_STATIC)
  set(RunPath "$ORIGIN/../lib/clmali")
  foreach(Command ${Commands})
    install(CODE "file(CREATE_LINK clmali \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_BINDIR}/${Command}\" SYMBOLIC)")
  endforeach()
endif()
set_target_properties(${Programs} PROPERTIES SKIP_BUILD_RPATH OFF INSTALL_RPATH "${RunPath}")
install(TARGETS ${Programs} RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
if(TARGET clmali-tidy)
  install(TARGETS clmali-tidy LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/clmali)
endif()
# clmali-record and clmali-inject find the layer by its path relative to theirs. Programs open the drop-in library as
# libOpenCL.so or as libOpenCL.so.1; it has a folder of its own, so that no other program finds it.
if(TARGET clmali-layer)
  install(TARGETS clmali-layer LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/clmali)
  file(RELATIVE_PATH LayerFolder ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR}/clmali)
  target_compile_definitions(clmali_start PRIVATE CLMALI_LAYER_FOLDER="${LayerFolder}")
endif()
if(CLMALI_STATIC)
  file(REAL_PATH ${CLMALI_Z3_LIBRARY} Solver)
  install(FILES ${Solver} RENAME libz3.so.4 DESTINATION ${CMAKE_INSTALL_LIBDIR}/clmali)
  install(PROGRAMS tools/package/clang-19 DESTINATION ${CMAKE_INSTALL_LIBDIR}/clmali)
endif()
if(TARGET clmali-dropin)
  install(TARGETS clmali-dropin LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/clmali/clmali-dropin)
endif()

set(PackageFolder ${CMAKE_INSTALL_LIBDIR}/cmake/clmali)
configure_package_config_file(cmake/package/clmaliConfig.cmake.in ${CMAKE_BINARY_DIR}/clmaliConfig.cmake
                              INSTALL_DESTINATION ${PackageFolder}
                              PATH_VARS CMAKE_INSTALL_BINDIR)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/clmaliConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/clmaliConfig.cmake ${CMAKE_BINARY_DIR}/clmaliConfigVersion.cmake
              cmake/package/ClmaliFunctions.cmake
        DESTINATION ${PackageFolder})

# Clang's own headers (stddef.h, ...), for parsing host files on machines without clang. Headers for other languages
# and processors are excluded; a tenth remains.
set(Foreign arm_* riscv_* sifive_* altivec.h vecintrin.h hexagon_* hvx_* htm* s390intrin.h msa.h wasm_simd128.h
            opencl-c.h cuda_wrappers ppc_wrappers openmp_wrappers llvm_libc_wrappers llvm_offload_wrappers hlsl*
            __clang_cuda_* __clang_hip_* velintrin* larchintrin.h lasxintrin.h lsxintrin.h)
set(Excluded)
foreach(Name ${Foreign})
  list(APPEND Excluded PATTERN ${Name} EXCLUDE)
endforeach()
install(DIRECTORY ${CLMALI_RESOURCE_DIR}/include/ DESTINATION ${CMAKE_INSTALL_LIBDIR}/clmali/clang/include ${Excluded})

# Manual pages and completions. The programs print what they are made of, so they are made elsewhere for a machine that
# this one is not.
set(CLMALI_PAGES "" CACHE PATH "Manual pages and completions of another build: its folder share/")
if(CLMALI_PAGES)
  set(Pages ${CLMALI_PAGES})
else()
  find_package(Python3 REQUIRED COMPONENTS Interpreter)
  set(Documented)
  foreach(Command ${Commands})
    list(APPEND Documented ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${Command})
  endforeach()
  set(Pages ${CMAKE_BINARY_DIR}/share)
  add_custom_command(OUTPUT ${Pages}/stamp
    COMMAND ${Python3_EXECUTABLE} ${CMAKE_SOURCE_DIR}/tools/docs/generate.py --out ${Pages} ${Documented}
    COMMAND ${CMAKE_COMMAND} -E touch ${Pages}/stamp
    DEPENDS ${Programs} ${CMAKE_SOURCE_DIR}/tools/docs/generate.py
    COMMENT "Manual pages and completions" VERBATIM)
  add_custom_target(clmali-pages ALL DEPENDS ${Pages}/stamp)
endif()
install(DIRECTORY ${Pages}/man1 ${Pages}/man5 DESTINATION ${CMAKE_INSTALL_MANDIR})
install(DIRECTORY ${Pages}/bash/ DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(DIRECTORY ${Pages}/zsh/ DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/site-functions)
install(DIRECTORY ${Pages}/fish/ DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)

install(FILES README.md CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} RENAME copyright)
install(DIRECTORY tools/ci tools/editors DESTINATION ${CMAKE_INSTALL_DOCDIR}/examples
        PATTERN screenshot EXCLUDE PATTERN *.png EXCLUDE PATTERN node_modules EXCLUDE PATTERN dist EXCLUDE)
install(DIRECTORY rules/ DESTINATION ${CMAKE_INSTALL_DOCDIR}/rules FILES_MATCHING PATTERN "*.md")

set(CPACK_PACKAGE_NAME clmali)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "the clmali developers <clmali@example.invalid>")
set(CPACK_PACKAGE_VENDOR "clmali")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "linter and verified rewriter for OpenCL C on Mali and PowerVR")
string(CONCAT CPACK_PACKAGE_DESCRIPTION
    "Finds performance problems and errors in OpenCL C kernels and the host code that launches them, and\n"
    "rewrites kernels for Arm Mali and Imagination PowerVR GPUs. A rewrite is kept only if running it gave\n"
    "the same results as the original. Kernels of a running program can be recorded, rewritten and launched\n"
    "in place of the originals.")
set(CPACK_RESOURCE_FILE_LICENSE ${CMAKE_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_GENERATOR DEB TGZ)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "clang-19, ocl-icd-libopencl1, oclgrind, pocl-opencl-icd")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "clang-tidy-19, libc6-dev, opencl-headers, opencl-clhpp-headers")
include(CPack)
