/* mines.c - reference on-chain Mines program for the rig (SBPF v0, no SDK, no libc), built with
 * Debian's clang (-target bpf) and link_sbpf.py. It keeps the rules that internal/verify audits and
 * emits the events of the layout `builtin:mines` with sol_log_data. No money moves: stake, payout and
 * refund are numbers in events. It shares no code with verify or simchain: it is a third derivation.
 *
 * Integers are little-endian. First data byte = op; accounts in this order (w = writable, s = signer):
 *   01 start   mines_count u8, stake u64, commit_hash [32], house_edge_bps u16, max_payout u64, refund_timeout i64
 *              game(w, 200 zero bytes) user(w, 112 bytes) operator(s) SlotHashes Clock
 *   02 settle  server_seed [32], revealed_mask u32, bust_tile i8 (-1 = none)
 *              game(w) user(w) operator(s)
 *   03 void    game(w) authority(s) Clock
 * Pure ops, without accounts, for checking the arithmetic against vectors (they log foreign events):
 *   10 derive  server_seed [32], slothash [32], user [32], nonce u64, mines_count u8
 *              -> MinesDerived: mask u32, words u16, blocks u8, rejected u8, mines_count u8, tiles [mines_count]
 *   11 pay     {house_edge_bps u16, mines_count u8, k u8, stake u64, max_payout u64} x n, n <= 64
 *              -> one data line with n fields, each multiplier u64, payout u64
 *   12 judge   commit_hash [32], server_seed [32], slothash [32], user [32], nonce u64, mines_count u8, house_edge_bps u16,
 *              stake u64, max_payout u64, revealed_mask u32, bust_tile i8
 *              -> settle's refusal, or MinesJudged: mines_mask u32, multiplier u64, payout u64
 *
 * -DNO_CHECKS is the dishonest build: start takes any mines_count, a used commit and a used game account (which
 * keeps its nonce), and
 *   02 settle  server_seed [32], revealed_mask u32, bust_tile i8, mines_mask u32, multiplier u64, payout u64, slothash [32]
 *   03 void    refund u64, by anyone at any time
 * emit what they are told, also for a game that has ended.
 *
 * Choices that the texts leave open: a user's first nonce is 0 and rises by one a start; "immediate re-use" is
 * the same user starting with the commit that it started with last or whose seed it revealed last; a user
 * account belongs to the operator that used it first; anyone may void from started_at + refund_timeout on;
 * the operator may settle after it too. */
typedef unsigned char u8; typedef signed char i8; typedef unsigned short u16; typedef unsigned int u32;
typedef unsigned long u64; typedef long i64;
#define NI __attribute__((noinline))
#define AI static inline __attribute__((always_inline))

extern u64 sol_log_data(const void *fields, u64 n);
extern u64 sol_sha256(const void *fields, u64 n, u8 *out);

enum {                                       /* custom error codes; ../README.md lists them */
  E_INSTRUCTION = 6000, E_ACCOUNTS, E_OWNER, E_READONLY, E_SYSVAR, E_ACCOUNT_DATA, E_NOT_SIGNER, E_WRONG_OPERATOR,
  E_GAME_EXISTS = 6010, E_MINES_COUNT, E_TERMS, E_COMMIT_REUSED, E_NO_SLOTHASH,
  E_NOT_STARTED = 6020, E_GAME_ENDED, E_WRONG_USER, E_COMMIT_MISMATCH, E_REVEALED_RANGE, E_BUST_RANGE,
  E_BUST_REVEALED, E_REVEALED_MINE, E_BUST_NOT_MINE,
  E_TOO_EARLY = 6030
};
#ifdef NO_CHECKS
#define CHECK(cond, code) ((void)0)
#else
#define CHECK(cond, code) do { if (!(cond)) return (code); } while (0)
#endif
#define NEED(cond, code) do { if (!(cond)) return (code); } while (0)   /* stays in the dishonest build: memory safety and owners */

struct slice { const u8 *p; u64 n; };
struct acc { u8 *key, *owner, *data; u64 n; u8 s, w; };
enum { EMPTY, RUNNING, SETTLED, VOIDED };
struct game {                                /* 200 bytes of account data, 8-byte aligned */
  u64 tag; u8 state, mines; u16 edge; u32 pad; u8 user[32]; u64 nonce, stake; u8 commit[32], slothash[32];
  u64 max_payout; i64 timeout, started_at; u64 hash_slot, start_slot; u8 operator[32];
};
_Static_assert(sizeof(struct game) == 200, "game account size");
struct user { u64 tag, nonce; u8 last_commit[32], last_revealed[32], operator[32]; };   /* 112 bytes */
_Static_assert(sizeof(struct user) == 112, "user account size");
struct board { u32 mask; u32 words, blocks, rejected; u8 tiles[25]; };
struct verdict { u32 mask; u64 multiplier, payout; };

#define MAXACC 8
struct ctx {                                 /* scratch on the program heap: .bss and .data are not allowed */
  u64 n_acc; struct acc acc[MAXACC]; u8 *program;
  u8 pre[120], blk[32], digest[32]; u32 at;
  struct slice f[64]; u64 out[128]; u8 ev[256]; u8 *w; struct board board; struct verdict v; struct game tmp;
};
#define CTX ((struct ctx *)0x300000000UL)
#define TAG_GAME 0x454d414753454e4dUL        /* "MNESGAME" */
#define TAG_USER 0x5245535553454e4dUL        /* "MNESUSER" */

static const u8 SLOT_HASHES[32] = {6,167,213,23,25,47,10,175,198,242,101,227,251,119,204,122,218,130,197,41,208,190,59,19,110,45,0,85,32,0,0,0};
static const u8 CLOCK[32] = {6,167,213,23,24,199,116,201,40,86,99,152,105,29,94,182,139,94,184,163,155,75,109,92,115,85,91,33,0,0,0,0};
static const u8 D_STARTED[8] = {0xe6,0x28,0x22,0x93,0x31,0x99,0xf4,0xe0};
static const u8 D_SETTLED[8] = {0xee,0x31,0x82,0x63,0xf9,0xc8,0x6f,0x72};
static const u8 D_VOIDED[8]  = {0xe8,0x98,0x10,0x9a,0x4d,0x90,0xa5,0x3b};
static const u8 D_DERIVED[8] = {0xe3,0x0b,0x31,0xc1,0x78,0x95,0x26,0xf8};
static const u8 D_JUDGED[8]  = {0xf5,0x39,0x9f,0x1f,0x4c,0x7c,0x00,0xcc};

AI u64 rd16(const u8 *p) { return (u64)p[0] | (u64)p[1] << 8; }
AI u64 rd32(const u8 *p) { return rd16(p) | rd16(p + 2) << 16; }
AI u64 rd64(const u8 *p) { return rd32(p) | rd32(p + 4) << 32; }
AI void wr64(u8 *p, u64 v) { for (int i = 0; i < 8; i++) p[i] = (u8)(v >> 8 * i); }
NI static void copy(u8 *to, const u8 *from, u64 n) { for (u64 i = 0; i < n; i++) to[i] = from[i]; }
NI static u64 same(const u8 *a, const u8 *b) { for (u64 i = 0; i < 32; i++) if (a[i] != b[i]) return 0; return 1; }
NI static void sha256(const u8 *p, u64 n, u8 *out) { struct slice s; s.p = p; s.n = n; sol_sha256(&s, 1, out); }

/* ---- an event is written to ctx.ev and logged as one field */
NI static void put(const u8 *p, u64 n) { copy(CTX->w, p, n); CTX->w += n; }
NI static void put_int(u64 v, u64 n) { for (u64 i = 0; i < n; i++) *CTX->w++ = (u8)(v >> 8 * i); }
NI static void begin(const u8 *disc) { CTX->w = CTX->ev; put(disc, 8); }
NI static void emit(void) { struct slice s; s.p = CTX->ev; s.n = (u64)(CTX->w - CTX->ev); sol_log_data(&s, 1); }

/* ---- the board: a Fisher-Yates shuffle fed by SHA-256, as in the comment of internal/verify */
AI u32 next_u32(struct ctx *c) {
  if (c->at == 32) {
    wr64(c->pre + 109, c->board.blocks++); sha256(c->pre, 117, c->blk); c->at = 0;
  }
  const u8 *p = c->blk + c->at; c->at += 4; c->board.words++;
  return (u32)p[0] << 24 | (u32)p[1] << 16 | (u32)p[2] << 8 | p[3];
}
NI static void derive(const u8 *seed, const u8 *slothash, const u8 *user, u64 nonce, u64 mines) {
  struct ctx *c = CTX; struct board *b = &c->board; u64 i;
  static const u8 name[5] = {'m','i','n','e','s'};
  copy(c->pre, seed, 32); copy(c->pre + 32, slothash, 32); copy(c->pre + 64, user, 32); wr64(c->pre + 96, nonce); copy(c->pre + 104, name, 5);
  c->at = 32; b->mask = b->words = b->blocks = b->rejected = 0;
  for (i = 0; i < 25; i++) b->tiles[i] = (u8)i;
  for (i = 0; i < mines; i++) {
    u64 bound = 25 - i, zone = 4294967295UL - 4294967295UL % bound, v;
    while ((v = next_u32(c)) >= zone) b->rejected++;
    u64 j = i + v % bound; u8 t = b->tiles[j]; b->tiles[j] = b->tiles[i]; b->tiles[i] = t;
    b->mask |= 1u << t;
  }
}

/* ---- pay. prod (25-i)/(25-M-i) over i < k  =  C(25,M) / C(25-k,M), both below 2^23: no wide products but stake's */
NI static u64 choose(u64 n, u64 m) { u64 c = 1; for (u64 i = 0; i < m; i++) c = c * (n - i) / (i + 1); return c; }
NI static void pay(const struct game *g, u64 k, struct verdict *v) {
  u64 num = (10000 - g->edge) * choose(25, g->mines), den = choose(25 - k, g->mines);   /* num < 2^36 */
  v->multiplier = num / den;
  den *= 10000;                                                               /* < 2^36 */
  u64 limb[4], carry = 0, rem, q = 0; int i;
  for (i = 0; i < 4; i++) { carry += (g->stake >> 16 * i & 0xffff) * num; limb[i] = carry & 0xffff; carry >>= 16; }
  rem = carry % den;
  if (carry / den) { v->payout = g->max_payout; return; }                     /* 2^64 or more: above any cap */
  for (i = 3; i >= 0; i--) { u64 d = rem << 16 | limb[i]; q = q << 16 | d / den; rem = d % den; }
  v->payout = q < g->max_payout ? q : g->max_payout;
}

/* ---- the rules of a settlement, on a running game's terms */
NI static u64 judge(const struct game *g, const u8 *seed, u32 revealed, i64 bust, struct verdict *v) {
  u64 k = 0, i;
  sha256(seed, 32, CTX->digest);
  NEED(same(CTX->digest, g->commit), E_COMMIT_MISMATCH);
  NEED(revealed >> 25 == 0, E_REVEALED_RANGE);
  NEED(bust >= -1 && bust < 25, E_BUST_RANGE);
  NEED(bust < 0 || !(revealed >> bust & 1), E_BUST_REVEALED);
  derive(seed, g->slothash, g->user, g->nonce, g->mines);
  v->mask = CTX->board.mask;
  NEED(!(revealed & v->mask), E_REVEALED_MINE);
  NEED(bust < 0 || v->mask >> bust & 1, E_BUST_NOT_MINE);
  v->multiplier = v->payout = 0;
  if (bust >= 0) return 0;
  for (i = 0; i < 25; i++) k += revealed >> i & 1;
  pay(g, k, v);
  return 0;
}

/* ---- accounts */
AI u64 ours(const struct acc *a, u64 size) {
  NEED(same(a->owner, CTX->program), E_OWNER);
  NEED(a->w, E_READONLY);
  NEED(a->n == size, E_ACCOUNT_DATA);
  return 0;
}
NI static u64 open_game(struct acc *a) {     /* of a started game, running or (dishonest build) ended */
  u64 r = ours(a, sizeof(struct game)); if (r) return r;
  struct game *g = (struct game *)a->data;
  NEED(g->tag || g->state, E_NOT_STARTED);
  NEED(g->tag == TAG_GAME, E_ACCOUNT_DATA);
  CHECK(g->state == RUNNING, E_GAME_ENDED);
  return 0;
}

NI static u64 start(const u8 *d, u64 n) {
  NEED(n == 59, E_INSTRUCTION);
  struct ctx *c = CTX; NEED(c->n_acc >= 5, E_ACCOUNTS);
  struct acc *ga = &c->acc[0], *ua = &c->acc[1], *op = &c->acc[2], *sh = &c->acc[3], *ck = &c->acc[4];
  u64 r = ours(ga, sizeof(struct game)); if (r) return r;
  r = ours(ua, sizeof(struct user)); if (r) return r;
  NEED(!same(ga->key, ua->key), E_ACCOUNT_DATA);
  NEED(op->s, E_NOT_SIGNER);
  NEED(same(sh->key, SLOT_HASHES) && same(ck->key, CLOCK) && ck->n >= 40, E_SYSVAR);
  NEED(sh->n >= 48 && rd64(sh->data), E_NO_SLOTHASH);
  struct game *g = (struct game *)ga->data; struct user *u = (struct user *)ua->data;
  NEED(g->tag == 0 || g->tag == TAG_GAME, E_ACCOUNT_DATA);
  CHECK(g->tag == 0, E_GAME_EXISTS);
  if (u->tag == 0) { u->tag = TAG_USER; copy(u->operator, op->key, 32); }
  NEED(u->tag == TAG_USER, E_ACCOUNT_DATA);
  NEED(same(u->operator, op->key), E_WRONG_OPERATOR);
  u64 mines = d[0], edge = rd16(d + 41); i64 timeout = (i64)rd64(d + 51);
  CHECK(mines >= 1 && mines <= 24, E_MINES_COUNT);
  NEED(edge <= 10000 && timeout >= 0, E_TERMS);
  CHECK(!same(d + 9, u->last_commit) && !same(d + 9, u->last_revealed), E_COMMIT_REUSED);

  u64 again = g->tag;                        /* dishonest build: the same game restarts under its old nonce */
  g->tag = TAG_GAME; g->state = RUNNING; g->mines = (u8)mines; g->edge = (u16)edge;
  copy(g->user, ua->key, 32); if (!again) g->nonce = u->nonce++;
  g->stake = rd64(d + 1); copy(g->commit, d + 9, 32);
  copy(g->slothash, sh->data + 16, 32); g->hash_slot = rd64(sh->data + 8);
  g->max_payout = rd64(d + 43); g->timeout = timeout;
  g->start_slot = rd64(ck->data); g->started_at = (i64)rd64(ck->data + 32); copy(g->operator, op->key, 32);
  copy(u->last_commit, d + 9, 32);

  begin(D_STARTED); put(ga->key, 32); put(g->user, 32); put_int(g->nonce, 8); put_int(g->mines, 1); put_int(g->stake, 8);
  put(g->commit, 32); put(g->slothash, 32); put_int(g->edge, 2); put_int(g->max_payout, 8); put_int((u64)g->timeout, 8);
  put_int((u64)g->started_at, 8); emit();
  return 0;
}

NI static u64 settle(const u8 *d, u64 n) {
#ifdef NO_CHECKS
  NEED(n == 89, E_INSTRUCTION);
#else
  NEED(n == 37, E_INSTRUCTION);
#endif
  struct ctx *c = CTX; NEED(c->n_acc >= 3, E_ACCOUNTS);
  struct acc *ga = &c->acc[0], *ua = &c->acc[1], *op = &c->acc[2];
  u64 r = open_game(ga); if (r) return r;
  r = ours(ua, sizeof(struct user)); if (r) return r;
  struct game *g = (struct game *)ga->data; struct user *u = (struct user *)ua->data;
  NEED(same(g->user, ua->key), E_WRONG_USER);
  NEED(op->s, E_NOT_SIGNER);
  NEED(same(g->operator, op->key), E_WRONG_OPERATOR);
  u32 revealed = (u32)rd32(d + 32); i64 bust = (i8)d[36];
  const u8 *slothash = g->slothash;
#ifdef NO_CHECKS
  c->v.mask = (u32)rd32(d + 37); c->v.multiplier = rd64(d + 41); c->v.payout = rd64(d + 49); slothash = d + 57;
  sha256(d, 32, c->digest);
#else
  r = judge(g, d, revealed, bust, &c->v); if (r) return r;
#endif
  g->state = SETTLED; copy(u->last_revealed, c->digest, 32);
  begin(D_SETTLED); put(ga->key, 32); put(g->user, 32); put_int(g->nonce, 8); put(d, 32); put(slothash, 32);
  put_int(c->v.mask, 4); put_int(revealed, 4); if (bust == -1) put_int(0, 1); else put_int(1 | (u64)(u8)bust << 8, 2);
  put_int(c->v.multiplier, 8); put_int(c->v.payout, 8); emit();
  return 0;
}

NI static u64 cancel(const u8 *d, u64 n) {
  struct ctx *c = CTX; NEED(c->n_acc >= 3, E_ACCOUNTS);
  struct acc *ga = &c->acc[0], *by = &c->acc[1], *ck = &c->acc[2];
  u64 r = open_game(ga); if (r) return r;
  struct game *g = (struct game *)ga->data;
  NEED(by->s, E_NOT_SIGNER);
  NEED(same(ck->key, CLOCK) && ck->n >= 40, E_SYSVAR);
#ifdef NO_CHECKS
  NEED(n == 8, E_INSTRUCTION);
  u64 refund = rd64(d);
#else
  NEED(n == 0, E_INSTRUCTION);
  u64 refund = g->stake; i64 elapsed = (i64)rd64(ck->data + 32) - g->started_at;   /* no overflow: both are clock readings */
  NEED(same(g->operator, by->key) || elapsed >= g->timeout, E_TOO_EARLY);
#endif
  g->state = VOIDED;
  begin(D_VOIDED); put(ga->key, 32); put(g->user, 32); put_int(g->nonce, 8); put_int(refund, 8); put(by->key, 32); emit();
  return 0;
}

NI static u64 op_derive(const u8 *d, u64 n) {
  NEED(n == 105, E_INSTRUCTION); NEED(d[104] >= 1 && d[104] <= 24, E_MINES_COUNT);
  derive(d, d + 32, d + 64, rd64(d + 96), d[104]);
  struct board *b = &CTX->board;
  begin(D_DERIVED); put_int(b->mask, 4); put_int(b->words, 2); put_int(b->blocks, 1); put_int(b->rejected, 1); put_int(d[104], 1); put(b->tiles, d[104]); emit();
  return 0;
}
NI static u64 op_pay(const u8 *d, u64 n) {
  u64 i, m = n / 20; struct ctx *c = CTX; struct game *g = &c->tmp;
  NEED(n == m * 20 && m >= 1 && m <= 64, E_INSTRUCTION);
  for (i = 0; i < m; i++, d += 20) {
    NEED(rd16(d) <= 10000, E_TERMS); NEED(d[2] >= 1 && d[2] <= 24, E_MINES_COUNT); NEED(d[3] <= 25 - d[2], E_REVEALED_MINE);
    g->edge = (u16)rd16(d); g->mines = d[2]; g->stake = rd64(d + 4); g->max_payout = rd64(d + 12); pay(g, d[3], &c->v);
    c->out[2 * i] = c->v.multiplier; c->out[2 * i + 1] = c->v.payout; c->f[i].p = (u8 *)&c->out[2 * i]; c->f[i].n = 16;
  }
  sol_log_data(c->f, m);
  return 0;
}
NI static u64 op_judge(const u8 *d, u64 n) {
  NEED(n == 160, E_INSTRUCTION);
  struct game *g = &CTX->tmp; struct verdict *v = &CTX->v;
  copy(g->commit, d, 32); copy(g->slothash, d + 64, 32); copy(g->user, d + 96, 32); g->nonce = rd64(d + 128); g->mines = d[136];
  g->edge = (u16)rd16(d + 137); g->stake = rd64(d + 139); g->max_payout = rd64(d + 147);
  NEED(g->mines >= 1 && g->mines <= 24, E_MINES_COUNT); NEED(g->edge <= 10000, E_TERMS);
  u64 r = judge(g, d + 32, (u32)rd32(d + 155), (i8)d[159], v); if (r) return r;
  begin(D_JUDGED); put_int(v->mask, 4); put_int(v->multiplier, 8); put_int(v->payout, 8); emit();
  return 0;
}

u64 entrypoint(u8 *in) {
  struct ctx *c = CTX; u64 n = *(u64 *)in, i; u8 *p = in + 8;
  c->n_acc = 0;
  for (i = 0; i < n; i++) {
    NEED(i < MAXACC, E_ACCOUNTS);
    struct acc *a = &c->acc[i];
    if (p[0] != 0xff) {                      /* the same account again */
      const struct acc *o = &c->acc[p[0]]; a->key = o->key; a->owner = o->owner; a->data = o->data; a->n = o->n; a->s = o->s; a->w = o->w;
      p += 8;
    } else {
      a->s = p[1]; a->w = p[2]; a->key = p + 8; a->owner = p + 40; a->n = *(u64 *)(p + 80); a->data = p + 88;
      p = a->data + a->n + 10240; p = (u8 *)(((u64)p + 7) & ~7UL); p += 8;
    }
    c->n_acc++;
  }
  u64 len = *(u64 *)p; p += 8; c->program = p + len;
  NEED(len >= 1, E_INSTRUCTION);
  switch (p[0]) {
  case 1: return start(p + 1, len - 1);
  case 2: return settle(p + 1, len - 1);
  case 3: return cancel(p + 1, len - 1);
  case 0x10: return op_derive(p + 1, len - 1);
  case 0x11: return op_pay(p + 1, len - 1);
  case 0x12: return op_judge(p + 1, len - 1);
  default: return E_INSTRUCTION;
  }
}
