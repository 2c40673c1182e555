#pragma once
#include <nettle/hmac.h>
