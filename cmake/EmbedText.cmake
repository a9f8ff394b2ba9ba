# Writes the bytes of INPUT as a list of hexadecimal numbers to OUTPUT.
file(READ ${INPUT} hex HEX)
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
string(REGEX REPLACE ",$" "" bytes "${bytes}")
file(WRITE ${OUTPUT} "${bytes}\n")
