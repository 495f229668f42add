/* The document keeps a recovery copy at most a second behind the text, and watches its
 * file for others. */
#include "app/document.h"

#include <glib/gi18n.h>

/* From the first change that is not kept yet: a killed process loses no more than this. */
#define KEEP_AFTER_MS 1000

struct _TlDocument
{
  GObject         parent_instance;
  GtkTextBuffer  *buffer;
  char           *path;
  char           *folder;
  char           *name;
  TlDocumentStamp stamp;
  TlDisk          disk;
  TlRecovery     *recovery;
  gboolean        autosave;
  gboolean        troubled; /* said once that nothing can be kept */
  guint           keep;     /* source of the next recovery write */
  guint           look;     /* source of the next look at the disk */
  GFileMonitor   *monitor;
};

G_DEFINE_FINAL_TYPE (TlDocument, tl_document, G_TYPE_OBJECT)

enum
{
  OPENED,
  RENAMED,
  DISK,
  TROUBLE,
  N_SIGNALS
};
static guint signals[N_SIGNALS];

const char *
tl_document_path (TlDocument *document)
{
  return document->path;
}

const char *
tl_document_folder (TlDocument *document)
{
  return document->folder;
}

const char *
tl_document_name (TlDocument *document)
{
  return document->name;
}

TlDisk
tl_document_disk (TlDocument *document)
{
  return document->disk;
}

char *
tl_document_text (TlDocument *document)
{
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (document->buffer, &start, &end);
  return gtk_text_buffer_get_text (document->buffer, &start, &end, TRUE);
}

gboolean
tl_document_is_modified (TlDocument *document)
{
  return gtk_text_buffer_get_modified (document->buffer);
}

gboolean
tl_document_is_used (TlDocument *document)
{
  return document->path != NULL || tl_document_is_modified (document)
         || gtk_text_buffer_get_can_undo (document->buffer);
}

static void
set_disk (TlDocument *document, TlDisk disk)
{
  if (document->disk == disk)
    return;
  document->disk = disk;
  g_signal_emit (document, signals[DISK], 0);
}

void
tl_document_check_disk (TlDocument *document)
{
  gboolean gone = FALSE;

  g_clear_handle_id (&document->look, g_source_remove);
  if (document->path == NULL || !document->stamp.known)
    return;
  gboolean changed = tl_document_file_changed (document->path, &document->stamp, &gone);
  set_disk (document, gone ? TL_DISK_GONE : changed ? TL_DISK_CHANGED : TL_DISK_SAME);
}

static gboolean
on_look (gpointer data)
{
  TlDocument *document = data;

  document->look = 0;
  tl_document_check_disk (document);
  return G_SOURCE_REMOVE;
}

/* Programs that save by renaming make the file vanish for a moment: look a little later. */
static void
on_file_event (GFileMonitor *monitor, GFile *file, GFile *other, GFileMonitorEvent event, TlDocument *document)
{
  if (document->look == 0)
    document->look = g_timeout_add (300, on_look, document);
}

static void
move_to (TlDocument *document, const char *path, const char *name, const char *folder)
{
  g_autofree char *new_path = g_strdup (path);
  g_autofree char *new_folder = g_strdup (folder);
  char            *new_name = path != NULL   ? g_filename_display_basename (path)
                              : name != NULL ? g_strdup (name)
                                             : g_strdup (_ ("untitled.gdsl"));

  g_free (document->path);
  g_free (document->folder);
  g_free (document->name);
  document->path = g_steal_pointer (&new_path);
  document->folder = g_steal_pointer (&new_folder);
  document->name = new_name;
  if (document->monitor != NULL)
    g_signal_handlers_disconnect_by_data (document->monitor, document);
  g_clear_object (&document->monitor);
  g_clear_handle_id (&document->look, g_source_remove);
  if (path != NULL)
    {
      g_autoptr (GFile) file = g_file_new_for_path (path);
      document->monitor = g_file_monitor_file (file, G_FILE_MONITOR_WATCH_MOVES, NULL, NULL);
      if (document->monitor != NULL)
        g_signal_connect (document->monitor, "changed", G_CALLBACK (on_file_event), document);
    }
}

static void
forget_kept (TlDocument *document)
{
  g_clear_handle_id (&document->keep, g_source_remove);
  if (document->recovery != NULL)
    tl_recovery_clear (document->recovery);
}

void
tl_document_begin (TlDocument *document, const char *text, const char *path, const char *name, const char *folder,
                   const TlDocumentStamp *stamp)
{
  forget_kept (document);
  move_to (document, path, name, folder);
  document->stamp = stamp != NULL ? *stamp : (TlDocumentStamp) { 0 };
  gtk_text_buffer_begin_irreversible_action (document->buffer);
  gtk_text_buffer_set_text (document->buffer, text, -1);
  gtk_text_buffer_end_irreversible_action (document->buffer);
  gtk_text_buffer_set_modified (document->buffer, FALSE);
  forget_kept (document);
  set_disk (document, TL_DISK_SAME);
  g_signal_emit (document, signals[OPENED], 0);
  g_signal_emit (document, signals[RENAMED], 0);
}

void
tl_document_adopt (TlDocument *document, TlOrphan *orphan)
{
  TlRecoveryEntry *entry = &orphan->entry;

  tl_document_begin (document, entry->text, entry->path, entry->name, entry->folder, &entry->stamp);
  g_clear_pointer (&document->recovery, tl_recovery_free);
  document->recovery = g_steal_pointer (&orphan->recovery);
  gtk_text_buffer_set_modified (document->buffer, TRUE);
  tl_document_check_disk (document);
}

void
tl_document_flush (TlDocument *document)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  g_clear_handle_id (&document->keep, g_source_remove);
  if (!document->autosave)
    return;
  if (!tl_document_is_modified (document))
    {
      forget_kept (document);
      return;
    }
  if (document->recovery == NULL)
    {
      g_autofree char *folder = tl_recovery_folder ();
      document->recovery = tl_recovery_new (folder);
    }
  text = tl_document_text (document);
  TlRecoveryEntry entry = { text, document->path, document->folder, document->name, document->stamp };
  gboolean        kept = tl_recovery_write (document->recovery, &entry, &error);
  if (!kept && !document->troubled)
    g_signal_emit (document, signals[TROUBLE], 0, error->message);
  document->troubled = !kept;
}

static gboolean
on_keep (gpointer data)
{
  TlDocument *document = data;

  document->keep = 0;
  tl_document_flush (document);
  return G_SOURCE_REMOVE;
}

/* Not put off by further changes: who types without a pause is kept as well. */
static void
on_changed (GtkTextBuffer *buffer, TlDocument *document)
{
  if (document->keep == 0 && document->autosave)
    document->keep = g_timeout_add (KEEP_AFTER_MS, on_keep, document);
}

void
tl_document_set_autosave (TlDocument *document, gboolean autosave)
{
  if (document->autosave == autosave)
    return;
  document->autosave = autosave;
  if (autosave)
    on_changed (document->buffer, document);
  else
    forget_kept (document);
}

gboolean
tl_document_save (TlDocument *document, const char *path, gboolean anyway, GError **error)
{
  g_autofree char *text = tl_document_text (document);
  const char      *target = path != NULL ? path : document->path;
  gboolean         own = g_strcmp0 (target, document->path) == 0;
  TlDocumentStamp  stamp;

  g_return_val_if_fail (target != NULL, FALSE);
  if (!tl_document_file_write (target, text, own && !anyway ? &document->stamp : NULL, &stamp, error))
    return FALSE;
  if (!own)
    {
      g_autofree char *folder = g_strdup (document->folder);
      g_autofree char *place = g_strdup (target);
      move_to (document, place, NULL, folder);
    }
  document->stamp = stamp;
  gtk_text_buffer_set_modified (document->buffer, FALSE);
  forget_kept (document);
  set_disk (document, TL_DISK_SAME);
  g_signal_emit (document, signals[RENAMED], 0);
  return TRUE;
}

gboolean
tl_document_reload (TlDocument *document, GError **error)
{
  g_autofree char *text = NULL;
  g_autofree char *name = NULL;
  g_autofree char *state = NULL;
  TlDocumentStamp  stamp;
  GtkTextIter      start, end;

  g_return_val_if_fail (document->path != NULL, FALSE);
  if (!tl_document_file_read (document->path, &text, &name, &state, &stamp, error))
    return FALSE;
  gtk_text_buffer_begin_user_action (document->buffer);
  gtk_text_buffer_get_bounds (document->buffer, &start, &end);
  gtk_text_buffer_delete (document->buffer, &start, &end);
  gtk_text_buffer_insert (document->buffer, &start, text, -1);
  gtk_text_buffer_end_user_action (document->buffer);
  document->stamp = stamp;
  gtk_text_buffer_set_modified (document->buffer, FALSE);
  forget_kept (document);
  set_disk (document, TL_DISK_SAME);
  return TRUE;
}

void
tl_document_keep_mine (TlDocument *document)
{
  g_autofree char *text = NULL;
  g_autofree char *name = NULL;
  g_autofree char *state = NULL;
  TlDocumentStamp  stamp = { 0 };

  /* Not known: the next save does not compare. */
  if (document->path != NULL && tl_document_file_read (document->path, &text, &name, &state, &stamp, NULL))
    document->stamp = stamp;
  else
    document->stamp = (TlDocumentStamp) { 0 };
  gtk_text_buffer_set_modified (document->buffer, TRUE);
  on_changed (document->buffer, document);
  set_disk (document, TL_DISK_SAME);
}

void
tl_document_discard (TlDocument *document)
{
  forget_kept (document);
  gtk_text_buffer_set_modified (document->buffer, FALSE);
}

TlDocument *
tl_document_new (GtkTextBuffer *buffer)
{
  TlDocument *document = g_object_new (TL_TYPE_DOCUMENT, NULL);

  document->buffer = g_object_ref (buffer);
  g_signal_connect (buffer, "changed", G_CALLBACK (on_changed), document);
  return document;
}

static void
tl_document_dispose (GObject *object)
{
  TlDocument *document = TL_DOCUMENT (object);

  g_clear_handle_id (&document->keep, g_source_remove);
  g_clear_handle_id (&document->look, g_source_remove);
  if (document->buffer != NULL)
    g_signal_handlers_disconnect_by_data (document->buffer, document);
  if (document->monitor != NULL)
    g_signal_handlers_disconnect_by_data (document->monitor, document);
  g_clear_object (&document->monitor);
  g_clear_object (&document->buffer);
  /* What was neither saved nor given up stays for the next start. */
  g_clear_pointer (&document->recovery, tl_recovery_abandon);
  G_OBJECT_CLASS (tl_document_parent_class)->dispose (object);
}

static void
tl_document_finalize (GObject *object)
{
  TlDocument *document = TL_DOCUMENT (object);

  g_free (document->path);
  g_free (document->folder);
  g_free (document->name);
  G_OBJECT_CLASS (tl_document_parent_class)->finalize (object);
}

static void
tl_document_class_init (TlDocumentClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = tl_document_dispose;
  G_OBJECT_CLASS (klass)->finalize = tl_document_finalize;
  signals[OPENED] = g_signal_new ("opened", TL_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[RENAMED] = g_signal_new ("renamed", TL_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[DISK] = g_signal_new ("disk", TL_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[TROUBLE] = g_signal_new ("trouble", TL_TYPE_DOCUMENT, G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 1,
                                   G_TYPE_STRING);
}

static void
tl_document_init (TlDocument *document)
{
  document->autosave = TRUE;
  document->name = g_strdup (_ ("untitled.gdsl"));
}
