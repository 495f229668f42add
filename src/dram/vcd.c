/* Value change dumps: IEEE 1364 section 18, with the string signals that viewers know. */
#include "dram/vcd.h"

void
tl_vcd_begin (GString *text)
{
  g_string_append (text, "$version Tierloom $end\n$timescale 1 ps $end\n");
}

static void
append_identifier (GString *text, guint signal)
{
  do
    {
      g_string_append_c (text, (gchar) ('!' + signal % 94));
      signal /= 94;
    }
  while (signal > 0);
}

static void
end_value (GString *text, guint signal)
{
  append_identifier (text, signal);
  g_string_append_c (text, '\n');
}

void
tl_vcd_variable (GString *text, const char *kind, guint width, guint signal, const char *name)
{
  g_string_append_printf (text, "$var %s %u ", kind, width);
  append_identifier (text, signal);
  g_string_append_printf (text, " %s $end\n", name);
}

void
tl_vcd_number (GString *text, guint64 value, guint signal)
{
  gboolean any = FALSE;

  g_string_append_c (text, 'b');
  for (gint bit = 63; bit >= 0; bit--)
    if ((any |= (value >> bit) & 1) || bit == 0)
      g_string_append_c (text, (value >> bit) & 1 ? '1' : '0');
  g_string_append_c (text, ' ');
  end_value (text, signal);
}

void
tl_vcd_none (GString *text, guint signal)
{
  g_string_append (text, "bz ");
  end_value (text, signal);
}

void
tl_vcd_unknown (GString *text, guint signal)
{
  g_string_append (text, "bx ");
  end_value (text, signal);
}

void
tl_vcd_word (GString *text, const char *word, guint signal)
{
  g_string_append_c (text, 's');
  for (; *word != '\0'; word++)
    g_string_append_c (text, *word == ' ' ? '_' : *word);
  g_string_append_c (text, ' ');
  end_value (text, signal);
}

void
tl_vcd_time (GString *text, guint64 time)
{
  g_string_append_printf (text, "#%" G_GUINT64_FORMAT "\n", time);
}
