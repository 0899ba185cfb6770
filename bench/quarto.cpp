// The yardstick for Quarto: random games as fast as a plain hand-written loop plays them.
// Bitboards, a 65,536-entry win table, shrinking lists of pieces and cells, no allocation. Prints games per second.
#include <chrono>
#include <cstdint>
#include <cstdio>

static uint8_t has_line[65536];
static uint64_t dice = 88172645463325252ull;

static inline uint32_t below(uint32_t n) {
    dice ^= dice << 13;
    dice ^= dice >> 7;
    dice ^= dice << 17;
    return (uint32_t)(((uint64_t)(uint32_t)((dice >> 32) + dice) * n) >> 32);
}

static bool random_game() {
    uint8_t pieces[16], cells[16];
    uint16_t boards[8] = {0};  // attribute k without (2k) and with it (2k + 1)
    for (int i = 0; i < 16; i++) pieces[i] = cells[i] = i;
    for (int left = 16; left > 0; left--) {
        uint32_t i = below(left), j = below(left);
        int piece = pieces[i], cell = cells[j], won = 0;
        pieces[i] = pieces[left - 1];
        cells[j] = cells[left - 1];
        for (int k = 0; k < 4; k++) {
            uint16_t &board = boards[2 * k + ((piece >> k) & 1)];
            board |= 1 << cell;
            won |= has_line[board];
        }
        if (won) return true;
    }
    return false;
}

int main() {
    const int lines[10] = {0xF, 0xF0, 0xF00, 0xF000, 0x1111, 0x2222, 0x4444, 0x8888, 0x8421, 0x1248};
    for (int cells = 0; cells < 65536; cells++)
        for (int line : lines)
            if ((cells & line) == line) has_line[cells] = 1;
    const int games = 2000000;
    long won = 0;
    auto begun = std::chrono::steady_clock::now();
    for (int game = 0; game < games; game++) won += random_game();
    double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    if (won < games / 2) return 1;  // keeps the loop from being optimised away
    std::printf("%f\n", games / seconds);
}
