/* An element's way to DRAM and back, in words and as JSON. */
#include "cli/chain.h"

#include <string.h>

int
tl_cli_read_element (const TlCliCommand *command, const char *text, guint64 *row, guint64 *column)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  if (g_strv_length (parts) == 2)
    {
      g_strstrip (parts[0]);
      g_strstrip (parts[1]);
      if (g_ascii_string_to_unsigned (parts[0], 10, 0, G_MAXINT64, row, NULL)
          && g_ascii_string_to_unsigned (parts[1], 10, 0, G_MAXINT64, column, NULL))
        return TL_GO_ON;
    }
  return tl_cli_usage (command, "--element wants ROW,COLUMN, such as 3,17; \"%s\" is none", text);
}

int
tl_cli_read_place (const TlCliCommand *command, const char *text, const TlAddressMap *map, TlPlaceOf *place)
{
  g_auto (GStrv) parts = g_strsplit (text, ",", -1);

  *place = (TlPlaceOf) { 0 };
  for (guint i = 0; parts[i] != NULL; i++)
    {
      char   *equals = strchr (parts[i], '=');
      TlLevel level = 0;
      guint64 value;

      if (equals == NULL)
        return tl_cli_usage (command, "--at wants LEVEL=NUMBER, such as tier=0,bank=1,row=0,column=2; \"%s\" is none",
                             parts[i]);
      *equals = '\0';
      while (level < TL_N_LEVELS && strcmp (g_strstrip (parts[i]), tl_level_name (level)) != 0)
        level++;
      if (level == TL_N_LEVELS)
        return tl_cli_usage (
            command, "there is no level \"%s\": channel, pseudo_channel, tier, group, bank, row, column", parts[i]);
      guint width = tl_address_map_width (map, level);
      if (!g_ascii_string_to_unsigned (g_strstrip (equals + 1), 10, 0, G_MAXINT64, &value, NULL) || value >> width != 0)
        return tl_cli_usage (command, "%s is 0 to %" G_GUINT64_FORMAT " on this machine, not \"%s\"", parts[i],
                             ((guint64) 1 << width) - 1, equals + 1);
      place->at[level] = value;
    }
  return TL_GO_ON;
}

static gboolean
is_shown (const TlAddressMap *map, TlLevel level)
{
  return level == TL_LEVEL_BANK || level >= TL_LEVEL_ROW || tl_address_map_width (map, level) > 0;
}

/* "tier 0 bank 3 row 0 column 1" (transfer full) */
static char *
place_text (const TlAddressMap *map, guint64 address)
{
  TlPlaceOf place = tl_address_map_split (map, address);
  GString  *text = g_string_new (NULL);

  for (TlLevel level = 0; level < TL_N_LEVELS; level++)
    if (is_shown (map, level))
      g_string_append_printf (text, "%s%s %" G_GUINT64_FORMAT, text->len > 0 ? " " : "", tl_level_name (level),
                              place.at[level]);
  return g_string_free (text, FALSE);
}

/* "3" or "3 to 5" (transfer full) */
static char *
range_text (guint first, guint n)
{
  return n > 1 ? g_strdup_printf ("%u-%u", first, first + n - 1) : g_strdup_printf ("%u", first);
}

void
tl_cli_print_element (const TlChain *chain, const TlAddressMap *map, guint32 quantum, const char *name,
                      const TlChainElement *element)
{
  printf ("%s: tile %" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT ", inside it %" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT
          "; an image of %" G_GUINT64_FORMAT " unit%s of %u bytes\n",
          name, element->tile_row, element->tile_column, element->inside_row, element->inside_column,
          tl_chain_units (chain), tl_chain_units (chain) == 1 ? "" : "s", quantum);
  for (guint i = 0; i < element->n_threads; i++)
    printf ("%s%u%s", i == 0 ? (element->n_threads > 1 ? "  threads " : "  thread ") : " ", element->threads[i],
            i + 1 < element->n_threads ? "," : "");
  if (element->n_threads > 0)
    printf (", local %u\n", element->local);
  printf ("  %-6s %-16s %-18s %-18s %-10s %s\n", "bits", "of the thread", "of the image", "unit", "address", "place");
  for (guint i = 0; i < element->parts->len; i++)
    {
      const TlChainPart *part = &g_array_index (element->parts, TlChainPart, i);
      g_autofree char   *bits = range_text (part->first, part->n_bits);
      g_autofree char   *thread = range_text (part->register_bit, part->n_bits);
      g_autofree char   *of_thread
          = element->n_threads > 0 ? g_strdup_printf ("%u: %s", part->thread, thread) : g_strdup ("-");
      g_autofree char *in_byte = range_text (part->bit, part->n_bits);
      g_autofree char *byte = g_strdup_printf ("byte %" G_GUINT64_FORMAT ": %s", part->byte, in_byte);
      g_autofree char *unit = g_strdup_printf ("%u, its byte %" G_GUINT64_FORMAT, part->unit, part->byte % quantum);
      g_autofree char *address = g_strdup_printf ("0x%" G_GINT64_MODIFIER "x", part->address);
      g_autofree char *place = place_text (map, part->address);

      printf ("  %-6s %-16s %-18s %-18s %-10s %s\n", bits, of_thread, byte, unit, address, place);
    }
}

/* A run of bits of one element in a unit. */
typedef struct
{
  TlChainBit from;
  guint      n_bits, at; /* of the unit */
} Run;

/* Of Run; padding is left out. (transfer full) */
static GArray *
runs_of (const TlChain *chain, guint32 quantum, guint64 address, TlChainBit *first)
{
  GArray *runs = g_array_new (FALSE, FALSE, sizeof (Run));

  for (guint bit = 0; bit < 8 * quantum; bit++)
    {
      TlChainBit found;
      Run       *last = runs->len > 0 ? &g_array_index (runs, Run, runs->len - 1) : NULL;

      tl_chain_of_address (chain, address, bit, &found);
      if (bit == 0)
        *first = found;
      if (found.kind != TL_CHAIN_ELEMENT)
        continue;
      if (last != NULL && last->at + last->n_bits == bit && last->from.row == found.row
          && last->from.column == found.column && last->from.element_bit + last->n_bits == found.element_bit)
        last->n_bits++;
      else
        {
          Run run = { found, 1, bit };
          g_array_append_val (runs, run);
        }
    }
  return runs;
}

void
tl_cli_print_unit (const TlChain *chain, const TlAddressMap *map, guint32 quantum, const char *name, guint64 address)
{
  TlChainBit first;
  g_autoptr (GArray) runs = runs_of (chain, quantum, address, &first);
  g_autofree char *place = place_text (map, address);

  printf ("%s, address 0x%" G_GINT64_MODIFIER "x: ", place, address);
  if (first.kind == TL_CHAIN_NOTHING)
    {
      printf ("nothing of %s\n", name);
      return;
    }
  printf ("unit %u of tile %" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT " of %s, %u %s\n", first.unit, first.tile_row,
          first.tile_column, name, runs->len, runs->len == 1 ? "element" : "elements or parts of them");
  guint width = 0;
  for (guint i = 0; i < runs->len; i++)
    {
      const Run       *run = &g_array_index (runs, Run, i);
      g_autofree char *bits = range_text (run->from.element_bit, run->n_bits);
      g_autofree char *text = g_strdup_printf ("%s[%" G_GUINT64_FORMAT ",%" G_GUINT64_FORMAT "] %s", name,
                                               run->from.row, run->from.column, bits);
      if (run->at % 8 == 0 || width == 0)
        {
          guint byte = run->at / 8;
          printf ("%s  byte %3u:", width > 0 ? "\n" : "", byte);
        }
      printf ("  %s", text);
      width++;
    }
  if (width > 0)
    puts ("");
}

static void
json_place (JsonBuilder *builder, const TlAddressMap *map, guint64 address)
{
  TlPlaceOf place = tl_address_map_split (map, address);

  tl_json_int (builder, "address", address);
  for (TlLevel level = 0; level < TL_N_LEVELS; level++)
    if (is_shown (map, level))
      tl_json_int (builder, tl_level_name (level), place.at[level]);
}

static void
json_pair (JsonBuilder *builder, const char *name, guint64 a, guint64 b)
{
  tl_json_begin_array (builder, name);
  json_builder_add_int_value (builder, (gint64) a);
  json_builder_add_int_value (builder, (gint64) b);
  json_builder_end_array (builder);
}

void
tl_cli_json_element (JsonBuilder *builder, const TlAddressMap *map, const TlChainElement *element)
{
  json_pair (builder, "tile", element->tile_row, element->tile_column);
  json_pair (builder, "inside", element->inside_row, element->inside_column);
  tl_json_begin_array (builder, "threads");
  for (guint i = 0; i < element->n_threads; i++)
    json_builder_add_int_value (builder, element->threads[i]);
  json_builder_end_array (builder);
  if (element->n_threads > 0)
    tl_json_int (builder, "local", element->local);
  else
    tl_json_text (builder, "local", NULL);
  tl_json_begin_array (builder, "parts");
  for (guint i = 0; i < element->parts->len; i++)
    {
      const TlChainPart *part = &g_array_index (element->parts, TlChainPart, i);

      tl_json_begin_object (builder, NULL);
      tl_json_int (builder, "first_bit", part->first);
      tl_json_int (builder, "bits", part->n_bits);
      if (element->n_threads > 0)
        {
          tl_json_int (builder, "thread", part->thread);
          tl_json_int (builder, "register_bit", part->register_bit);
        }
      tl_json_int (builder, "byte", part->byte);
      tl_json_int (builder, "bit", part->bit);
      tl_json_int (builder, "unit", part->unit);
      json_place (builder, map, part->address);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

void
tl_cli_json_unit (JsonBuilder *builder, const TlChain *chain, const TlAddressMap *map, guint32 quantum, guint64 address)
{
  TlChainBit first;
  g_autoptr (GArray) runs = runs_of (chain, quantum, address, &first);

  json_place (builder, map, address);
  if (first.kind == TL_CHAIN_NOTHING)
    tl_json_text (builder, "unit", NULL);
  else
    {
      tl_json_int (builder, "unit", first.unit);
      json_pair (builder, "tile", first.tile_row, first.tile_column);
    }
  tl_json_begin_array (builder, "elements");
  for (guint i = 0; i < runs->len; i++)
    {
      const Run *run = &g_array_index (runs, Run, i);

      tl_json_begin_object (builder, NULL);
      tl_json_int (builder, "row", run->from.row);
      tl_json_int (builder, "column", run->from.column);
      tl_json_int (builder, "first_bit", run->from.element_bit);
      tl_json_int (builder, "bits", run->n_bits);
      tl_json_int (builder, "byte", run->from.byte);
      tl_json_int (builder, "bit", run->at % 8);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}
