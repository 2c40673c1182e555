#ifndef FAROL_CPROJ_H
#define FAROL_CPROJ_H

#include <proj.h>

#endif
