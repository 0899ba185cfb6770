// The yardstick for Quarto: random games as fast as a plain hand-written loop plays them.
// Boards of all attributes side by side in a word, a 65,536-entry win table, lists of pieces and cells as the nibbles of a
// word, one draw of dice a turn, no look for a line before the fourth piece. Prints games per second.
#include <chrono>
#include <cstdint>
#include <cstdio>

static uint8_t has_line[65536];
static uint64_t spread[16];  // bit 16 k is set for each attribute k of a piece
static uint64_t dice = 88172645463325252ull;

static inline int take(uint64_t &list, uint64_t chance, int left) {
    int at = 4 * (int)((chance * left) >> 32);
    uint64_t taken = (list >> at) & 15, last = (list >> 4 * (left - 1)) & 15;
    list ^= (taken ^ last) << at;
    return (int)taken;
}

static inline bool random_game() {
    uint64_t pieces = 0xFEDCBA9876543210ull, cells = pieces, with = 0, without = 0;
    for (int left = 16; left > 0; left--) {
        dice ^= dice << 13;
        dice ^= dice >> 7;
        dice ^= dice << 17;
        int piece = take(pieces, dice >> 32, left), cell = take(cells, (uint32_t)dice, left);
        with |= spread[piece] << cell;
        without |= spread[15 ^ piece] << cell;
        if (left > 13) continue;
        uint64_t lanes = spread[piece] * 0xFFFF, alike = (with & lanes) | (without & ~lanes);
        if (has_line[alike & 0xFFFF] | has_line[(alike >> 16) & 0xFFFF] | has_line[(alike >> 32) & 0xFFFF] |
            has_line[alike >> 48])
            return true;
    }
    return false;
}

int main() {
    const int lines[10] = {0xF, 0xF0, 0xF00, 0xF000, 0x1111, 0x2222, 0x4444, 0x8888, 0x8421, 0x1248};
    for (int cells = 0; cells < 65536; cells++)
        for (int line : lines)
            if ((cells & line) == line) has_line[cells] = 1;
    for (int piece = 0; piece < 16; piece++)
        for (int k = 0; k < 4; k++) spread[piece] |= (uint64_t)((piece >> k) & 1) << 16 * k;
    const int games = 2000000;
    long won = 0;
    auto begun = std::chrono::steady_clock::now();
    for (int game = 0; game < games; game++) won += random_game();
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    if (won < games / 2) return 1;  // keeps the loop from being optimised away
    std::printf("%f\n", games / seconds);
}
