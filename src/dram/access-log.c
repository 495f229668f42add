/* Accesses as differences from the one before, in blocks that are read by themselves. */
#include "dram/access-log.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

/* An access is a byte of flags, then those of unit, arrival, line and maker that the
 * flags do not say, as varints. */
enum
{
  WRITE = 1 << 0,
  NEXT_UNIT = 1 << 1, /* one more than before */
  SAME_ARRIVAL = 1 << 2,
  NEXT_LINE = 1 << 3,
  SAME_LINE = 1 << 4,
  SAME_MAKER = 1 << 5, /* requester and operand */
};
/* Flags, three numbers of ten bytes, a maker. */
#define MOST_BYTES (1 + 3 * 10 + 3)

typedef struct
{
  guint64 unit, arrival, line;
  guint16 requester;
  guint8  operand;
} Before;

typedef struct
{
  guint64 offset;
  guint32 length;
  guint32 n;
} Block;

struct _TlAccessLog
{
  gatomicrefcount refs;
  gsize           memory_cap;
  guint64         count;
  guint64         bytes;
  GByteArray     *memory; /* the first blocks */
  int             file;   /* those after, -1: none */
  GArray         *blocks; /* of Block; offsets go on from memory into the file */
  GByteArray     *filling;
  guint           n; /* in filling */
  Before          before;
};

TlAccessLog *
tl_access_log_new (gsize memory_cap)
{
  TlAccessLog *log = g_new0 (TlAccessLog, 1);

  g_atomic_ref_count_init (&log->refs);
  log->memory_cap = MIN (memory_cap, G_MAXUINT32 / 2);
  log->memory = g_byte_array_new ();
  log->filling = g_byte_array_new ();
  log->blocks = g_array_new (FALSE, FALSE, sizeof (Block));
  log->file = -1;
  return log;
}

TlAccessLog *
tl_access_log_ref (TlAccessLog *log)
{
  g_atomic_ref_count_inc (&log->refs);
  return log;
}

void
tl_access_log_unref (TlAccessLog *log)
{
  if (log == NULL || !g_atomic_ref_count_dec (&log->refs))
    return;
  if (log->file >= 0)
    close (log->file);
  g_byte_array_unref (log->memory);
  g_byte_array_unref (log->filling);
  g_array_unref (log->blocks);
  g_free (log);
}

/* --- writing --- */

static guint8 *
put_number (guint8 *to, guint64 value)
{
  for (; value >= 0x80; value >>= 7)
    *to++ = (guint8) (value | 0x80);
  *to++ = (guint8) value;
  return to;
}

/* A difference modulo 2^64, small ones of either sign in few bytes. */
static guint64
fold (guint64 difference)
{
  return difference << 1 ^ (0 - (difference >> 63));
}

static guint64
unfold (guint64 value)
{
  return value >> 1 ^ (0 - (value & 1));
}

static guint
put_access (guint8 *start, Before *before, const TlAccess *access, guint64 line)
{
  guint8  flags = access->write ? WRITE : 0;
  guint8 *to = start + 1;

  if (access->unit == before->unit + 1)
    flags |= NEXT_UNIT;
  else
    to = put_number (to, fold (access->unit - before->unit));
  if (access->arrival == before->arrival)
    flags |= SAME_ARRIVAL;
  else
    to = put_number (to, fold (access->arrival - before->arrival));
  if (line == before->line + 1)
    flags |= NEXT_LINE;
  else if (line == before->line)
    flags |= SAME_LINE;
  else
    to = put_number (to, fold (line - before->line));
  if (access->requester == before->requester && access->operand == before->operand)
    flags |= SAME_MAKER;
  else
    {
      *to++ = (guint8) access->requester;
      *to++ = (guint8) (access->requester >> 8);
      *to++ = access->operand;
    }
  *start = flags;
  *before = (Before) { access->unit, access->arrival, line, access->requester, access->operand };
  return (guint) (to - start);
}

static gboolean
file_failed (const char *what, GError **error)
{
  int code = errno;

  g_set_error (error, G_FILE_ERROR, g_file_error_from_errno (code), "the temporary file of the trace: %s: %s", what,
               g_strerror (code));
  return FALSE;
}

static gboolean
open_file (TlAccessLog *log, GError **error)
{
  g_autofree char *name = NULL;

  if (log->file >= 0)
    return TRUE;
  log->file = g_file_open_tmp ("tierloom-XXXXXX", &name, error);
  if (log->file < 0)
    return FALSE;
  /* It goes when it is closed, however the program ends. */
  g_unlink (name);
  return TRUE;
}

static gboolean
write_block (TlAccessLog *log, GError **error)
{
  Block  block = { log->bytes, log->filling->len, log->n };
  gsize  done = 0;
  gssize wrote;

  if (log->n == 0)
    return TRUE;
  if (log->file < 0 && log->memory->len + log->filling->len <= log->memory_cap)
    g_byte_array_append (log->memory, log->filling->data, log->filling->len);
  else
    {
      if (!open_file (log, error))
        return FALSE;
      for (; done < log->filling->len; done += (gsize) wrote)
        {
          wrote = write (log->file, log->filling->data + done, log->filling->len - done);
          if (wrote < 0 && errno == EINTR)
            wrote = 0;
          if (wrote < 0)
            return file_failed ("writing", error);
        }
    }
  g_array_append_val (log->blocks, block);
  log->bytes += block.length;
  g_byte_array_set_size (log->filling, 0);
  log->n = 0;
  log->before = (Before) { 0 };
  return TRUE;
}

gboolean
tl_access_log_add (TlAccessLog *log, const TlAccess *accesses, const guint64 *lines, gsize n, GError **error)
{
  for (gsize i = 0; i < n; i++)
    {
      guint8 bytes[MOST_BYTES];
      guint  length = put_access (bytes, &log->before, &accesses[i], lines != NULL ? lines[i] : 0);

      g_byte_array_append (log->filling, bytes, length);
      log->count++;
      if (++log->n == TL_ACCESS_BLOCK && !write_block (log, error))
        return FALSE;
    }
  return TRUE;
}

gboolean
tl_access_log_close (TlAccessLog *log, GError **error)
{
  return write_block (log, error);
}

guint64
tl_access_log_count (const TlAccessLog *log)
{
  return log->count;
}

guint64
tl_access_log_bytes (const TlAccessLog *log)
{
  return log->bytes;
}

gboolean
tl_access_log_is_on_disk (const TlAccessLog *log)
{
  return log->file >= 0;
}

/* --- reading --- */

static const guint8 *
get_number (const guint8 *from, guint64 *value)
{
  guint shift = 0;

  *value = 0;
  do
    {
      *value |= (guint64) (*from & 0x7f) << shift;
      shift += 7;
    }
  while ((*from++ & 0x80) != 0);
  return from;
}

static const guint8 *
get_access (const guint8 *from, Before *before, TlAccess *access, guint64 *line)
{
  guint8  flags = *from++;
  guint64 number = fold (1);

  if ((flags & NEXT_UNIT) == 0)
    from = get_number (from, &number);
  before->unit += unfold (number);
  if ((flags & SAME_ARRIVAL) == 0)
    {
      from = get_number (from, &number);
      before->arrival += unfold (number);
    }
  if ((flags & (NEXT_LINE | SAME_LINE)) == 0)
    {
      from = get_number (from, &number);
      before->line += unfold (number);
    }
  else if ((flags & NEXT_LINE) != 0)
    before->line++;
  if ((flags & SAME_MAKER) == 0)
    {
      before->requester = (guint16) (from[0] | from[1] << 8);
      before->operand = from[2];
      from += 3;
    }
  *access = (TlAccess) {
    .unit = before->unit,
    .arrival = before->arrival,
    .requester = before->requester,
    .operand = before->operand,
    .write = (flags & WRITE) != 0,
  };
  *line = before->line;
  return from;
}

/* The bytes of @block, in @room when they come from the file. NULL with @error. */
static const guint8 *
block_bytes (const TlAccessLog *log, const Block *block, GByteArray *room, GError **error)
{
  gsize done = 0;

  if (block->offset + block->length <= log->memory->len)
    return log->memory->data + block->offset;
  g_byte_array_set_size (room, block->length);
  while (done < block->length)
    {
      gssize got = pread (log->file, room->data + done, block->length - done,
                          (off_t) (block->offset - log->memory->len + done));
      if (got < 0 && errno == EINTR)
        continue;
      if (got <= 0)
        {
          if (got == 0)
            errno = EIO;
          file_failed ("reading", error);
          return NULL;
        }
      done += (gsize) got;
    }
  return room->data;
}

guint
tl_access_log_read (const TlAccessLog *log, guint64 block, TlAccess *accesses, guint64 *lines, GError **error)
{
  g_autoptr (GByteArray) room = g_byte_array_new ();
  Before        before = { 0 };
  const Block  *entry;
  const guint8 *from;

  g_return_val_if_fail (block < log->blocks->len, 0);
  entry = &g_array_index (log->blocks, Block, block);
  from = block_bytes (log, entry, room, error);
  if (from == NULL)
    return 0;
  for (guint i = 0; i < entry->n; i++)
    {
      guint64 line;

      from = get_access (from, &before, &accesses[i], &line);
      if (lines != NULL)
        lines[i] = line;
    }
  return entry->n;
}

gboolean
tl_access_log_get (const TlAccessLog *log, guint64 index, TlAccess *access, guint64 *line, GError **error)
{
  g_autofree TlAccess *accesses = NULL;
  g_autofree guint64  *lines = NULL;
  guint                at = (guint) (index % TL_ACCESS_BLOCK);

  if (index / TL_ACCESS_BLOCK >= log->blocks->len)
    return FALSE;
  accesses = g_new (TlAccess, TL_ACCESS_BLOCK);
  lines = g_new (guint64, TL_ACCESS_BLOCK);
  if (tl_access_log_read (log, index / TL_ACCESS_BLOCK, accesses, lines, error) <= at)
    return FALSE;
  *access = accesses[at];
  if (line != NULL)
    *line = lines[at];
  return TRUE;
}
