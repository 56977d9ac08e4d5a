/* compat.so - LD_PRELOAD shim that lets MagicBlock's npm-shipped validator run on Debian 12
 * (glibc 2.36) and where few descriptors are allowed. Used together with weaken_verneed.py.
 *  1. __isoc23_*: the C23 strto*()/sscanf names that glibc 2.38 headers redirect to.
 *  2. std::string::_M_replace_cold: a libstdc++ 13 helper (GLIBCXX_3.4.31) that 0.14.10 links to.
 *  3. setrlimit(RLIMIT_NOFILE): the validator demands 1,000,000 descriptors and exits without
 *     them; clamp the request to the hard limit instead. The limit is never raised above it. */
#define _GNU_SOURCE
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>
long __isoc23_strtol(const char *s, char **e, int b) { return strtol(s, e, b); }
long long __isoc23_strtoll(const char *s, char **e, int b) { return strtoll(s, e, b); }
unsigned long __isoc23_strtoul(const char *s, char **e, int b) { return strtoul(s, e, b); }
unsigned long long __isoc23_strtoull(const char *s, char **e, int b) { return strtoull(s, e, b); }
int __isoc23_sscanf(const char *s, const char *f, ...) { va_list a; va_start(a, f); int r = vsscanf(s, f, a); va_end(a); return r; }
void _ZNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE15_M_replace_coldEPcmPKcmm(
    void *self, char *p, size_t len1, const char *s, size_t len2, size_t how_much) {
  (void)self; /* s may lie inside the string: same case split as libstdc++ */
  if (len2 && len2 <= len1) memmove(p, s, len2);
  if (how_much && len1 != len2) memmove(p + len2, p + len1, how_much);
  if (len2 > len1) {
    if (s + len2 <= p + len1) memmove(p, s, len2);
    else if (s >= p + len1) memmove(p, s + (len2 - len1), len2);
    else { size_t left = (size_t)(p + len1 - s); memmove(p, s, left); memmove(p + left, p + len2, len2 - left); }
  }
}
static int clamp(int res, const struct rlimit *want) {
  struct rlimit cur, set = *want;
  if (res == RLIMIT_NOFILE && syscall(SYS_prlimit64, 0, res, (void *)0, &cur) == 0) {
    if (set.rlim_max > cur.rlim_max) set.rlim_max = cur.rlim_max;
    if (set.rlim_cur > set.rlim_max) set.rlim_cur = set.rlim_max;
  }
  return (int)syscall(SYS_prlimit64, 0, res, &set, (void *)0);
}
int setrlimit(__rlimit_resource_t r, const struct rlimit *l) { return clamp((int)r, l); }
int setrlimit64(__rlimit_resource_t r, const struct rlimit64 *l) { return clamp((int)r, (const struct rlimit *)l); }
