/*
 * The dispatch of requests for visits (docs/reference/visits.md), for `make model-visits`.
 *
 * Two servers look for volunteers at the same time. A server searches first, and makes the offer in a transaction that
 * confirms what it has found; it may be killed in between. Volunteer 2 is willing: she accepts and reports. The others
 * decline, do not answer, or accept and never go there.
 */
#define VOLUNTEERS 3
#define WILLING 2
#define NOBODY VOLUNTEERS
#define KILLS 3

mtype = { waiting, offered, open, accepted, done };

mtype state = waiting;
bool asked[VOLUNTEERS];
byte pending = NOBODY;
byte holder = NOBODY;
/* The offers that wait for an answer. */
byte offers = 0;
byte kills = 0;

#define looksForOne (state == waiting || state == open)

inline firstOne(found) {
  found = 0;
  do
  :: found < VOLUNTEERS && asked[found] -> found++
  :: else -> break
  od
}

active [2] proctype Server() {
  byte found = NOBODY;
  do
  :: state == done -> break
  :: looksForOne ->
    d_step { firstOne(found) }
    if
    :: atomic { kills < KILLS -> kills++ } /* Nothing of the search is left. */
    :: found < VOLUNTEERS ->
      atomic {
        if
        :: looksForOne && pending == NOBODY && !asked[found] ->
          asked[found] = true;
          pending = found;
          offers++;
          state = offered
        :: else -> skip
        fi
      }
    :: found == NOBODY ->
      atomic {
        if
        :: state == waiting -> state = open
        :: else -> skip
        fi
      }
    fi
  od
}

inline endOffer() {
  pending = NOBODY;
  offers--
}

proctype Volunteer(byte me) {
  do
  :: state == done -> break
  :: atomic { state == offered && pending == me && me == WILLING ->
      endOffer(); holder = me; state = accepted }
  :: atomic { state == offered && pending == me && me != WILLING -> endOffer(); state = waiting }
  :: atomic { state == offered && pending == me && me != WILLING ->
      endOffer(); holder = me; state = accepted }
  :: atomic { state == accepted && holder == me && me == WILLING -> holder = NOBODY; state = done }
  /* Missed: the request returns to the queue. */
  :: atomic { state == accepted && holder == me && me != WILLING -> holder = NOBODY; state = waiting }
  od
}

init {
  atomic { run Volunteer(0); run Volunteer(1); run Volunteer(2) }
}

/* Never two offers at once. */
ltl oneOffer { [] (offers <= 1 && (state == offered <-> pending != NOBODY)) }
/* Never lost: there is always somebody who looks, is asked, or goes. */
ltl neverLost { [] (state == done || looksForOne || pending != NOBODY || holder != NOBODY) }
/* A willing volunteer is reached in the end, and goes there. */
ltl reached { <> (state == done) }
