// glibc's settings for memory, which Swift's Glibc module leaves out.
#include <malloc.h>
