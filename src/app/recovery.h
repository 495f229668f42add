/* Unsaved text, kept in a private folder so that a crash, a kill or a power cut loses
 * at most the last second of typing. One file a document, held by a lock that the system
 * lets go of when its process ends, however it ends. No toolkit. */
#pragma once

#include "app/document-file.h"

typedef struct _TlRecovery TlRecovery;

/* What is needed to go on where it stopped. NULL where a document has none. */
typedef struct
{
  char           *text;
  char           *path;   /* of the file it was opened from or saved to */
  char           *folder; /* where its data files are looked for besides */
  char           *name;   /* what an unsaved one is called */
  TlDocumentStamp stamp;  /* of that file, as this text knows it */
} TlRecoveryEntry;

typedef struct
{
  TlRecovery     *recovery; /* held by us now; still on disk */
  TlRecoveryEntry entry;
} TlOrphan;

/* The folder of this user: "tierloom/recovery" in the state folder. (transfer full) */
char       *tl_recovery_folder      (void);
/* Nothing is on disk before the first write. Returns: (transfer full) */
TlRecovery *tl_recovery_new         (const char            *folder);
/* Replaces what was kept. FALSE with @error in words. */
gboolean    tl_recovery_write       (TlRecovery            *recovery,
                                     const TlRecoveryEntry *entry,
                                     GError               **error);
/* Saved or given up: nothing is kept any longer. */
void        tl_recovery_clear       (TlRecovery            *recovery);
/* Lets go without removing what is kept, as a killed process does. */
void        tl_recovery_abandon     (TlRecovery            *recovery);
/* Clears and frees. */
void        tl_recovery_free        (TlRecovery            *recovery);
/* What processes that are no more left behind, oldest first; unreadable ones are put
 * aside as NAME.broken. Returns: (transfer full) of TlOrphan. */
GPtrArray  *tl_recovery_orphans     (const char            *folder);
void        tl_orphan_free          (TlOrphan              *orphan);

G_DEFINE_AUTOPTR_CLEANUP_FUNC (TlRecovery, tl_recovery_free)
