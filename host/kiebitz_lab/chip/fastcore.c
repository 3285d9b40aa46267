/* The common instructions of the RP2040's processor in C: many times as fast as the emulator's own, and the same to
 * the cycle. It works on the emulator's registers and memories in place, and gives back at the first instruction that
 * is not for it: one that touches a peripheral, ends an exception, or lets the processor sleep.
 *
 * Three things outside the memories are dealt with here because programs use them all the time: the divider and the
 * spin locks, which live here alone; the count of microseconds; and the state of the I2C blocks, asked in waiting loops.
 *
 * Results and cycles are those of rp2040py 0.3.6, also where silicon differs in details. With a cache in front of the
 * flash (struct xip) cycles of waiting come on top. */

#include "fastcore.h"

static inline uint32_t logic(struct core *s, uint32_t result)
{
    s->n = result >> 31;
    s->z = result == 0;
    return result;
}

static inline uint32_t add(struct core *s, int64_t a, int64_t b)
{
    int64_t raw = a + b;
    uint32_t sum = (uint32_t)raw;
    logic(s, sum);
    s->c = raw != (int64_t)sum;
    s->v = (int64_t)(int32_t)sum != (int64_t)(int32_t)a + (int64_t)(int32_t)b;
    return sum;
}

static inline uint32_t subtract(struct core *s, int64_t a, int64_t b)
{
    uint32_t result = (uint32_t)(a - b), x = (uint32_t)a, y = (uint32_t)b;
    logic(s, result);
    s->c = a >= b;
    s->v = ((x ^ y) & (x ^ result)) >> 31;
    return result;
}

static inline int condition(const struct core *s, uint32_t cond)
{
    int holds = 0;
    switch (cond >> 1) {
    case 0: holds = s->z; break;
    case 1: holds = s->c; break;
    case 2: holds = s->n; break;
    case 3: holds = s->v; break;
    case 4: holds = s->c && !s->z; break;
    case 5: holds = s->n == s->v; break;
    case 6: holds = s->n == s->v && !s->z; break;
    case 7: return 1;
    }
    return cond & 1 ? !holds : holds;
}

/* Shifts by a register, and the other instructions 010000xxxx on two low registers. */
static inline void two_registers(struct core *s, uint32_t op)
{
    uint32_t *r = s->r, m = r[op >> 3 & 7], *d = &r[op & 7], x = *d, shift = m & 0xFF;
    switch (op >> 6 & 15) {
    case 0: *d = logic(s, x & m); break;
    case 1: *d = logic(s, x ^ m); break;
    case 2:
        *d = logic(s, shift < 32 ? x << shift : 0);
        if (shift)
            s->c = x >> ((32 - shift) & 31) & 1;
        break;
    case 3:
        *d = logic(s, shift < 32 ? x >> shift : 0);
        s->c = shift <= 32 ? x >> ((shift - 1) & 31) & 1 : 0;
        break;
    case 4:
        if (shift > 32)
            shift = 32;
        *d = logic(s, shift < 32 ? (uint32_t)((int32_t)x >> shift) : (uint32_t)((int32_t)x >> 31));
        s->c = x >> ((shift - 1) & 31) & 1;
        break;
    case 5: *d = add(s, m, (int64_t)x + s->c); break;
    case 6: *d = subtract(s, x, (int64_t)m + 1 - s->c); break;
    case 7:
        shift &= 31;
        *d = logic(s, shift ? x >> shift | x << (32 - shift) : x);
        s->c = *d >> 31;
        break;
    case 8: logic(s, x & m); break;
    case 9: *d = subtract(s, 0, m); break;
    case 10: subtract(s, x, m); break;
    case 11: add(s, x, m); break;
    case 12: *d = logic(s, x | m); break;
    case 13: *d = logic(s, x * m); break;
    case 14: *d = logic(s, x & ~m); break;
    case 15: *d = logic(s, ~m); break;
    }
}

/* Instructions that load or store one register; 0 if the address is not ours. */
static inline int transfer(struct core *s, uint32_t kind, uint32_t address, uint32_t *t)
{
    const uint8_t *from;
    uint8_t *to;
    switch (kind) {
    case 0: /* STR */
        if (!(to = writable(s, address, 4)))
            return address - SIO_START < SIO_SPAN ? sio_store(s, address - SIO_START, *t) : 0;
        put32(to, *t);
        return 2;
    case 1: /* STRH */
        if (!(to = writable(s, address, 2)))
            return 0;
        put16(to, *t);
        return 2;
    case 2: /* STRB */
        if (!(to = writable(s, address, 1)))
            return 0;
        *to = (uint8_t)*t;
        return 2;
    case 3: /* LDRSB */
        if (!(from = readable(s, address, 1)))
            return 0;
        *t = (uint32_t)(int32_t)(int8_t)*from;
        break;
    case 4: /* LDR */
        if (address & 3)
            return 0;
        if (!(from = readable(s, address, 4)))
            return load_elsewhere(s, address, t);
        *t = get32(from);
        break;
    case 5: /* LDRH */
        if (address & 1 || !(from = readable(s, address, 2)))
            return 0;
        *t = get16(from);
        break;
    case 6: /* LDRB */
        if (!(from = readable(s, address, 1)))
            return 0;
        *t = *from;
        break;
    case 7: /* LDRSH */
        if (address & 1 || !(from = readable(s, address, 2)))
            return 0;
        *t = (uint32_t)(int32_t)(int16_t)get16(from);
        break;
    }
    wait_for_data(s, address);
    return 2;
}

static inline int load_many(struct core *s, uint32_t list, uint32_t address)
{
    uint32_t count = (uint32_t)__builtin_popcount(list);
    const uint8_t *from = readable(s, address, 4 * count);
    if (address & 3 || !from || !count)
        return -1;
    for (int i = 0; i < 8; i++)
        if (list >> i & 1) {
            s->r[i] = get32(from);
            from += 4;
            wait_for_data(s, address);
            address += 4;
        }
    return (int)count;
}

static int push(struct core *s, uint32_t op)
{
    uint32_t *r = s->r, count = (uint32_t)__builtin_popcount(op & 0x1FF), address = r[SP] - 4 * count;
    uint8_t *to = writable(s, address, 4 * count);
    if (!to || !count)
        return 0;
    for (int i = 0; i < 8; i++)
        if (op >> i & 1) {
            put32(to, r[i]);
            to += 4;
        }
    if (op & 0x100)
        put32(to, r[LR]);
    r[SP] = address & ~3u;
    return 1 + __builtin_popcount(op & 0xFF);
}

static int pop(struct core *s, uint32_t op)
{
    uint32_t *r = s->r, list = op & 0xFF, count = (uint32_t)__builtin_popcount(list), sp = r[SP];
    const uint8_t *from = readable(s, sp, 4 * (count + 1));
    uint32_t target;
    if (!from || sp & 3)
        return 0;
    if (!(op & 0x100)) {
        if (load_many(s, list, sp) < 0)
            return 0;
        r[SP] = sp + 4 * count;
        return 1 + (int)count;
    }
    target = get32(from + 4 * count);
    if (target >> 28 == 15) /* the end of an exception */
        return 0;
    if (count)
        load_many(s, list, sp);
    r[SP] = sp + 4 * (count + 1);
    r[PC] = target & ~1u;
    return 3 + (int)count;
}

static int store_many(struct core *s, uint32_t op)
{
    uint32_t *r = s->r, n = op >> 8 & 7, list = op & 0xFF, count = (uint32_t)__builtin_popcount(list);
    uint8_t *to = writable(s, r[n], 4 * count);
    uint32_t end = r[n] + 4 * count;
    if (!to || !count)
        return 0;
    for (int i = 0; i < 8; i++)
        if (list >> i & 1) {
            put32(to, r[i]);
            to += 4;
        }
    if (!(list >> n & 1))
        r[n] = end;
    return 1 + (int)count;
}

/* 1011xxxx: the stack, extensions and reversals. */
static int miscellaneous(struct core *s, uint32_t op)
{
    uint32_t *r = s->r, m = r[op >> 3 & 7], *d = &r[op & 7];
    switch (op >> 8 & 15) {
    case 0:
        r[SP] = (op & 0x80 ? r[SP] - ((op & 0x7F) << 2) : r[SP] + ((op & 0x7F) << 2)) & ~3u;
        return 1;
    case 2:
        switch (op >> 6 & 3) {
        case 0: *d = (uint32_t)(int32_t)(int16_t)m; break;
        case 1: *d = (uint32_t)(int32_t)(int8_t)m; break;
        case 2: *d = m & 0xFFFF; break;
        case 3: *d = m & 0xFF; break;
        }
        return 1;
    case 4:
    case 5: return push(s, op);
    case 10:
        switch (op >> 6 & 3) {
        case 0: *d = __builtin_bswap32(m); return 1;
        case 1: *d = (m & 0x00FF00FFu) << 8 | (m >> 8 & 0x00FF00FFu); return 1;
        case 3: *d = (uint32_t)(int32_t)(int16_t)__builtin_bswap16((uint16_t)m); return 1;
        }
        return 0;
    case 12:
    case 13: return pop(s, op);
    case 6:
        if (op == 0xB672) { /* CPSID i */
            s->primask = 1;
            return 1;
        }
        if (op == 0xB662) { /* CPSIE i */
            s->primask = 0;
            s->leave = s->pending;
            return 1;
        }
        return 0;
    case 15:
        s->event |= op == 0xBF40; /* SEV */
        return op == 0xBF00 || op == 0xBF40;
    }
    return 0;
}

/* 010001xx: add, compare, move and branch with all registers. */
static int high_registers(struct core *s, uint32_t op)
{
    uint32_t *r = s->r, m = op >> 3 & 15, d = (op >> 4 & 8) | (op & 7), value = r[m] + (m == PC ? 2 : 0);
    switch (op >> 8 & 3) {
    case 0:
        value += r[d] + (d == PC ? 2 : 0);
        break;
    case 1:
        subtract(s, r[d], r[m]);
        return 1;
    case 2: break;
    case 3:
        if (op & 7 || r[m] >> 28 == 15)
            return 0;
        value = r[m] & ~1u;
        if (op & 0x80)
            r[LR] = r[PC] | 1;
        r[PC] = value;
        return 2;
    }
    r[d] = d == PC ? value & ~1u : d == SP ? value & ~3u : value;
    return d == PC ? 2 : 1;
}

/* Instructions of 32 bits: branch with link, barriers, and the register that holds interrupts off. */
static int wide(struct core *s, uint32_t op, uint32_t op2)
{
    uint32_t *r = s->r;
    if (op >> 11 == 30 && op2 >> 14 == 3 && (op2 >> 12 & 1)) {
        uint32_t sign = op >> 10 & 1, i1 = 1 - (sign ^ (op2 >> 13 & 1)), i2 = 1 - (sign ^ (op2 >> 11 & 1));
        uint32_t offset = (sign ? 0xFF000000u : 0) | i1 << 23 | i2 << 22 | (op & 0x3FF) << 12 | (op2 & 0x7FF) << 1;
        r[LR] = (r[PC] + 2) | 1;
        r[PC] += 2 + offset;
        return 3;
    }
    if (op == 0xF3BF && (op2 & 0xFFF0) >= 0x8F40 && (op2 & 0xFFF0) <= 0x8F60) {
        r[PC] += 2;
        return 3;
    }
    if (op == 0xF3EF && (op2 & 0xF0FF) == 0x8010 && (op2 >> 8 & 15) < SP) { /* MRS from PRIMASK */
        r[op2 >> 8 & 15] = s->primask;
        r[PC] += 2;
        return 3;
    }
    if (op >> 4 == 0xF38 && op2 == 0x8810 && (op & 15) < SP) { /* MSR to PRIMASK */
        s->primask = r[op & 15] & 1;
        s->leave = s->pending;
        r[PC] += 2;
        return 3;
    }
    return 0;
}

static inline int shift_immediate(struct core *s, uint32_t op)
{
    uint32_t m = s->r[op >> 3 & 7], shift = op >> 6 & 31, *d = &s->r[op & 7];
    switch (op >> 11) {
    case 0:
        *d = logic(s, m << shift);
        if (shift)
            s->c = m >> (32 - shift) & 1;
        break;
    case 1:
        *d = logic(s, shift ? m >> shift : 0);
        s->c = m >> (shift ? shift - 1 : 31) & 1;
        break;
    case 2:
        *d = logic(s, (uint32_t)((int32_t)m >> (shift ? shift : 31)));
        s->c = m >> (shift ? shift - 1 : 31) & 1;
        break;
    }
    return 1;
}

static inline int execute(struct core *s, uint32_t op, const uint8_t *code)
{
    uint32_t *r = s->r, *t = &r[op & 7], *u = &r[op >> 8 & 7], a = r[op >> 3 & 7], five = op >> 6 & 31, imm = op & 0xFF;
    int count;
    switch (op >> 11) {
    case 0: case 1: case 2: return shift_immediate(s, op);
    case 3: {
        uint32_t b = op & 0x400 ? op >> 6 & 7 : r[op >> 6 & 7];
        *t = op & 0x200 ? subtract(s, a, b) : add(s, a, b);
        return 1;
    }
    case 4: *u = logic(s, imm); return 1;
    case 5: subtract(s, *u, imm); return 1;
    case 6: *u = add(s, *u, imm); return 1;
    case 7: *u = subtract(s, *u, imm); return 1;
    case 8:
        if (op & 0x400)
            return high_registers(s, op);
        two_registers(s, op);
        return 1;
    case 9: return transfer(s, 4, ((r[PC] + 2) & ~3u) + (imm << 2), u);
    case 10: case 11: return transfer(s, op >> 9 & 7, a + r[op >> 6 & 7], t);
    case 12: return transfer(s, 0, a + (five << 2), t);
    case 13: return transfer(s, 4, a + (five << 2), t);
    case 14: return transfer(s, 2, a + five, t);
    case 15: return transfer(s, 6, a + five, t);
    case 16: return transfer(s, 1, a + (five << 1), t);
    case 17: return transfer(s, 5, a + (five << 1), t);
    case 18: return transfer(s, 0, r[SP] + (imm << 2), u);
    case 19: return transfer(s, 4, r[SP] + (imm << 2), u);
    case 20: *u = ((r[PC] - 2) & ~3u) + 4 + (imm << 2); return 1;
    case 21: *u = r[SP] + (imm << 2); return 1;
    case 22: case 23: return miscellaneous(s, op);
    case 24: return store_many(s, op);
    case 25: {
        uint32_t n = op >> 8 & 7, end = r[n] + 4 * (uint32_t)__builtin_popcount(imm);
        if ((count = load_many(s, imm, r[n])) < 0)
            return 0;
        if (!(imm >> n & 1))
            r[n] = end;
        return 1 + count;
    }
    case 26: case 27:
        if ((op >> 9 & 7) == 7)
            return 0;
        if (!condition(s, op >> 8 & 15))
            return 1;
        r[PC] += (uint32_t)((int32_t)(int8_t)imm * 2) + 2;
        return 2;
    case 28: r[PC] += (uint32_t)((int32_t)(op << 21) >> 20) + 2; return 2;
    case 30: return wide(s, op, get16(code + 2));
    }
    return 0;
}

/* Runs for so many cycles, or to the first instruction that is not for it; returns the cycles it has taken. */
int64_t run(struct core *s, int64_t cycles)
{
    uint32_t *r = s->r;
    struct xip *xip = s->xip;
    s->n = s->apsr >> 31;
    s->z = s->apsr >> 30 & 1;
    s->c = s->apsr >> 29 & 1;
    s->v = s->apsr >> 28 & 1;
    s->used = 0;
    s->leave = 0;
    while (s->used < cycles && !s->leave) {
        uint32_t pc = r[PC];
        const uint8_t *code = readable(s, pc & ~1u, 4);
        int took;
        if (!code)
            break;
        if (xip)
            wait_for_code(s, xip, pc & ~1u, get16(code));
        r[PC] = pc + 2;
        took = execute(s, get16(code), code);
        if (!took) {
            r[PC] = pc;
            break;
        }
        s->used += took;
    }
    s->apsr = s->n << 31 | s->z << 30 | s->c << 29 | s->v << 28;
    return s->used;
}
