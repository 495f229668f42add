/* tierc build: compile, and print or write what a stage made. */
#include "base/hash.h"
#include "base/number.h"
#include "cli/build-product.h"
#include "cli/cli.h"
#include "emit/stream.h"

#include <glib/gi18n.h>
#include <string.h>
#include <unistd.h>

typedef enum
{
  EMIT_SUMMARY, /* for people */
  EMIT_DUMP,
  EMIT_STREAMS,
  EMIT_JSON,
} Emit;

/* The stage of "g1".."g4", -1 for another word. */
static int
group_stage (const char *word)
{
  for (int stage = TL_STAGE_G1; stage <= TL_STAGE_G4; stage++)
    if (strcmp (word, tl_stage_name (stage)) == 0)
      return stage;
  return -1;
}

static const char *
place_kind (const TlPlaceRule *place)
{
  switch (place->kind)
    {
    case TL_PLACE_FILL:
      return "fill";
    case TL_PLACE_STRIPE:
      return "stripe";
    case TL_PLACE_TIER:
    default:
      return "tier";
    }
}

static char *
place_text (const TlPlaceRule *place)
{
  return place->kind == TL_PLACE_TIER ? g_strdup_printf ("tier %u", place->first)
                                      : g_strdup_printf ("%s %u..%u", place_kind (place), place->first, place->last);
}

static void
owned_tiles (const TlPimProgram *program, guint32 *least, guint32 *most)
{
  g_autofree guint32 *tiles = g_new0 (guint32, program->machine.pus);
  gsize               n = (gsize) program->tiles * program->tiles;

  for (gsize x = 0; x < n; x++)
    tiles[program->owner[x]]++;
  *least = G_MAXUINT32;
  *most = 0;
  for (guint32 p = 0; p < program->machine.pus; p++)
    {
      *least = MIN (*least, tiles[p]);
      *most = MAX (*most, tiles[p]);
    }
}

/* The same passes for every problem; the pair of operators and the order of tiles differ. */
static void
print_passes (const TlBuild *build, const TlSemiring *semiring, const char *traversal)
{
  g_autofree char *pair = semiring != NULL ? tl_semiring_text (semiring) : NULL;

  if (build->passes != NULL)
    printf ("  passes     %s\n", build->passes);
  if (pair != NULL)
    printf ("  derived    %s traversal over %s\n", traversal, pair);
}

static void
print_summary (const TlBuild *build)
{
  const TlPimProgram *program = build->program;
  g_autofree char    *nodes = tl_format_count (program->n);
  g_autofree char    *semiring = tl_semiring_text (program->semiring);
  g_autofree char    *place = place_text (&program->place);
  g_autofree char    *stream = tl_format_bytes (g_bytes_get_size (build->stream));
  guint32             least, most;

  owned_tiles (program, &least, &most);
  printf ("%s over %s on %s\n", program->name, semiring, program->target);
  print_passes (build, program->semiring, "blocked");
  printf ("  size       %s nodes, %u x %u tiles of %u x %u, %u-bit elements\n", nodes, program->tiles, program->tiles,
          program->tile, program->tile, program->element_bits);
  printf ("  owner      %s: %u to %u tiles a PU, %u PUs\n", program->owner_rule, least, most, program->machine.pus);
  for (guint i = 0; i < build->trials->len; i++)
    {
      const TlOwnerTrial *trial = &g_array_index (build->trials, TlOwnerTrial, i);
      g_autofree char    *time = tl_format_ps (trial->makespan_ps);
      printf ("    tried    %s: %s%s\n", trial->rule, time, trial->chosen ? ", chosen" : "");
    }
  printf ("  placement  %s\n", place);
  for (guint i = 0; i < program->objects->len; i++)
    {
      const TlObjectShare *share = &g_array_index (program->objects, TlObjectShare, i);
      g_autofree char     *bytes = tl_format_bytes (share->bytes);
      printf ("    %-8s tier %u, %s\n", share->name, share->tier, bytes);
    }
  printf ("  streams    %s for %u PUs\n", stream, program->machine.pus);
}

/* A program of waves. */
static void
print_pipe (const TlBuild *build)
{
  const TlPipeProgram *program = build->pipe;
  g_autofree char     *stream = tl_format_bytes (g_bytes_get_size (build->stream));

  printf ("%s in waves on %s\n", program->name, program->target);
  print_passes (build, build->grid != NULL ? build->grid->semiring : NULL, "wavefront");
  printf ("  tiles      %u x %u, %u-bit elements, %u table%s\n", program->tiling.tile, program->tiling.tile,
          program->element_bits, program->n_tables, program->n_tables == 1 ? "" : "s");
  printf ("  owner      %s: %s, Compute PUs %u to %u\n", program->owner_rule, program->owner, program->search,
          program->search + program->compute - 1);
  if (program->streams)
    printf ("  queue      %u places, from Search PUs 0 to %u\n", program->depth, program->search - 1);
  printf ("  placement\n");
  for (guint o = 0; o < program->objects->len; o++)
    for (guint t = 0; t < program->machine.tiers; t++)
      {
        const TlWaveObject *object = &g_array_index (program->objects, TlWaveObject, o);
        g_autofree char    *bytes = tl_format_bytes (object->in_tier[t]);

        if (object->in_tier[t] > 0)
          printf ("    %-8s tier %u, %s\n", object->name, t, bytes);
      }
  printf ("  streams    %s for %u PUs\n", stream, program->machine.pus);
}

static void
add_objects (JsonBuilder *builder, const TlPimProgram *program)
{
  tl_json_begin_array (builder, "objects");
  for (guint i = 0; i < program->objects->len; i++)
    {
      const TlObjectShare *share = &g_array_index (program->objects, TlObjectShare, i);

      tl_json_begin_object (builder, NULL);
      tl_json_text (builder, "name", share->name);
      tl_json_int (builder, "tier", share->tier);
      tl_json_int (builder, "bytes", share->bytes);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_data (JsonBuilder *builder, const GPtrArray *sources)
{
  tl_json_begin_array (builder, "data");
  for (guint i = 0; i < sources->len; i++)
    {
      const TlDataSource *data = g_ptr_array_index (sources, i);

      tl_json_begin_object (builder, NULL);
      tl_json_text (builder, "name", data->name);
      tl_json_text (builder, "source", data->source);
      tl_json_hash (builder, "content_hash", data->content_hash);
      json_builder_end_object (builder);
    }
  json_builder_end_array (builder);
}

static void
add_stream (JsonBuilder *builder, GBytes *bytes, guint32 pus)
{
  gsize         length;
  gconstpointer stream = g_bytes_get_data (bytes, &length);

  tl_json_begin_object (builder, "streams");
  tl_json_int (builder, "pus", pus);
  tl_json_int (builder, "bytes", length);
  tl_json_hash (builder, "fnv1a64", tl_fnv1a64 (TL_FNV1A64_START, stream, length));
  json_builder_end_object (builder);
}

static JsonNode *
summary_json (const TlBuild *build)
{
  const TlPimProgram *program = build->program;
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autofree char *semiring = tl_semiring_text (program->semiring);
  g_autofree char *place = place_text (&program->place);
  guint32          least, most;

  owned_tiles (program, &least, &most);
  tl_json_begin_object (builder, NULL);
  tl_json_text (builder, "program", program->name);
  tl_json_text (builder, "target", program->target);
  tl_json_int (builder, "n", program->n);
  tl_json_int (builder, "tile", program->tile);
  tl_json_int (builder, "tiles_per_side", program->tiles);
  tl_json_text (builder, "semiring", semiring);
  tl_json_int (builder, "element_bits", program->element_bits);
  tl_json_text (builder, "mode", program->mode);
  tl_json_begin_object (builder, "owner");
  tl_json_text (builder, "rule", program->owner_rule);
  tl_json_hash (builder, "fnv1a64", tl_pim_program_owner_hash (program));
  tl_json_int (builder, "min", least);
  tl_json_int (builder, "max", most);
  json_builder_end_object (builder);
  tl_json_text (builder, "place", place);
  add_objects (builder, program);
  add_data (builder, program->data);
  add_stream (builder, build->stream, program->machine.pus);
  tl_json_knobs (builder, build);
  tl_json_diags (builder, build->diags, build->source);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

static JsonNode *
pipe_json (const TlBuild *build)
{
  const TlPipeProgram *program = build->pipe;
  g_autoptr (JsonBuilder) builder = json_builder_new ();

  tl_json_begin_object (builder, NULL);
  tl_json_text (builder, "program", program->name);
  tl_json_text (builder, "target", program->target);
  tl_json_int (builder, "tile", program->tiling.tile);
  tl_json_int (builder, "element_bits", program->element_bits);
  tl_json_text (builder, "mode", program->mode);
  tl_json_begin_object (builder, "owner");
  tl_json_text (builder, "rule", program->owner_rule);
  tl_json_text (builder, "map", program->owner);
  json_builder_end_object (builder);
  if (program->streams)
    {
      tl_json_begin_object (builder, "queue");
      tl_json_int (builder, "depth", program->depth);
      tl_json_text (builder, "chosen", program->depth_told ? "you" : "ratio");
      json_builder_end_object (builder);
    }
  tl_json_begin_array (builder, "objects");
  for (guint o = 0; o < program->objects->len; o++)
    for (guint t = 0; t < program->machine.tiers; t++)
      {
        const TlWaveObject *object = &g_array_index (program->objects, TlWaveObject, o);

        if (object->in_tier[t] == 0)
          continue;
        json_builder_begin_object (builder);
        tl_json_text (builder, "name", object->name);
        tl_json_int (builder, "tier", t);
        tl_json_int (builder, "bytes", object->in_tier[t]);
        json_builder_end_object (builder);
      }
  json_builder_end_array (builder);
  add_data (builder, program->data);
  add_stream (builder, build->stream, program->machine.pus);
  tl_json_knobs (builder, build);
  tl_json_diags (builder, build->diags, build->source);
  json_builder_end_object (builder);
  return json_builder_get_root (builder);
}

/* One module, or all of them split as mlir-opt's --split-input-file wants it. */
static char *
dump_text (const TlBuild *build, int first, int last)
{
  GString *text = g_string_new (NULL);

  for (int stage = first; stage <= last; stage++)
    {
      if (build->dump[stage] == NULL)
        continue;
      if (first != last)
        g_string_append_printf (text, "%s// after %s\n", text->len > 0 ? "// -----\n" : "", tl_stage_name (stage));
      g_string_append (text, build->dump[stage]);
    }
  return g_string_free (text, FALSE);
}

/* What --emit, --json or the output's ending ask for; -1 when they ask for nothing that is known. */
static int
emit_kind (const char *emit, gboolean json, gboolean dump, const char *output)
{
  if (emit == NULL && json)
    emit = "json";
  if (emit != NULL)
    return strcmp (emit, "mlir") == 0      ? EMIT_DUMP
           : strcmp (emit, "streams") == 0 ? EMIT_STREAMS
           : strcmp (emit, "json") == 0    ? EMIT_JSON
                                           : -1;
  if (dump)
    return EMIT_DUMP;
  if (output == NULL)
    return EMIT_SUMMARY;
  return g_str_has_suffix (output, TL_STREAM_SUFFIX) ? EMIT_STREAMS
         : g_str_has_suffix (output, ".mlir")        ? EMIT_DUMP
         : g_str_has_suffix (output, ".json")        ? EMIT_JSON
                                                     : -1;
}

static int
write_build (const TlBuild *build, Emit kind, int first, int last, const char *output)
{
  if (output == NULL)
    output = "-";
  switch (kind)
    {
    case EMIT_DUMP:
      {
        g_autofree char *text = dump_text (build, first, last);
        return tl_output_write (output, text, -1);
      }
    case EMIT_STREAMS:
      if (build->product != NULL)
        {
          fputs ("a product on a compute unit has no streams: the module after g4 is what the machine runs\n", stderr);
          return TL_EXIT_WRONG;
        }
      {
        gsize         length;
        gconstpointer data = g_bytes_get_data (build->stream, &length);
        return tl_output_write (output, data, (gssize) length);
      }
    case EMIT_JSON:
      return tl_cli_write_json (output, build->product != NULL ? tl_cli_build_product_json (build)
                                        : build->pipe != NULL  ? pipe_json (build)
                                                               : summary_json (build));
    case EMIT_SUMMARY:
    default:
      if (build->product != NULL)
        tl_cli_build_product_print (build);
      else if (build->pipe != NULL)
        print_pipe (build);
      else
        print_summary (build);
      tl_cli_build_knobs_print (build);
      return TL_EXIT_FINE;
    }
}

static int
build (TlCli *cli, int argc, char **argv)
{
  g_autofree char *dump = NULL;
  g_autofree char *from = NULL;
  g_autofree char *emit = NULL;
  g_autofree char *output = NULL;
  g_auto (GStrv) sets = NULL;
  g_auto (GStrv) arguments = NULL;
  gboolean no_loc = FALSE;
  gboolean json = FALSE;
  g_auto (TlCliSource) source = { 0 };
  const GOptionEntry entries[] = {
    { "dump", 'd', 0, G_OPTION_ARG_STRING, &dump, N_ ("Print the module after a pass group: g1, g2, g3, g4 or all"),
      "GROUP" },
    { "no-loc", 0, 0, G_OPTION_ARG_NONE, &no_loc, N_ ("Leave locations out of modules"), NULL },
    { "from", 0, 0, G_OPTION_ARG_STRING, &from, N_ ("FILE is a module dumped after this group; go on from there"),
      "GROUP" },
    { "emit", 'e', 0, G_OPTION_ARG_STRING, &emit,
      N_ ("Write the last module, the command streams or a report: mlir, streams or json"), "WHAT" },
    { "json", 0, 0, G_OPTION_ARG_NONE, &json, N_ ("The same as --emit=json"), NULL },
    { "output", 'o', 0, G_OPTION_ARG_FILENAME, &output, N_ ("Where to; the ending (.mlir, .tls, .json) says what"),
      "FILE" },
    { "set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &sets,
      N_ ("Override a config line, or target.KEY a number of the machine"), "KEY=VALUE" },
    G_OPTION_ENTRY_NULL,
  };
  int status = tl_cli_options (&tl_cli_build, entries, argc, argv, &arguments);

  if (status != TL_GO_ON)
    return status;
  if (g_strv_length (arguments) != 1)
    return tl_cli_usage (&tl_cli_build, "one FILE is built at a time");
  if ((status = tl_cli_settings_valid (&tl_cli_build, sets)) != TL_GO_ON)
    return status;
  if (dump != NULL && (emit != NULL || json))
    return tl_cli_usage (&tl_cli_build, "--dump and --emit exclude each other");
  int first = dump == NULL ? TL_STAGE_G4 : strcmp (dump, "all") == 0 ? TL_STAGE_G1 : group_stage (dump);
  int last = dump != NULL && strcmp (dump, "all") != 0 ? first : TL_STAGE_G4;
  if (first < 0)
    return tl_cli_usage (&tl_cli_build, "--dump is g1, g2, g3, g4 or all, not \"%s\"", dump);
  int from_stage = from != NULL ? group_stage (from) : TL_STAGE_TEXT;
  if (from_stage < 0)
    return tl_cli_usage (&tl_cli_build, "--from is g1, g2, g3 or g4, not \"%s\"", from);
  if (from != NULL && last < from_stage)
    return tl_cli_usage (&tl_cli_build, "a module after %s holds no module after %s", from, dump);
  int kind = emit_kind (emit, json, dump != NULL, output);
  if (kind < 0)
    return emit != NULL
               ? tl_cli_usage (&tl_cli_build, "--emit is mlir, streams or json, not \"%s\"", emit)
               : tl_cli_usage (&tl_cli_build, "what \"%s\" is to hold, its ending does not say; add --emit", output);
  gboolean to_stdout = output == NULL || strcmp (output, "-") == 0;
  if (kind == EMIT_STREAMS && to_stdout && isatty (STDOUT_FILENO))
    return tl_cli_usage (&tl_cli_build, "streams are bytes, not for a terminal; add -o FILE%s", TL_STREAM_SUFFIX);

  if (!tl_cli_source_open (&source, arguments[0]) || !tl_output_probe (output))
    return TL_EXIT_WRONG;
  if ((status = tl_cli_source_judge_settings (&source, &tl_cli_build, sets)) != TL_GO_ON)
    return status;
  gboolean is_module = source.stage >= TL_STAGE_G1 && source.stage <= TL_STAGE_G4;
  if (is_module && from == NULL)
    return tl_cli_usage (&tl_cli_build, "\"%s\" is a module; add --from with the group it was dumped after",
                         arguments[0]);
  if (from != NULL && source.stage == TL_STAGE_STREAM)
    return tl_cli_usage (&tl_cli_build, "\"%s\" is a stream, not a module", arguments[0]);
  if (source.stage == TL_STAGE_STREAM && kind == EMIT_DUMP)
    return tl_cli_usage (&tl_cli_build, "\"%s\" is a stream; it holds no modules", arguments[0]);

  TlBuildOptions options = {
    .from = from != NULL ? (TlStage) from_stage : source.stage,
    .until = kind == EMIT_DUMP ? (TlStage) last : 0,
    .config = (const char *const *) sets,
    /* Redirected output is taken to lie in the current folder. */
    .output = kind == EMIT_STREAMS ? (to_stdout ? "-" : output) : NULL,
    .dumps = kind == EMIT_DUMP,
    .no_loc = no_loc,
  };
  g_autoptr (TlBuild) result = tl_cli_source_build (&source, &options, cli->cancellable);
  status = tl_cli_build_judge (result);
  return status != TL_GO_ON ? status : write_build (result, (Emit) kind, first, last, output);
}

const TlCliCommand tl_cli_build = {
  .name = "build",
  .arguments = "FILE",
  .summary = N_ ("Compile a program into command streams"),
  .details = N_ ("Without --dump, --emit and -o a summary is printed. A stream remembers where its data\n"
                 "lie relative to it, so that \"tierc run FILE.tls\" finds them again."),
  .run = build,
};
