#pragma once
#include <gmime/gmime.h>

/// The cast macro `GMIME_OBJECT`, which Swift does not import.
static inline GMimeObject *gmime_object(void *instance) { return GMIME_OBJECT(instance); }
