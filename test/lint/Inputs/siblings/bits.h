#ifndef BITS_H
#define BITS_H
#define QUICK inline
enum { SHIFT = 5 };
uint rotate_left(uint x, uint n) { return (x << n) | (x >> (32 - n)); }
#endif
