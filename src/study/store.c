/* Results in SQLite: a case's rows come and go together, under the key of what they hang on. */
#include "study/study.h"

#include <sqlite3.h>

/* PRAGMA application_id: tells a store from any other database. */
#define APPLICATION 0x54694c6f /* "TiLo" */

struct _TlStudyStore
{
  sqlite3 *database;
};

static gboolean
fail (TlStudyStore *store, const char *what, GError **error)
{
  g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "%s: %s", what, sqlite3_errmsg (store->database));
  return FALSE;
}

static gboolean
execute (TlStudyStore *store, const char *sql, GError **error)
{
  return sqlite3_exec (store->database, sql, NULL, NULL, NULL) == SQLITE_OK || fail (store, "the store", error);
}

/* A number that the database says of itself; -1 on a fault. */
static gint64
pragma (TlStudyStore *store, const char *sql)
{
  sqlite3_stmt *statement = NULL;
  gint64        value = -1;

  if (sqlite3_prepare_v2 (store->database, sql, -1, &statement, NULL) == SQLITE_OK
      && sqlite3_step (statement) == SQLITE_ROW)
    value = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  return value;
}

TlStudyStore *
tl_study_store_open (const char *path, GError **error)
{
  static const char schema[]
      = "PRAGMA application_id = 1416186991;"
        "CREATE TABLE IF NOT EXISTS result (suite TEXT NOT NULL, name TEXT NOT NULL, layout TEXT NOT NULL, "
        "position INTEGER NOT NULL, key INTEGER NOT NULL, requests INTEGER NOT NULL, hit INTEGER NOT NULL, "
        "miss INTEGER NOT NULL, conflict INTEGER NOT NULL, replayed INTEGER NOT NULL, replay_hit INTEGER NOT NULL, "
        "replay_miss INTEGER NOT NULL, replay_conflict INTEGER NOT NULL, kernel INTEGER NOT NULL, "
        "compute INTEGER NOT NULL, latency REAL NOT NULL, PRIMARY KEY (suite, name, layout));";
  g_autoptr (TlStudyStore) store = g_new0 (TlStudyStore, 1);

  if (sqlite3_open (path, &store->database) != SQLITE_OK)
    {
      fail (store, path, error);
      return NULL;
    }
  sqlite3_busy_timeout (store->database, 10000);
  gint64 application = pragma (store, "PRAGMA application_id"),
         tables = pragma (store, "SELECT count(*) FROM sqlite_master");
  if (application < 0 || tables < 0)
    {
      fail (store, path, error);
      return NULL;
    }
  if (application != APPLICATION && tables > 0)
    {
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "%s: a database, but none of studies", path);
      return NULL;
    }
  if (!execute (store, schema, error))
    return NULL;
  return g_steal_pointer (&store);
}

void
tl_study_store_free (TlStudyStore *store)
{
  if (store == NULL)
    return;
  sqlite3_close (store->database);
  g_free (store);
}

gboolean
tl_study_store_has (TlStudyStore *store, const char *suite, const char *name, guint64 key)
{
  sqlite3_stmt *statement = NULL;
  gboolean      found = FALSE;

  if (sqlite3_prepare_v2 (store->database, "SELECT 1 FROM result WHERE suite = ? AND name = ? AND key = ? LIMIT 1", -1,
                          &statement, NULL)
      == SQLITE_OK)
    {
      sqlite3_bind_text (statement, 1, suite, -1, SQLITE_TRANSIENT);
      sqlite3_bind_text (statement, 2, name, -1, SQLITE_TRANSIENT);
      sqlite3_bind_int64 (statement, 3, (sqlite3_int64) key);
      found = sqlite3_step (statement) == SQLITE_ROW;
    }
  sqlite3_finalize (statement);
  return found;
}

/* Removes the case's rows, then puts @row at each @position. */
static gboolean
put_row (TlStudyStore *store, const char *suite, guint64 key, const TlStudyRow *row, guint position, GError **error)
{
  const guint64 numbers[] = { position,      key,           row->requests,   row->hit,         row->miss,
                              row->conflict, row->replayed, row->replay_hit, row->replay_miss, row->replay_conflict,
                              row->kernel,   row->compute };
  sqlite3_stmt *statement = NULL;
  gboolean      done = FALSE;

  if (sqlite3_prepare_v2 (store->database, "INSERT OR REPLACE INTO result VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)", -1,
                          &statement, NULL)
      == SQLITE_OK)
    {
      sqlite3_bind_text (statement, 1, suite, -1, SQLITE_TRANSIENT);
      sqlite3_bind_text (statement, 2, row->name, -1, SQLITE_TRANSIENT);
      sqlite3_bind_text (statement, 3, row->layout, -1, SQLITE_TRANSIENT);
      for (guint i = 0; i < G_N_ELEMENTS (numbers); i++)
        sqlite3_bind_int64 (statement, 4 + (int) i, (sqlite3_int64) numbers[i]);
      sqlite3_bind_double (statement, 16, row->latency);
      done = sqlite3_step (statement) == SQLITE_DONE;
    }
  sqlite3_finalize (statement);
  return done || fail (store, "a result", error);
}

static gboolean
remove_case (TlStudyStore *store, const char *suite, const char *name, GError **error)
{
  sqlite3_stmt *statement = NULL;
  gboolean      done = FALSE;

  if (sqlite3_prepare_v2 (store->database, "DELETE FROM result WHERE suite = ? AND name = ?", -1, &statement, NULL)
      == SQLITE_OK)
    {
      sqlite3_bind_text (statement, 1, suite, -1, SQLITE_TRANSIENT);
      sqlite3_bind_text (statement, 2, name, -1, SQLITE_TRANSIENT);
      done = sqlite3_step (statement) == SQLITE_DONE;
    }
  sqlite3_finalize (statement);
  return done || fail (store, "a result", error);
}

gboolean
tl_study_store_put (TlStudyStore *store, const char *suite, guint64 key, const GArray *rows, GError **error)
{
  gboolean good = execute (store, "BEGIN IMMEDIATE", error);

  if (!good || rows->len == 0)
    return good && execute (store, "COMMIT", error);
  good = remove_case (store, suite, g_array_index (rows, TlStudyRow, 0).name, error);
  for (guint i = 0; good && i < rows->len; i++)
    good = put_row (store, suite, key, &g_array_index (rows, TlStudyRow, i), i, error);
  if (good)
    return execute (store, "COMMIT", error);
  sqlite3_exec (store->database, "ROLLBACK", NULL, NULL, NULL);
  return FALSE;
}

GArray *
tl_study_store_rows (TlStudyStore *store, const char *suite, GError **error)
{
  g_autoptr (GArray) rows = g_array_new (FALSE, TRUE, sizeof (TlStudyRow));
  sqlite3_stmt *statement = NULL;
  int           status;

  g_array_set_clear_func (rows, tl_study_row_clear);
  if (sqlite3_prepare_v2 (store->database, "SELECT * FROM result WHERE suite = ? ORDER BY name, position", -1,
                          &statement, NULL)
      != SQLITE_OK)
    {
      fail (store, "the results", error);
      return NULL;
    }
  sqlite3_bind_text (statement, 1, suite, -1, SQLITE_TRANSIENT);
  while ((status = sqlite3_step (statement)) == SQLITE_ROW)
    {
      TlStudyRow     row = { .name = g_strdup ((const char *) sqlite3_column_text (statement, 1)),
                             .layout = g_strdup ((const char *) sqlite3_column_text (statement, 2)),
                             .latency = sqlite3_column_double (statement, 15) };
      guint64 *const fields[] = { &row.requests, &row.hit,        &row.miss,        &row.conflict,
                                  &row.replayed, &row.replay_hit, &row.replay_miss, &row.replay_conflict,
                                  &row.kernel,   &row.compute };

      for (guint i = 0; i < G_N_ELEMENTS (fields); i++)
        *fields[i] = (guint64) sqlite3_column_int64 (statement, 5 + (int) i);
      g_array_append_val (rows, row);
    }
  sqlite3_finalize (statement);
  if (status != SQLITE_DONE)
    {
      fail (store, "the results", error);
      return NULL;
    }
  return g_steal_pointer (&rows);
}
