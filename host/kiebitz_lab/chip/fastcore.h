/* What the fast core works on: the registers and memories of the emulator, and the few peripherals that live here. */

#ifndef FASTCORE_H
#define FASTCORE_H

#include <stdint.h>
#include <string.h>

#define FLASH_START 0x10000000u
#define FLASH_SPAN 0x04000000u /* four mirrors */
#define FLASH_MASK 0x00FFFFFFu
#define SRAM_START 0x20000000u
#define SRAM_SIZE (264u * 1024u)
#define BOOTROM_SIZE 0x4000u
#define SIO_START 0xD0000000u
#define SIO_SPAN 0x180u
#define TIMER_HIGH 0x40054024u
#define TIMER_LOW 0x40054028u
#define I2C0_STATE 0x40044034u
#define I2C1_STATE 0x40048034u
#define APB_CYCLES 4 /* of a load */
#define XIP_SPAN 0x01000000u /* the first mirror of the flash is read through the cache, the other three are not */
#define XIP_LINE 8u
#define XIP_SETS 1024u /* of two lines each: 16 KB */
#define XIP_MISS_CYCLES 50
#define XIP_NO_WORD 1u /* no address of a word */

enum { SP = 13, LR = 14, PC = 15 };

/* The cache between processor and flash. It knows what it holds but not the content, which always comes from flash. */
struct xip {
    uint64_t hits, accesses;
    uint32_t word;              /* the one last fetched: its second instruction needs no access of its own */
    uint32_t pc;                /* of the last fetch */
    uint16_t tags[XIP_SETS][2]; /* plus 1; 0 is an empty line; the line that was used last comes first */
};

struct core {
    uint32_t *r;
    const uint8_t *flash;
    uint8_t *sram;
    const uint8_t *bootrom;
    struct xip *xip;       /* 0: every read of the flash takes no longer than one of SRAM */
    double nanos;          /* since the timer was reset, at the beginning of a run */
    double cycle_ns;
    uint32_t apsr;         /* the flags between two runs */
    uint32_t primask;      /* interrupts are held off */
    uint32_t pending;      /* there are interrupts that wait */
    uint32_t event;        /* a SEV was seen */
    uint32_t i2c_state[2]; /* raw interrupts of the blocks */
    uint32_t divided;      /* cycles the divider has taken, which cost no time */
    uint32_t locks;
    uint32_t dividend, divisor, quotient, remainder, csr;
    uint32_t n, z, c, v;
    int64_t used; /* cycles of this run */
    int leave;    /* after this instruction, for the interrupts */
};

static inline const uint8_t *readable(const struct core *s, uint32_t address, uint32_t size)
{
    if (address - SRAM_START <= SRAM_SIZE - size)
        return s->sram + (address - SRAM_START);
    if (address - FLASH_START < FLASH_SPAN && (address & FLASH_MASK) <= FLASH_MASK + 1 - size)
        return s->flash + (address & FLASH_MASK);
    if (address <= BOOTROM_SIZE - size)
        return s->bootrom + address;
    return 0;
}

static inline uint8_t *writable(const struct core *s, uint32_t address, uint32_t size)
{
    return address - SRAM_START <= SRAM_SIZE - size ? s->sram + (address - SRAM_START) : 0;
}

/* Look up one address of the flash in the cache. Returns the cycles that the processor waits. */
static int xip_wait(struct xip *x, uint32_t address)
{
    uint32_t line = (address & FLASH_MASK) / XIP_LINE;
    uint16_t *tags = x->tags[line % XIP_SETS], tag = (uint16_t)(line / XIP_SETS + 1);
    int hit = 1;
    x->accesses++;
    if (tags[0] != tag) {
        hit = tags[1] == tag;
        tags[1] = tags[0];
        tags[0] = tag;
    }
    x->hits += (uint32_t)hit;
    return hit ? 0 : XIP_MISS_CYCLES;
}

/* Let time pass for a read of data, if it goes through the cache. */
static inline void wait_for_data(struct core *s, uint32_t address)
{
    if (address - FLASH_START < XIP_SPAN && s->xip)
        s->used += xip_wait(s->xip, address);
}

/* Let time pass for the fetch of an instruction. The processor fetches words: two instructions, or half of a wide one. */
static void wait_for_code(struct core *s, struct xip *x, uint32_t pc, uint32_t op)
{
    if (pc - FLASH_START >= XIP_SPAN) {
        x->word = XIP_NO_WORD;
        return;
    }
    if ((pc & ~3u) != x->word || pc < x->pc)
        s->used += xip_wait(x, pc);
    x->word = pc & ~3u;
    x->pc = pc;
    if (op >> 11 == 30 && pc & 2) {
        x->word += 4;
        s->used += xip_wait(x, x->word);
    }
}

static inline uint32_t get32(const uint8_t *p)
{
    uint32_t value;
    memcpy(&value, p, 4);
    return value;
}

static inline uint32_t get16(const uint8_t *p)
{
    uint16_t value;
    memcpy(&value, p, 2);
    return value;
}

static inline void put32(uint8_t *p, uint32_t value) { memcpy(p, &value, 4); }

static inline void put16(uint8_t *p, uint32_t value)
{
    uint16_t half = (uint16_t)value;
    memcpy(p, &half, 2);
}

static void divide(struct core *s, int is_signed)
{
    if (!s->divisor) {
        s->quotient = s->dividend ? 0xFFFFFFFFu : 1;
        s->remainder = s->dividend;
    } else if (is_signed) {
        int64_t a = (int32_t)s->dividend, b = (int32_t)s->divisor;
        s->quotient = (uint32_t)(a / b);
        s->remainder = (uint32_t)(a % b);
    } else {
        s->quotient = s->dividend / s->divisor;
        s->remainder = s->dividend % s->divisor;
    }
    s->csr = 3;
    s->divided += 8;
}

static int sio_load(struct core *s, uint32_t offset, uint32_t *t)
{
    if (offset >= 0x100) {
        uint32_t bit = 1u << ((offset - 0x100) >> 2);
        *t = s->locks & bit ? 0 : bit;
        s->locks |= bit;
        return 1;
    }
    switch (offset) {
    case 0x00: *t = 0; return 1; /* the number of this core */
    case 0x60: case 0x68: *t = s->dividend; return 1;
    case 0x64: case 0x6C: *t = s->divisor; return 1;
    case 0x70:
        s->csr &= ~2u;
        *t = s->quotient;
        return 1;
    case 0x74: *t = s->remainder; return 1;
    case 0x78: *t = s->csr; return 1;
    }
    return 0;
}

static int sio_store(struct core *s, uint32_t offset, uint32_t value)
{
    if (offset >= 0x100) {
        s->locks &= ~(1u << ((offset - 0x100) >> 2));
        return 1;
    }
    switch (offset) {
    case 0x60: case 0x68:
        s->dividend = value;
        divide(s, offset == 0x68);
        return 1;
    case 0x64: case 0x6C:
        s->divisor = value;
        divide(s, offset == 0x6C);
        return 1;
    case 0x70:
        s->quotient = value;
        s->csr = 3;
        return 1;
    case 0x74:
        s->remainder = value;
        s->csr = 3;
        return 1;
    }
    return 0;
}

/* Loads from outside the memories; 0 if the address is not ours. */
static int load_elsewhere(struct core *s, uint32_t address, uint32_t *t)
{
    if (address - SIO_START < SIO_SPAN)
        return sio_load(s, address - SIO_START, t);
    switch (address) {
    case TIMER_LOW: *t = (uint32_t)(uint64_t)((s->nanos + (double)s->used * s->cycle_ns) / 1000); return APB_CYCLES;
    case TIMER_HIGH: *t = (uint32_t)((uint64_t)((s->nanos + (double)s->used * s->cycle_ns) / 1000) >> 32); return APB_CYCLES;
    case I2C0_STATE: *t = s->i2c_state[0]; return APB_CYCLES;
    case I2C1_STATE: *t = s->i2c_state[1]; return APB_CYCLES;
    }
    return 0;
}

#endif
