/* Address maps as written: bit lists with XOR, and the usual names. */
#include <string.h>

#include "target/target-private.h"

/* --- names --- */

/* Bits of a level from *next on, lowest first. */
static void
take (TlMapBits *map, TlLevel level, guint *next)
{
  for (guint b = 0; b < map->width[level]; b++)
    map->bits[level][b] = G_GUINT64_CONSTANT (1) << (*next)++;
}

typedef struct
{
  char    name[3];
  TlLevel level;
} Token;

static const Token tokens[] = {
  { "Ch", TL_LEVEL_CHANNEL }, { "Pc", TL_LEVEL_PSEUDO_CHANNEL }, { "Ra", TL_LEVEL_TIER }, { "Ti", TL_LEVEL_TIER },
  { "Bg", TL_LEVEL_GROUP },   { "Ba", TL_LEVEL_BANK },           { "Ro", TL_LEVEL_ROW },  { "Co", TL_LEVEL_COLUMN },
};

/* "RoBaRaCoCh" and its like, highest level first. */
static gboolean
read_order (const char *text, TlMapBits *map, char **reason)
{
  TlLevel  order[TL_N_LEVELS];
  guint    n = 0;
  gboolean has[TL_N_LEVELS] = { FALSE };

  for (const char *at = text; *at != '\0'; at += 2)
    {
      guint i = 0;
      while (i < G_N_ELEMENTS (tokens) && strncmp (at, tokens[i].name, 2) != 0)
        i++;
      if (i == G_N_ELEMENTS (tokens))
        return tl_refuse (reason,
                          "\"%.40s\" is no map: levels are written Ro Ba Bg Ti (or Ra) Co Pc Ch, "
                          "bit lists level = [b0, b1]",
                          text);
      if (has[tokens[i].level])
        return tl_refuse (reason, "\"%.40s\" names the %s twice", text, tl_level_name (tokens[i].level));
      has[tokens[i].level] = TRUE;
      order[n++] = tokens[i].level;
    }
  guint next = 0;
  for (guint i = n; i-- > 0;)
    {
      /* What a level stands for when those below it in the hierarchy are not named. */
      if (order[i] == TL_LEVEL_BANK && !has[TL_LEVEL_GROUP])
        {
          take (map, TL_LEVEL_GROUP, &next);
          has[TL_LEVEL_GROUP] = TRUE;
        }
      if (order[i] == TL_LEVEL_TIER && !has[TL_LEVEL_PSEUDO_CHANNEL])
        {
          take (map, TL_LEVEL_PSEUDO_CHANNEL, &next);
          has[TL_LEVEL_PSEUDO_CHANNEL] = TRUE;
        }
      take (map, order[i], &next);
    }
  for (guint level = 0; level < TL_N_LEVELS; level++)
    if (!has[level] && map->width[level] > 0)
      return tl_refuse (reason, "\"%.40s\" leaves out the %s, which has %u bits", text, tl_level_name (level),
                        map->width[level]);
  return TRUE;
}

/* Ramulator's: four units of a row together, then all levels from the channel down,
 * then the rest of the column, then the row; each level is XORed with the next bits
 * of the column, from its lowest on. */
static gboolean
read_mop4clxor (TlMapBits *map, char **reason)
{
  guint next = 2, column = 0;

  if (map->width[TL_LEVEL_COLUMN] < 2)
    return tl_refuse (reason, "MOP4CLXOR keeps four units of a row together: it needs 4 columns or more");
  map->bits[TL_LEVEL_COLUMN][0] = 1;
  map->bits[TL_LEVEL_COLUMN][1] = 2;
  for (guint level = 0; level < TL_LEVEL_ROW; level++)
    take (map, level, &next);
  for (guint b = 2; b < map->width[TL_LEVEL_COLUMN]; b++)
    map->bits[TL_LEVEL_COLUMN][b] = G_GUINT64_CONSTANT (1) << next++;
  take (map, TL_LEVEL_ROW, &next);
  for (guint level = 0; level <= TL_LEVEL_ROW; level++)
    for (guint b = 0; b < map->width[level]; b++, column++)
      if (column < map->width[TL_LEVEL_COLUMN])
        map->bits[level][b] ^= map->bits[TL_LEVEL_COLUMN][column];
  return TRUE;
}

/* --- bit lists --- */

typedef struct
{
  const char *at;
  guint       bits; /* of a unit's number */
  char      **reason;
} Cursor;

static void
skip_blanks (Cursor *cursor)
{
  while (g_ascii_isspace (*cursor->at))
    cursor->at++;
}

static gboolean
accept (Cursor *cursor, const char *token)
{
  skip_blanks (cursor);
  if (!g_str_has_prefix (cursor->at, token))
    return FALSE;
  cursor->at += strlen (token);
  return TRUE;
}

static gboolean
expected (Cursor *cursor, const char *what)
{
  skip_blanks (cursor);
  if (*cursor->at == '\0')
    return tl_refuse (cursor->reason, "the map ends where %s is wanted", what);
  return tl_refuse (cursor->reason, "\"%.20s\" stands in the map where %s is wanted", cursor->at, what);
}

/* b12, or 12. */
static gboolean
read_bit (Cursor *cursor, guint *bit)
{
  guint value = 0;

  skip_blanks (cursor);
  if (*cursor->at == 'b')
    cursor->at++;
  if (!g_ascii_isdigit (*cursor->at))
    return expected (cursor, "an address bit (b0, b1, ...)");
  for (; g_ascii_isdigit (*cursor->at) && value < 1000; cursor->at++)
    value = value * 10 + (*cursor->at - '0');
  if (value >= cursor->bits)
    return tl_refuse (cursor->reason, "b%u is past the %u bits of a unit's number", value, cursor->bits);
  *bit = value;
  return TRUE;
}

/* A bit, b1 ^ b2 ^ ..., or [b1, b2, ...] which means the same. */
static gboolean
read_xor (Cursor *cursor, guint64 *bits, guint *first, gboolean *single)
{
  gboolean nested = accept (cursor, "[");

  *bits = 0;
  *single = TRUE;
  for (;;)
    {
      guint bit;
      if (!read_bit (cursor, &bit))
        return FALSE;
      guint64 mask = G_GUINT64_CONSTANT (1) << bit;
      if ((*bits & mask) != 0)
        return tl_refuse (cursor->reason, "b%u is XORed with itself", bit);
      if (*bits == 0)
        *first = bit;
      else
        *single = FALSE;
      *bits |= mask;
      if (!accept (cursor, "^") && !(nested && accept (cursor, ",")))
        break;
    }
  if (nested)
    {
      *single = FALSE;
      if (!accept (cursor, "]"))
        return expected (cursor, "]");
    }
  return TRUE;
}

static gboolean
add_bit (Cursor *cursor, TlMapBits *map, TlLevel level, guint *n, guint64 bits)
{
  if (*n >= map->width[level])
    return tl_refuse (cursor->reason, "the list of %s has more than its %u bits", tl_level_name (level),
                      map->width[level]);
  map->bits[level][(*n)++] = bits;
  return TRUE;
}

/* [ item, item, ... ], an item being an XOR or a range b3..b7. */
static gboolean
read_list (Cursor *cursor, TlMapBits *map, TlLevel level)
{
  guint n = 0;

  if (!accept (cursor, "["))
    return expected (cursor, "[");
  while (!accept (cursor, "]"))
    {
      guint64  bits;
      guint    first = 0, last;
      gboolean single;
      if (n > 0 && !accept (cursor, ","))
        return expected (cursor, ", or ]");
      if (!read_xor (cursor, &bits, &first, &single))
        return FALSE;
      if (single && accept (cursor, ".."))
        {
          if (!read_bit (cursor, &last))
            return FALSE;
          for (guint b = first; b <= last; b++)
            if (!add_bit (cursor, map, level, &n, G_GUINT64_CONSTANT (1) << b))
              return FALSE;
          if (last < first)
            return tl_refuse (cursor->reason, "the range b%u..b%u runs backwards", first, last);
        }
      else if (!add_bit (cursor, map, level, &n, bits))
        return FALSE;
    }
  if (n < map->width[level])
    return tl_refuse (cursor->reason, "the list of %s has %u of its %u bits", tl_level_name (level), n,
                      map->width[level]);
  return TRUE;
}

static gboolean
read_level (Cursor *cursor, TlLevel *level)
{
  skip_blanks (cursor);
  gsize length = strspn (cursor->at, G_CSET_a_2_z "_-");
  for (guint i = 0; i < TL_N_LEVELS; i++)
    if (strlen (tl_level_name (i)) == length && strncmp (cursor->at, tl_level_name (i), length) == 0)
      {
        *level = i;
        cursor->at += length;
        return TRUE;
      }
  if (length == 4 && strncmp (cursor->at, "rank", 4) == 0)
    {
      *level = TL_LEVEL_TIER;
      cursor->at += length;
      return TRUE;
    }
  return expected (cursor, "a level (channel, pseudo_channel, tier, group, bank, row, column)");
}

static gboolean
read_lists (const char *text, TlMapBits *map, char **reason)
{
  Cursor   cursor = { .at = text, .reason = reason };
  gboolean seen[TL_N_LEVELS] = { FALSE };

  for (guint level = 0; level < TL_N_LEVELS; level++)
    cursor.bits += map->width[level];
  for (skip_blanks (&cursor); *cursor.at != '\0'; skip_blanks (&cursor))
    {
      TlLevel level = TL_LEVEL_ROW;
      if (!read_level (&cursor, &level))
        return FALSE;
      if (seen[level])
        return tl_refuse (reason, "the %s is given twice", tl_level_name (level));
      seen[level] = TRUE;
      if (!accept (&cursor, "="))
        return expected (&cursor, "=");
      if (!read_list (&cursor, map, level))
        return FALSE;
      while (accept (&cursor, ";") || accept (&cursor, ","))
        ;
    }
  for (guint level = 0; level < TL_N_LEVELS; level++)
    if (!seen[level] && map->width[level] > 0)
      return tl_refuse (reason, "the %s, which has %u bits, is left out", tl_level_name (level), map->width[level]);
  return TRUE;
}

gboolean
tl_map_read (const char *text, TlMapBits *map, char **reason)
{
  while (g_ascii_isspace (*text))
    text++;
  if (strchr (text, '=') != NULL)
    return read_lists (text, map, reason);
  g_autofree char *name = g_strchomp (g_strdup (text));
  if (strcmp (name, "MOP4CLXOR") == 0)
    return read_mop4clxor (map, reason);
  return read_order (name, map, reason);
}
