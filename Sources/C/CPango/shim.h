// Pango and cairo as packaged by Debian.
#pragma once
#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <cairo.h>
#include <pango/pangocairo.h>
