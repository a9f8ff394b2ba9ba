#include "tt/runtime/Philox.h"

#include "gtest/gtest.h"

using namespace tt::runtime;

// The known answers of Random123 (kat_vectors, philox4x32, 10 rounds).
TEST(Philox, KnownAnswers) {
  struct Case {
    PhiloxBlock counter;
    uint32_t key[2];
    uint32_t wanted[4];
  } cases[] = {{{{0, 0, 0, 0}},
                {0, 0},
                {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
               {{{~0u, ~0u, ~0u, ~0u}},
                {~0u, ~0u},
                {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
               {{{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}},
                {0xa4093822, 0x299f31d0},
                {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}}};
  for (const Case &c : cases) {
    PhiloxBlock found = philox4x32(c.counter, c.key[0], c.key[1]);
    for (int i = 0; i < 4; ++i)
      EXPECT_EQ(found.word[i], c.wanted[i]);
  }
}
