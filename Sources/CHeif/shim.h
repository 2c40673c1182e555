// libheif as Debian ships it.
#include <libheif/heif.h>
