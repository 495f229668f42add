/* What both sides of an event file know from the events before in the same chunk, and what they
 * guess from it. At the start of a chunk the rows that are open are known, and nothing else. */
#pragma once

#include "dram/event-file-private.h"

#include <string.h>

/* Requests are below; a mask, too. */
#define TL_EVENT_MOST_REQUEST ((G_GUINT64_CONSTANT (1) << 62) - 1)
#define KNOWN_REQUESTS        2048

typedef struct
{
  guint64 request; /* NOT_MET: none */
  guint64 entered;
  guint32 domain;
  guint32 who;
} RequestState;
/* All bytes 0xfe: no request, and not TL_NO_REQUEST. */
#define NOT_MET 0xfe

typedef struct
{
  guint64 opener;
  guint32 row;
  guint16 column; /* the next one in order */
  guint8  met;
  guint8  open;
} DomainState;

typedef struct
{
  RequestState requests[KNOWN_REQUESTS]; /* by request modulo */
  DomainState *domains;                  /* below TL_EVENT_STATE_DOMAINS */
  guint32      n_domains;
  DomainState  other;   /* of one domain from there on, while its event is dealt with */
  guint64      next[8]; /* of each kind, the request after its last */
  guint32      who;
  guint32      domain;
  guint32      row; /* of the last ACT */
} Known;

static inline guint64
zigzag (guint64 difference)
{
  return difference << 1 ^ (0 - (difference >> 63));
}

static inline guint64
unzigzag (guint64 code)
{
  return code >> 1 ^ (0 - (code & 1));
}

/* Room for @domain, where anything is remembered of it. */
static inline void
known_reach (Known *known, guint32 domain)
{
  guint32 wanted = MAX (known->n_domains, 64);

  if (domain < known->n_domains || domain >= TL_EVENT_STATE_DOMAINS)
    return;
  while (wanted <= domain)
    wanted *= 2;
  known->domains = g_renew (DomainState, known->domains, wanted);
  memset (known->domains + known->n_domains, 0, (wanted - known->n_domains) * sizeof *known->domains);
  known->n_domains = wanted;
}

/* The start of a chunk: of the domains those with an open row stay. */
static inline void
known_begin (Known *known)
{
  memset (known->requests, NOT_MET, sizeof known->requests);
  memset (known->next, 0, sizeof known->next);
  known->who = known->domain = known->row = 0;
  for (guint32 d = 0; d < known->n_domains; d++)
    {
      DomainState *state = &known->domains[d];
      if (state->open)
        state->column = 0;
      else
        *state = (DomainState) { .met = FALSE };
    }
}

static inline const RequestState *
known_request (const Known *known, guint64 request)
{
  const RequestState *state = &known->requests[request % KNOWN_REQUESTS];

  return state->request == request ? state : NULL;
}

/* What is known of @domain before its event; one that is met for the first time has the last ACT's
 * row and no opener. */
static inline DomainState *
known_domain (Known *known, guint32 domain)
{
  DomainState *state;

  if (G_UNLIKELY (domain >= known->n_domains))
    known_reach (known, domain);
  state = domain < known->n_domains ? &known->domains[domain] : &known->other;
  if (G_UNLIKELY (!state->met || domain >= known->n_domains))
    *state = (DomainState) { .met = TRUE, .opener = TL_NO_REQUEST, .row = known->row };
  return state;
}

/* The guesses have no branches: which kind comes next cannot be foreseen. */

static inline guint32
guess_row (const Known *known, const DomainState *domain, guint kind)
{
  guint32 row = kind == TL_EVENT_ACT ? known->row : domain->row;

  return kind == TL_EVENT_REF ? 0 : row;
}

static inline gboolean
has_column (guint kind)
{
  return (1u << TL_EVENT_RD | 1u << TL_EVENT_WR | 1u << TL_EVENT_FORWARD) >> kind & 1;
}

static inline guint16
guess_column (const DomainState *domain, guint kind)
{
  return has_column (kind) ? domain->column : 0;
}

static inline guint64
guess_opener (const DomainState *domain, guint kind)
{
  return kind == TL_EVENT_PRE ? domain->opener : TL_NO_REQUEST;
}

/* The event has happened in @domain: what is known then, but of its request. */
static inline void
known_learn (Known *known, DomainState *domain, const TlEvent *event, guint kind, guint32 who)
{
  const gboolean act = kind == TL_EVENT_ACT;

  known->who = who;
  known->row = act ? event->row : known->row;
  domain->row = act ? event->row : domain->row;
  domain->opener = act ? event->request : domain->opener;
  domain->column = has_column (kind) ? event->column + 1 : domain->column;
  domain->open = (domain->open | act) & (kind != TL_EVENT_PRE);
}
