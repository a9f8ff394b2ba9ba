# The lit suite under test/: one ctest test per directory, so that ctest shows
# which room fails. lit, FileCheck, count and not are LLVM's own.

find_program(TT_LIT lit HINTS ${LLVM_TOOLS_BINARY_DIR} REQUIRED NO_DEFAULT_PATH)
find_package(Python3 REQUIRED COMPONENTS Interpreter)

# tt_add_lit_tests(dir...): ctest test lit-DIR for each test/DIR. DIR may be a
# path; slashes become dashes.
function(tt_add_lit_tests)
  configure_file(${PROJECT_SOURCE_DIR}/test/lit.site.cfg.py.in
                 ${PROJECT_BINARY_DIR}/test/lit.site.cfg.py @ONLY)
  foreach(dir ${ARGN})
    string(REPLACE "/" "-" name ${dir})
    add_test(NAME lit-${name}
      COMMAND ${TT_LIT} -sv --skip-test-time-recording --order=lexical
              --filter ":: ${dir}/"
              ${PROJECT_BINARY_DIR}/test)
    set_tests_properties(lit-${name} PROPERTIES LABELS quick TIMEOUT 600)
  endforeach()
endfunction()
