// libheif as packaged by Debian.
#include <libheif/heif.h>
