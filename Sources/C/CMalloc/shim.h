// glibc's memory allocator settings, which Swift's Glibc module does not include.
#include <malloc.h>
