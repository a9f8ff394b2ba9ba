# Reference pages of ops and passes, made from the definitions: target docs, in
# build/docs. Part of every build, so that they cannot break unseen.
set(TT_MLIR_TBLGEN ${LLVM_TOOLS_BINARY_DIR}/mlir-tblgen)
set(doc_includes -I ${PROJECT_SOURCE_DIR}/dialects -I ${PROJECT_SOURCE_DIR}/include
                 -I ${MLIR_INCLUDE_DIRS})
set(doc_pages "")

# tt_add_page(NAME.md SOURCE.td GENERATOR...)
function(tt_add_page name source)
  set(page ${PROJECT_BINARY_DIR}/docs/${name})
  add_custom_command(OUTPUT ${page}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${PROJECT_BINARY_DIR}/docs
    COMMAND ${TT_MLIR_TBLGEN} ${ARGN} ${doc_includes} ${source} -o ${page}
            -d ${page}.d
    DEPENDS ${source} DEPFILE ${page}.d)
  set(doc_pages ${doc_pages} ${page} PARENT_SCOPE)
endfunction()

tt_add_page(Dialect.md ${PROJECT_SOURCE_DIR}/dialects/tt/IR/TTOps.td
            -gen-dialect-doc -dialect=tt)
foreach(room AD Attention Forms Kernels Memory Remat Training)
  tt_add_page(Passes${room}.md ${PROJECT_SOURCE_DIR}/include/tt/${room}/Passes.td
              -gen-pass-doc)
endforeach()
add_custom_target(docs ALL DEPENDS ${doc_pages})
install(DIRECTORY ${PROJECT_BINARY_DIR}/docs/ DESTINATION share/doc/tt/reference
        FILES_MATCHING PATTERN "*.md")
