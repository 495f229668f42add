/* A program in a text buffer and where it lives: its file, what the file looked like,
 * and the recovery copy of what is not saved. Asks nobody anything; the window does. */
#pragma once

#include "app/recovery.h"

#include <gtk/gtk.h>

#define TL_TYPE_DOCUMENT (tl_document_get_type ())
G_DECLARE_FINAL_TYPE (TlDocument, tl_document, TL, DOCUMENT, GObject)

typedef enum
{
  TL_DISK_SAME,
  TL_DISK_CHANGED, /* another program wrote the file */
  TL_DISK_GONE,
} TlDisk;

/* Signals: "opened" (another program is in it), "renamed" (name, path or folder changed), "disk" (tl_document_disk changed),
 * "trouble" (const char *words: what could not be kept). */
TlDocument *tl_document_new         (GtkTextBuffer         *buffer);
/* Another program: an irreversible change, unmodified. @path: its file, NULL: none yet;
 * @name: what it is called without one (NULL: untitled.gdsl); @folder: where its data
 * files are looked for besides; @stamp: how the file looked (may be NULL). */
void        tl_document_begin       (TlDocument            *document,
                                     const char            *text,
                                     const char            *path,
                                     const char            *name,
                                     const char            *folder,
                                     const TlDocumentStamp *stamp);
/* Goes on with text that a killed process left; takes over its recovery file. */
void        tl_document_adopt       (TlDocument            *document,
                                     TlOrphan              *orphan);
const char *tl_document_path        (TlDocument            *document); /* NULL: no file yet */
const char *tl_document_folder      (TlDocument            *document);
const char *tl_document_name        (TlDocument            *document);
TlDisk      tl_document_disk        (TlDocument            *document);
/* Looks again now. */
void        tl_document_check_disk  (TlDocument            *document);
/* The text as it is. (transfer full) */
char       *tl_document_text        (TlDocument            *document);
gboolean    tl_document_is_modified (TlDocument            *document);
/* Something was typed into it or it has a file: it should not be replaced silently. */
gboolean    tl_document_is_used     (TlDocument            *document);
/* Saves to @path (NULL: its own) and lives there from then on. Unless @anyway, a file
 * changed by others is left alone with TL_DOCUMENT_ERROR_CHANGED. */
gboolean    tl_document_save        (TlDocument            *document,
                                     const char            *path,
                                     gboolean               anyway,
                                     GError               **error);
/* The file's text again; can be undone. */
gboolean    tl_document_reload      (TlDocument            *document,
                                     GError               **error);
/* The changes on disk are not wanted: the next save goes over them. */
void        tl_document_keep_mine   (TlDocument            *document);
/* Whether unsaved changes are kept for a restart. */
void        tl_document_set_autosave (TlDocument           *document,
                                      gboolean              autosave);
/* Writes the recovery copy now if one is due. */
void        tl_document_flush       (TlDocument            *document);
/* The changes are given up. */
void        tl_document_discard     (TlDocument            *document);
