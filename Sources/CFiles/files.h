// Calls on files that Swift's Glibc module leaves out: extended attributes.
#include <sys/xattr.h>
