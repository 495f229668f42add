/* A program on disk: reading with every fault answered in words, writing so that
 * either the old or the new text is there, never half of one. No toolkit. */
#pragma once

#include <gio/gio.h>

/* What is larger is no program. */
#define TL_DOCUMENT_MAX_BYTES (16u << 20)

typedef enum
{
  TL_DOCUMENT_ERROR_GONE,      /* no such file (any more) */
  TL_DOCUMENT_ERROR_UNREADABLE,
  TL_DOCUMENT_ERROR_NO_TEXT,   /* not UTF-8, a folder, a device, too large */
  TL_DOCUMENT_ERROR_READ_ONLY, /* the file or its folder */
  TL_DOCUMENT_ERROR_FULL,      /* no room, quota, limit */
  TL_DOCUMENT_ERROR_CHANGED,   /* somebody else wrote it since */
  TL_DOCUMENT_ERROR_UNWRITABLE,
} TlDocumentError;

#define TL_DOCUMENT_ERROR (tl_document_error_quark ())
GQuark tl_document_error_quark (void);

/* How a file looked when it was last read or written: what tells that it changed. */
typedef struct
{
  gboolean known;
  guint64  inode, size;
  gint64   seconds, nanoseconds; /* of the last change */
  guint64  hash;                 /* of the bytes */
} TlDocumentStamp;

/* Text of the file at @path, always UTF-8 without a byte order mark. A figure written by
 * Tierloom gives its program, its file name in @name and its view in @state; else both
 * are NULL. All (transfer full); FALSE with @error in words, naming the file. */
gboolean tl_document_file_read    (const char            *path,
                                   char                 **text,
                                   char                 **name,
                                   char                 **state,
                                   TlDocumentStamp       *stamp,
                                   GError               **error);
/* Writes @text beside the file at @path, then puts it in its place; keeps the file's mode
 * and follows a symbolic link. With @expected, refuses with TL_DOCUMENT_ERROR_CHANGED when
 * the file's bytes are no longer those. @stamp becomes the new look. */
gboolean tl_document_file_write   (const char            *path,
                                   const char            *text,
                                   const TlDocumentStamp *expected,
                                   TlDocumentStamp       *stamp,
                                   GError               **error);
/* TRUE when the file is there and its bytes differ from those of @stamp; @gone (may be
 * NULL) tells that it is not there. */
gboolean tl_document_file_changed (const char            *path,
                                   const TlDocumentStamp *stamp,
                                   gboolean              *gone);
/* Writes finished bytes (a figure) the same way. */
gboolean tl_document_bytes_write  (const char            *path,
                                   GBytes                *bytes,
                                   GError               **error);
