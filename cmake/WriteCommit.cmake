# cmake -DSOURCE=DIR -DOUTPUT=Commit.inc [-DCOMMIT=ID] -P WriteCommit.cmake
# Writes the commit of the sources as a C string literal: COMMIT, else what git says, else "unknown". A tree with
# changes has a plus sign behind it. The file is left as it is if nothing changed, so that nothing is rebuilt.
if(NOT COMMIT)
  find_program(Git git)
  if(Git AND EXISTS ${SOURCE}/.git)
    execute_process(COMMAND ${Git} -C ${SOURCE} describe --always --abbrev=12 --exclude=* --dirty=+
                    OUTPUT_VARIABLE COMMIT OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  endif()
endif()
if(NOT COMMIT)
  set(COMMIT unknown)
endif()
set(Text "\"${COMMIT}\"\n")
set(Before)
if(EXISTS ${OUTPUT})
  file(READ ${OUTPUT} Before)
endif()
if(NOT Text STREQUAL Before)
  file(WRITE ${OUTPUT} "${Text}")
endif()
