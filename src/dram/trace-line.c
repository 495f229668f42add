/* One line of a trace, in any of the three formats:
 *   load/store   kind address
 *   DRAMsim3     address kind [cycle]
 *   STL          cycle: [(length)] kind address [data] */
#include <string.h>

#include "base/number.h"
#include "dram/trace-private.h"

typedef struct
{
  const char  *line;
  const char  *at;
  TlLineFault *fault;
} Cursor;

static gboolean fail_at (Cursor *cursor, const char *at, const char *reason, const char *format, ...)
    G_GNUC_PRINTF (4, 5);

static gboolean
fail_at (Cursor *cursor, const char *at, const char *reason, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  cursor->fault->message = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  cursor->fault->reason = g_strdup (reason);
  cursor->fault->column = at - cursor->line + 1;
  return FALSE;
}

static void
skip_blanks (Cursor *cursor)
{
  while (*cursor->at == ' ' || *cursor->at == '\t' || *cursor->at == '\f' || *cursor->at == '\v')
    cursor->at++;
}

static gboolean
at_end (Cursor *cursor)
{
  skip_blanks (cursor);
  return *cursor->at == '\0' || *cursor->at == '#';
}

static gsize
word_length (const char *at)
{
  return strcspn (at, " \t\f\v#:()[],");
}

/* The word at the cursor for messages, cut where it is long and made printable. */
static char *
shown (Cursor *cursor)
{
  g_autofree char *word = g_strndup (cursor->at, MIN (word_length (cursor->at), 40));
  g_autofree char *valid = g_utf8_make_valid (*word != '\0' ? word : cursor->at, -1);

  if (*word == '\0' && *valid != '\0')
    *g_utf8_next_char (valid) = '\0';
  return g_steal_pointer (&valid);
}

static const char *
form (TlTraceFormat format)
{
  switch (format)
    {
    case TL_TRACE_LOAD_STORE:
      return "a line reads LD 0x2000 or ST 0x2000";
    case TL_TRACE_DRAMSIM3:
      return "a line reads 0x2000 READ 17";
    case TL_TRACE_STL:
      return "a line reads 17: (64) read 0x2000";
    case TL_TRACE_UNKNOWN:
      break;
    }
  return "a line reads LD 0x2000, or 0x2000 READ 17, or 17: (64) read 0x2000";
}

/* Decimal or 0x hex. */
static gboolean
read_number (Cursor *cursor, const char *what, TlTraceFormat format, guint64 *number)
{
  const char *start;
  guint64     value = 0;

  skip_blanks (cursor);
  start = cursor->at;
  gsize    length = word_length (start);
  gboolean hex = start[0] == '0' && (start[1] == 'x' || start[1] == 'X');
  gsize    i = hex ? 2 : 0;
  for (; i < length; i++)
    {
      int digit = g_ascii_xdigit_value (start[i]);
      if (digit < 0 || (!hex && digit > 9))
        break;
      if (!tl_mul_u64 (value, hex ? 16 : 10, &value) || !tl_add_u64 (value, digit, &value))
        return fail_at (cursor, start, NULL, "the %s does not fit 64 bits", what);
    }
  if (length > (hex ? 2 : 0) && i == length)
    {
      cursor->at += length;
      *number = value;
      return TRUE;
    }
  g_autofree char *word = shown (cursor);
  if (length == 0 && (*start == '\0' || *start == '#'))
    return fail_at (cursor, start, form (format), "the %s is missing", what);
  if (length == 0)
    return fail_at (cursor, start, form (format), "the %s is missing before \"%s\"", what, word);
  gboolean all_hex = !hex;
  for (gsize j = 0; j < length; j++)
    all_hex = all_hex && g_ascii_isxdigit (start[j]);
  return fail_at (cursor, start, all_hex ? "a hex number needs its 0x" : form (format), "\"%s\" is no %s", word, what);
}

/* @found FALSE when the word is no kind. */
static gboolean
read_kind (Cursor *cursor, TlTraceFormat format, gboolean *write)
{
  static const char *const reads[] = { "LD", "LOAD", "R", "RD", "READ", "P_MEM_RD", "P_FETCH", "IFETCH" };
  static const char *const writes[] = { "ST", "STORE", "W", "WR", "WRITE", "P_MEM_WR" };

  skip_blanks (cursor);
  gsize length = word_length (cursor->at);
  for (guint i = 0; i < G_N_ELEMENTS (reads) + G_N_ELEMENTS (writes); i++)
    {
      gboolean    is_write = i >= G_N_ELEMENTS (reads);
      const char *word = is_write ? writes[i - G_N_ELEMENTS (reads)] : reads[i];
      if (strlen (word) == length && g_ascii_strncasecmp (cursor->at, word, length) == 0)
        {
          cursor->at += length;
          *write = is_write;
          return TRUE;
        }
    }
  if (at_end (cursor))
    return fail_at (cursor, cursor->at, form (format), "read or write is missing");
  g_autofree char *word = shown (cursor);
  return fail_at (cursor, cursor->at, form (format), "\"%s\" is neither read nor write", word);
}

/* By the first request: a colon after the first word, a number first, or neither. */
static TlTraceFormat
decide (const Cursor *cursor)
{
  gsize       length = word_length (cursor->at);
  const char *after = cursor->at + length;

  while (*after == ' ' || *after == '\t')
    after++;
  if (*after == ':')
    return TL_TRACE_STL;
  /* ff00 is an address that lacks its 0x. */
  gboolean hex = length > 1 && strspn (cursor->at, "0123456789abcdefABCDEF") == length;
  return hex || g_ascii_isdigit (*cursor->at) ? TL_TRACE_DRAMSIM3 : TL_TRACE_LOAD_STORE;
}

static gboolean
read_load_store (Cursor *cursor, TlRequest *request)
{
  if (!read_kind (cursor, TL_TRACE_LOAD_STORE, &request->write)
      || !read_number (cursor, "address", TL_TRACE_LOAD_STORE, &request->address))
    return FALSE;
  skip_blanks (cursor);
  if (*cursor->at == ',')
    return fail_at (cursor, cursor->at, "write one address a line, LD 0x2000: the target's map takes it apart",
                    "address vectors are not read");
  return TRUE;
}

static gboolean
read_dramsim3 (Cursor *cursor, TlRequest *request)
{
  if (!read_number (cursor, "address", TL_TRACE_DRAMSIM3, &request->address)
      || !read_kind (cursor, TL_TRACE_DRAMSIM3, &request->write))
    return FALSE;
  return at_end (cursor) || read_number (cursor, "cycle", TL_TRACE_DRAMSIM3, &request->cycle);
}

static gboolean
read_stl (Cursor *cursor, TlRequest *request)
{
  guint64 length = 0, data;

  if (!read_number (cursor, "cycle", TL_TRACE_STL, &request->cycle))
    return FALSE;
  skip_blanks (cursor);
  if (*cursor->at != ':')
    return fail_at (cursor, cursor->at, form (TL_TRACE_STL), "a colon is missing after the cycle");
  cursor->at++;
  skip_blanks (cursor);
  if (*cursor->at == '(')
    {
      const char *start = cursor->at++;
      if (!read_number (cursor, "length", TL_TRACE_STL, &length))
        return FALSE;
      skip_blanks (cursor);
      if (*cursor->at != ')')
        return fail_at (cursor, cursor->at, form (TL_TRACE_STL), "a bracket is missing after the length");
      cursor->at++;
      if (length == 0 || length > (1 << 20))
        return fail_at (cursor, start, "a request has 1 to 1,048,576 bytes", "the length is out of range");
      request->bytes = length;
    }
  if (!read_kind (cursor, TL_TRACE_STL, &request->write)
      || !read_number (cursor, "address", TL_TRACE_STL, &request->address))
    return FALSE;
  if (at_end (cursor))
    return TRUE;
  /* Data that a write carries: hex of any length; not kept. */
  if (g_str_has_prefix (cursor->at, "0x") && strspn (cursor->at + 2, "0123456789abcdefABCDEF") > 0)
    {
      cursor->at += 2 + strspn (cursor->at + 2, "0123456789abcdefABCDEF");
      return TRUE;
    }
  return read_number (cursor, "data", TL_TRACE_STL, &data);
}

gboolean
tl_trace_line (const char *line, TlTraceFormat *format, TlRequest *request, gboolean *found, TlLineFault *fault)
{
  Cursor   cursor = { line, line, fault };
  gboolean good = FALSE;

  *found = FALSE;
  if (at_end (&cursor))
    return TRUE;
  TlTraceFormat looks = decide (&cursor);
  TlTraceFormat wanted = *format == TL_TRACE_UNKNOWN ? looks : *format;
  *request = (TlRequest) { 0 };
  switch (wanted)
    {
    case TL_TRACE_LOAD_STORE:
      good = read_load_store (&cursor, request);
      break;
    case TL_TRACE_DRAMSIM3:
      good = read_dramsim3 (&cursor, request);
      break;
    case TL_TRACE_STL:
      good = read_stl (&cursor, request);
      break;
    case TL_TRACE_UNKNOWN:
      break;
    }
  if (!good)
    {
      /* Nothing was recognised yet: all forms are possible. */
      if (*format == TL_TRACE_UNKNOWN && fault->column == (guint) (strspn (line, " \t\f\v") + 1)
          && g_strcmp0 (fault->reason, form (wanted)) == 0)
        {
          g_free (fault->reason);
          fault->reason = g_strdup (form (TL_TRACE_UNKNOWN));
        }
      return FALSE;
    }
  if (!at_end (&cursor))
    {
      g_autofree char *word = shown (&cursor);
      return fail_at (&cursor, cursor.at, form (wanted), "\"%s\" is too much on this line", word);
    }
  *format = wanted;
  *found = TRUE;
  return TRUE;
}
