// Paranoid search of Chexers written by hand, the yardstick for chexers/paranoid-depth-8-ms in `kibitz bench chexers`. It
// visits the same positions as paranoid(depth=D), one by one: same order of moves, table, null windows and value.
//
// Standard input: the depth, the most slots of the table and the number of positions; then for each position the salt of
// its keys, the cells of the state that are in use, and how many moves to try and those, in order.
// Standard output: for each position the seconds of the processor, the nodes, the move and its score.
#pragma GCC optimize("fp-contract=off")  // a rounding that differs would be a search that differs
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <numeric>
#include <vector>
#ifdef __BMI2__
#include <immintrin.h>
#endif

typedef uint64_t Mask;

static const int OVER = -1, NONE = -1, TO_WIN = 4, TO_DRAW = 4, MOST_TURNS = 768, LATE = 64;
static const int EXIT = 384, PASS = 448, MOST_MOVES = 72, MOST_LEVELS = 200, MARK_CELLS = 8;
static const double DECIDED = 1e6, WON = DECIDED / 4, MOST_VALUE = DECIDED / 10;
static const double INFINITE = 1e18, STRUCK = -1e18, REMEMBERED = 1e17, KILLER = 1e16, HAIR = 1e-9;
static const int EXACT = 1, AT_LEAST = 2, AT_MOST = 3, TO_THE_END = 1 << 20, FIRST_SLOTS = 1 << 12;
static const int STEPS[6] = {-1, -8, -7, 1, 8, 7};

static Mask hexes, exit_hexes[3];
static double closeness[3][64];

struct State {
    Mask pieces[3];
    int64_t exits[3], seat, occurrences;  // up to here what the key is made of
    int turns, winner, oldest, length, threefold;  // the past lies in `past`, from `oldest` to `length`
};

struct Entry {
    int64_t key;
    double score;
    int choice, bound, depth;  // bound 0: empty
};

static int64_t past[2 * MOST_TURNS];  // the positions on the way to the one that is searched
static int root;
static int64_t salt, nodes, horizon;
static double history[3][1024];
static int killers[MOST_LEVELS + 1];
static Entry *table;
static size_t slots, filled, most_slots;

static int apart(int q, int r, int other_q, int other_r) {
    int dq = q - other_q, dr = r - other_r;
    return std::max({std::abs(dq), std::abs(dr), std::abs(dq + dr)});
}

static void draw_board() {
    const int corner[3][2][2] = {{{3, -3}, {3, 0}}, {{-3, 3}, {0, 3}}, {{-3, 0}, {0, -3}}};
    for (int q = -3; q <= 3; q++)
        for (int r = -3; r <= 3; r++)
            if (std::abs(q + r) <= 3) hexes |= 1ull << (8 * (r + 3) + q + 3);
    for (int seat = 0; seat < 3; seat++) {
        const auto &[from, to] = corner[seat];
        int goals[4][2];
        for (int i = 0; i < 4; i++)
            for (int k = 0; k < 2; k++) goals[i][k] = from[k] + (to[k] - from[k]) / 3 * i;
        for (auto &goal : goals) exit_hexes[seat] |= 1ull << (8 * (goal[1] + 3) + goal[0] + 3);
        for (int q = -3; q <= 3; q++)
            for (int r = -3; r <= 3; r++) {
                if (std::abs(q + r) > 3) continue;
                int nearest = 9;
                for (auto &goal : goals) nearest = std::min(nearest, apart(q, r, goal[0], goal[1]));
                closeness[seat][8 * (r + 3) + q + 3] = 1 / std::sqrt(nearest + 1.0);
            }
    }
}

static inline Mask gather(Mask bits, Mask mask) {
#ifdef __BMI2__
    return _pext_u64(bits, mask);
#else
    Mask out = 0;
    for (int at = 0; mask; mask &= mask - 1, at++) out |= (bits >> __builtin_ctzll(mask) & 1) << at;
    return out;
#endif
}

static inline Mask occupied(const State &s) { return s.pieces[0] | s.pieces[1] | s.pieces[2]; }

static inline void remember(State &s) {
    Mask full = occupied(s);
    int64_t here = gather(full, hexes) << 26 | gather(s.pieces[0], full) << 14 | gather(s.pieces[1], full) << 2 | s.seat;
    int times = 1;
    for (int i = s.length - 3; i >= s.oldest; i -= 3) times += past[i] == here;
    past[s.length++] = here;
    s.occurrences = times;
    s.threefold |= times == TO_DRAW - 1;
}

static inline void forget(State &s) { s.oldest = s.length, s.threefold = 0; }

static inline void play(State &s, int move) {
    int seat = s.seat, start = move & 63;
    if (move < EXIT) {
        int step = STEPS[move >> 6];
        Mask over = occupied(s) & 1ull << (start + step);
        if (over) {
            if (s.pieces[0] == over || s.pieces[1] == over || s.pieces[2] == over) forget(s);
            for (Mask &pieces : s.pieces) pieces &= ~over;
            s.pieces[seat] ^= over | 1ull << start | 1ull << (start + 2 * step);
        } else {
            s.pieces[seat] ^= 1ull << start | 1ull << (start + step);
        }
    } else if (move != PASS) {
        s.pieces[seat] ^= 1ull << start;
        forget(s);
        if (++s.exits[seat] == TO_WIN) {
            s.winner = seat, s.seat = OVER;
            return;
        }
    }
    s.turns++;
    s.seat = seat < 2 ? seat + 1 : 0;
    remember(s);
    if (s.occurrences == TO_DRAW || s.turns >= MOST_TURNS) s.seat = OVER;
}

static inline int add_moves(int *out, int n, Mask movers, int kind) {
    for (; movers; movers &= movers - 1) out[n++] = kind + __builtin_ctzll(movers);
    return n;
}

static inline int list_moves(const State &s, int *out) {
    Mask own = s.pieces[s.seat], full = occupied(s), empty = hexes & ~full;
    int n = 0;
    n = add_moves(out, n, own & (empty << 1 | (full << 1 & empty << 2)), 0);
    n = add_moves(out, n, own & (empty << 8 | (full << 8 & empty << 16)), 64);
    n = add_moves(out, n, own & (empty << 7 | (full << 7 & empty << 14)), 128);
    n = add_moves(out, n, own & (empty >> 1 | (full >> 1 & empty >> 2)), 192);
    n = add_moves(out, n, own & (empty >> 8 | (full >> 8 & empty >> 16)), 256);
    n = add_moves(out, n, own & (empty >> 7 | (full >> 7 & empty >> 14)), 320);
    n = add_moves(out, n, own & exit_hexes[s.seat], EXIT);
    if (n == 0) out[n++] = PASS;
    return n;
}

static inline double nearness(const State &s, int seat) {
    double sum = 0.0;
    for (Mask left = s.pieces[seat]; left; left &= left - 1) sum += closeness[seat][__builtin_ctzll(left)];
    return sum;
}

// The value `weighted` for the root seat.
static inline double judge(const State &s) {
    int owned[3];
    double near[3];
    for (int seat = 0; seat < 3; seat++) {
        owned[seat] = __builtin_popcountll(s.pieces[seat]) + s.exits[seat];
        near[seat] = nearness(s, seat);
    }
    Mask own = s.pieces[root];
    Mask beside = own << 1 | own >> 1 | own << 8 | own >> 8 | own << 7 | own >> 7;
    double pieces = 2.0 * owned[root] - (owned[0] + owned[1] + owned[2]);
    double score = 2.0 * s.exits[root] - (s.exits[0] + s.exits[1] + s.exits[2]);
    double distance = 2.0 * near[root] - (near[0] + near[1] + near[2]);
    double worth = 1000.0 * pieces + 100.0 * (pieces > 0 ? 100.0 : 1.0) * score;
    worth = worth + 10.0 * __builtin_popcountll(own & beside) + distance;
    return std::min(std::max(worth, -MOST_VALUE), MOST_VALUE);
}

// What an end is worth to the root seat: how much more than the mean it earned.
static inline double judge_end(const State &s) {
    double earned[3], mean = 0.0;
    for (int seat = 0; seat < 3; seat++) {
        earned[seat] = s.winner == NONE ? 1.0 / 3 : s.winner == seat;
        mean += earned[seat] / 3;
    }
    return (earned[root] - mean) * DECIDED;
}

static inline int64_t key_of(const State &s) {
    uint64_t key = 0x2545F4914F6CDD1Dull, cells[8];
    std::memcpy(cells, &s, sizeof cells);
    for (uint64_t cell : cells) {
        key = (key ^ cell) * 0x9E3779B97F4A7C15ull;
        key ^= key >> 29;
    }
    int64_t late = std::max(s.turns - (MOST_TURNS - LATE), 0);
    return (int64_t)key ^ late ^ salt ^ (int64_t)2 << 58;
}

static inline size_t slot_of(int64_t key) { return (size_t)(key >> 20) & (slots - 1); }

static void make_room() {
    if (2 * filled <= slots || 2 * slots > most_slots) return;
    size_t old = slots;
    slots *= 2;
    for (size_t i = 0; i < old; i++) {
        size_t at = slot_of(table[i].key);
        if (table[i].bound && at != i) table[at] = table[i], table[i].bound = 0;
    }
}

static inline void store(int64_t key, double best, double alpha, double beta, int choice, int depth, bool final) {
    make_room();
    Entry &entry = table[slot_of(key)];
    filled += entry.bound == 0;
    int bound = best <= alpha ? AT_MOST : best >= beta ? AT_LEAST : EXACT;
    entry = {key, best, choice, bound, final ? TO_THE_END : depth};
}

static inline int next_choice(double *order, int n) {
    int best = 0;
    for (int i = 1; i < n; i++)
        if (order[i] > order[best]) best = i;
    if (order[best] <= STRUCK) return -1;
    order[best] = STRUCK;
    return best;
}

static double negamax(const State &s, int level, int depth, double alpha, double beta);

static inline double follow(const State &after, int side, int level, int depth, double alpha, double beta) {
    if (after.seat == OVER) return judge_end(after) * side;
    if ((after.seat == root) == (side > 0)) return negamax(after, level + 1, depth - 1, alpha, beta);
    return -negamax(after, level + 1, depth - 1, -beta, -alpha);
}

// All but the first choice get a null window, and a second search if they might be better.
static inline double search_choice(const State &after, int side, int level, int depth, double floor, double beta,
                                   bool first) {
    if (first || beta - floor <= HAIR) return follow(after, side, level, depth, floor, beta);
    double score = follow(after, side, level, depth, floor, floor + HAIR);
    if (floor < score && score < beta) score = follow(after, side, level, depth, floor, beta);
    return score;
}

// Return a choice that ends the game well enough to stop at, or -1.
static inline int winning_choice(const State &s, const int *moves, int n, int side, double beta, double &score) {
    bool may_win = s.exits[s.seat] == TO_WIN - 1 && (s.pieces[s.seat] & exit_hexes[s.seat]);
    if (!may_win && !s.threefold && s.turns + 1 < MOST_TURNS) return -1;
    for (int i = 0; i < n; i++) {
        State after = s;
        play(after, moves[i]);
        if (after.seat == OVER && (score = judge_end(after) * side) >= beta) return i;
    }
    return -1;
}

static double negamax(const State &s, int level, int depth, double alpha, double beta) {
    nodes++;
    int seat = s.seat, side = seat == root ? 1 : -1;
    if (depth == 0) {
        horizon++;
        return judge(s) * side;
    }
    if (level == MOST_LEVELS) std::exit(1);
    int64_t key = key_of(s);
    const Entry &known = table[slot_of(key)];
    int remembered = -1;
    if (known.bound && known.key == key) {
        remembered = known.choice;
        if ((known.depth == depth || known.depth == TO_THE_END) &&
            (known.bound == EXACT || (known.bound == AT_LEAST && known.score >= beta) ||
             (known.bound == AT_MOST && known.score <= alpha))) {
            horizon += known.depth != TO_THE_END;
            return known.score;
        }
    }
    int moves[MOST_MOVES], n = list_moves(s, moves);
    double order[MOST_MOVES], score;
    int64_t before = horizon;
    int won = winning_choice(s, moves, n, side, beta, score);
    if (won >= 0) {
        store(key, score, alpha, beta, won, depth, true);
        return score;
    }
    for (int i = 0; i < n; i++)
        order[i] = killers[level] == (moves[i] << 4) + seat + 1 ? KILLER : history[seat][moves[i]];
    if (0 <= remembered && remembered < n) order[remembered] = REMEMBERED;
    double best = -INFINITE, floor = alpha;
    int chosen = 0;
    for (int i; (i = next_choice(order, n)) >= 0;) {
        State after = s;
        play(after, moves[i]);
        score = search_choice(after, side, level, depth, floor, beta, best == -INFINITE);
        if (score > best) {
            best = score, chosen = i;
            floor = std::max(floor, best);
            if (best >= beta) {
                killers[level] = (moves[i] << 4) + seat + 1;
                history[seat][moves[i]] += depth * depth + 1;
                break;
            }
        }
    }
    store(key, best, alpha, beta, chosen, depth, horizon == before);
    return best;
}

// Search the moves in this order; leave NaN as the score of moves not reached. Return the place of the best.
static int search_root(const State &s, int depth, const std::vector<int> &tried, std::vector<double> &scores) {
    const double won = (1.0 - 1.0 / 3) * DECIDED * (1.0 - HAIR);
    int best = -1;
    double floor = -won;
    for (size_t i = 0; i < tried.size(); i++) {
        State after = s;
        play(after, tried[i]);
        if (after.seat == OVER && judge_end(after) >= won) {
            scores[i] = judge_end(after);
            return i;
        }
    }
    for (size_t i = 0; i < tried.size(); i++) {
        State after = s;
        play(after, tried[i]);
        scores[i] = search_choice(after, 1, 0, depth, floor, won, best < 0);
        if (best < 0 || scores[i] > scores[best]) best = i, floor = std::max(floor, scores[i]);
        if (scores[i] >= won) return best;
    }
    return best;
}

// Deepen move by move, as the driver of Kibitz does.
static void decide(const State &s, int most_depth, std::vector<int> tried, int &move, double &score) {
    for (int depth = 1; depth <= most_depth; depth++) {
        std::vector<double> scores(tried.size(), NAN);
        horizon = 0;
        int best = search_root(s, depth, tried, scores);
        score = scores[best];
        if (depth == 1 || score > -WON) move = tried[best];
        if (horizon == 0 || std::fabs(score) > WON) return;
        std::vector<int> by(tried.size()), sorted;
        std::iota(by.begin(), by.end(), 0);
        std::stable_sort(by.begin(), by.end(), [&](int a, int b) {
            return !std::isnan(scores[a]) && (std::isnan(scores[b]) || scores[a] > scores[b]);
        });
        for (int i : by) sorted.push_back(tried[i]);
        tried = sorted;
    }
}

static int64_t number() {
    long long read;
    if (std::scanf("%lld", &read) != 1) std::exit(1);
    return read;
}

static State read_position(std::vector<int> &tried) {
    State s = {};
    salt = number();
    for (Mask &pieces : s.pieces) pieces = number();
    for (int64_t &exits : s.exits) exits = number();
    s.seat = number(), s.occurrences = number(), s.turns = number(), s.winner = number(), s.length = number();
    for (int i = 0; i < MARK_CELLS; i++) number();
    for (int i = 0; i < s.length; i++) past[i] = number();
    for (int i = 0; i < s.length; i++)
        s.threefold |= std::count(past, past + i + 1, past[i]) >= TO_DRAW - 1;
    tried.resize(number());
    for (int &move : tried) move = number();
    return s;
}

int main() {
    draw_board();
    int depth = number();
    most_slots = number();
    for (int left = number(); left > 0; left--) {
        std::vector<int> tried;
        State s = read_position(tried);
        int move = PASS;
        double score = 0.0;
        root = s.seat, nodes = 0, filled = 0, slots = FIRST_SLOTS;
        std::memset(history, 0, sizeof history);
        std::memset(killers, 0, sizeof killers);
        table = (Entry *)std::calloc(most_slots, sizeof(Entry));  // touched only as far as it is used
        std::clock_t begun = std::clock();
        decide(s, depth, tried, move, score);
        double seconds = double(std::clock() - begun) / CLOCKS_PER_SEC;
        std::printf("%.9f %lld %d %.17g\n", seconds, (long long)nodes, move, score);
        std::free(table);
    }
}
