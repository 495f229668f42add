/* What both sides of an event file know from the events before in the same chunk, and what they
 * guess from it. At the start of a chunk the rows that are open are known, and nothing else. */
#pragma once

#include "dram/event-file-private.h"

#include <string.h>

#define TL_EVENT_MOST_REQUEST (G_GUINT64_CONSTANT (1) << 62)
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

static inline DomainState *
known_domain (const Known *known, guint32 domain)
{
  return domain < known->n_domains && known->domains[domain].met ? &known->domains[domain] : NULL;
}

static inline guint32
guess_row (const Known *known, const DomainState *domain, guint kind)
{
  return kind == TL_EVENT_REF ? 0 : kind != TL_EVENT_ACT && domain != NULL ? domain->row : known->row;
}

static inline guint16
guess_column (const DomainState *domain, guint kind)
{
  return tl_event_has_column (kind) && domain != NULL ? domain->column : 0;
}

static inline guint64
guess_opener (const DomainState *domain, guint kind)
{
  return kind == TL_EVENT_PRE && domain != NULL ? domain->opener : TL_NO_REQUEST;
}

/* The event has happened: what is known then. */
static inline void
known_learn (Known *known, const TlEvent *event, guint32 who)
{
  if (event->request != TL_NO_REQUEST)
    {
      known->requests[event->request % KNOWN_REQUESTS]
          = (RequestState) { event->request, event->entered, event->domain, who };
      known->next[event->kind] = event->request + 1;
    }
  known->who = who;
  if (G_UNLIKELY (event->domain >= known->n_domains))
    {
      if (event->kind == TL_EVENT_ACT)
        known->row = event->row;
      known_reach (known, event->domain);
      if (event->domain >= known->n_domains)
        return;
    }

  DomainState *domain = &known->domains[event->domain];

  if (G_UNLIKELY (!domain->met))
    *domain = (DomainState) { .met = TRUE, .opener = TL_NO_REQUEST, .row = known->row };
  if (event->kind == TL_EVENT_ACT)
    {
      known->row = domain->row = event->row;
      domain->opener = event->request;
      domain->open = TRUE;
    }
  else if (event->kind == TL_EVENT_PRE)
    domain->open = FALSE;
  else if (tl_event_has_column (event->kind))
    domain->column = event->column + 1;
}
