# Helpers for tt's libraries, tools and tests. MLIR and LLVM are linked one way
# only: as the shared libMLIR and libLLVM.

set(TT_WARNINGS -Wall -Wextra -Wno-unused-parameter -Werror)

# Adds the compile options shared by all of tt's own C++ code.
function(tt_compile_options target)
  # A precompiled header without its time is the same file after every build,
  # which ccache needs.
  target_compile_options(${target} PRIVATE ${TT_WARNINGS}
    $<$<COMPILE_LANG_AND_ID:CXX,Clang>:SHELL:-Xclang -fno-pch-timestamp>
    $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions -fno-rtti -fvisibility-inlines-hidden>)
endfunction()

# tt_add_library(TTName SOURCES ... [DEPENDS tablegen-targets] [LINK_LIBS ...])
# One static library per room, installed as tt::TTName. A room that uses MLIR
# links TTMLIR.
function(tt_add_library name)
  cmake_parse_arguments(ARG "" "" "SOURCES;DEPENDS;LINK_LIBS" ${ARGN})
  add_library(${name} STATIC ${ARG_SOURCES})
  tt_compile_options(${name})
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  target_link_libraries(${name} PUBLIC ${ARG_LINK_LIBS})
  target_include_directories(${name} INTERFACE $<INSTALL_INTERFACE:include>)
  install(TARGETS ${name} EXPORT ttTargets ARCHIVE DESTINATION lib/tt)
endfunction()

# tt_add_tool(tt-name SOURCES ... LINK_LIBS ...)
function(tt_add_tool name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINK_LIBS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  tt_compile_options(${name})
  target_link_libraries(${name} PRIVATE ${ARG_LINK_LIBS})
  # libMLIR and libLLVM stay where they were linked from.
  set_target_properties(${name} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
  install(TARGETS ${name} RUNTIME DESTINATION bin)
endfunction()

# tt_tablegen_passes(Room): include/tt/<Room>/Passes.td -> Passes.h.inc
function(tt_tablegen_passes room)
  set(LLVM_TARGET_DEFINITIONS Passes.td)
  mlir_tablegen(Passes.h.inc -gen-pass-decls -name ${room})
  add_public_tablegen_target(TT${room}PassesIncGen)
endfunction()

# The one way to link MLIR and LLVM.
add_library(TTMLIR INTERFACE)
target_link_libraries(TTMLIR INTERFACE MLIR LLVM)
install(TARGETS TTMLIR EXPORT ttTargets)
