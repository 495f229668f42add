/* Commands as text, and in order of time. */
#include "dram/command.h"

#include <string.h>

#include "base/number.h"

const char *
tl_command_name (TlCommandKind kind)
{
  static const char *const names[TL_N_COMMANDS] = { "ACT", "RD", "WR", "PRE", "REF" };

  return kind < TL_N_COMMANDS ? names[kind] : "?";
}

char *
tl_command_text (const TlCommand *command)
{
  GString *text = g_string_new (tl_command_name (command->kind));

  g_string_append_printf (text, " domain %u", command->domain);
  if (command->kind == TL_COMMAND_ACT || command->kind == TL_COMMAND_RD || command->kind == TL_COMMAND_WR)
    g_string_append_printf (text, " row %u", command->row);
  if (command->kind == TL_COMMAND_RD || command->kind == TL_COMMAND_WR)
    g_string_append_printf (text, " column %u", command->column);
  g_string_append_printf (text, " at %" G_GUINT64_FORMAT " ps", command->time);
  return g_string_free (text, FALSE);
}

/* Merges the sorted halves of @commands through @room. */
static void
merge (TlCommand *commands, gsize half, gsize n, TlCommand *room)
{
  gsize left = 0, right = half, out = 0;

  memcpy (room, commands, n * sizeof *commands);
  while (out < n)
    if (right == n || (left < half && room[left].time <= room[right].time))
      commands[out++] = room[left++];
    else
      commands[out++] = room[right++];
}

void
tl_commands_sort (TlCommand *commands, gsize n)
{
  g_autofree TlCommand *room = g_new (TlCommand, MAX (n, 1));

  for (gsize width = 1; width < n; width *= 2)
    for (gsize at = 0; at + width < n; at += 2 * width)
      merge (commands + at, width, MIN (2 * width, n - at), room);
}
