#ifndef FAROL_CARCHIVE_H
#define FAROL_CARCHIVE_H

#include <archive.h>
#include <archive_entry.h>

#endif
