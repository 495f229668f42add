/* The SVG writer: real text, one <g id> with <title> a group, one <path> a style
 * run, patterns, true millimetres, no scripts, and the same bytes for the same
 * scene. Program and view state ride in <metadata>, so that a figure opens again. */
#include "scene/paint.h"

#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlwriter.h>
#include <math.h>
#include <string.h>

#define SVG_NS   "http://www.w3.org/2000/svg"
#define STATE_NS "https://tierloom.github.io/figure/1"
#define X(text)  ((const xmlChar *) (text))

/* Hundredths are enough at any size a page has; fewer bytes, and one spelling. */
static void
append_number (GString *out, double value)
{
  char digits[32];
  long hundredths = lround (value * 100);

  if (hundredths % 100 == 0)
    g_snprintf (digits, sizeof digits, "%ld", hundredths / 100);
  else
    {
      long magnitude = labs (hundredths);
      g_snprintf (digits, sizeof digits, "%s%ld.%02ld", hundredths < 0 ? "-" : "", magnitude / 100, magnitude % 100);
      gsize end = strlen (digits);
      if (digits[end - 1] == '0')
        digits[end - 1] = '\0';
    }
  g_string_append (out, digits);
}

static void
attribute_number (xmlTextWriterPtr writer, const char *name, double value)
{
  g_autoptr (GString) text = g_string_new (NULL);

  append_number (text, value);
  xmlTextWriterWriteAttribute (writer, X (name), X (text->str));
}

static void
attribute_text (xmlTextWriterPtr writer, const char *name, const char *value)
{
  xmlTextWriterWriteAttribute (writer, X (name), X (value));
}

static void
attribute_color (xmlTextWriterPtr writer, const char *name, TlColor color)
{
  if ((color & 0xff) == 0)
    {
      attribute_text (writer, name, "none");
      return;
    }
  g_autofree char *text = tl_color_text (color);
  attribute_text (writer, name, text);
  if ((color & 0xff) != 0xff)
    {
      g_autofree char *opacity = g_strdup_printf ("%s-opacity", name);
      attribute_number (writer, opacity, (color & 0xff) / 255.0);
    }
}

static void
write_stroke (xmlTextWriterPtr writer, const TlStyle *style)
{
  static const char *const dashes[] = { NULL, "4 2", "2 2", "1 2" };

  if ((style->stroke & 0xff) == 0 || style->width <= 0)
    return;
  attribute_color (writer, "stroke", style->stroke);
  if (style->width != 1)
    attribute_number (writer, "stroke-width", style->width);
  if (style->dash != TL_DASH_NONE)
    attribute_text (writer, "stroke-dasharray", dashes[style->dash]);
  if (style->round_cap)
    {
      attribute_text (writer, "stroke-linecap", "round");
      attribute_text (writer, "stroke-linejoin", "round");
    }
}

/* @at: where the path stands, in hundredths; its rectangles are a short step from each other. */
static void
append_rect_path (GString *out, const TlBox *box, long at[2])
{
  long x = lround (box->x * 100), y = lround (box->y * 100);

  /* It stands at 0 0 to begin with, where a first "m" means the same as "M". */
  g_string_append_c (out, 'm');
  append_number (out, (double) (x - at[0]) / 100);
  g_string_append_c (out, ' ');
  append_number (out, (double) (y - at[1]) / 100);
  at[0] = x;
  at[1] = y;
  g_string_append_c (out, 'h');
  append_number (out, box->width);
  g_string_append_c (out, 'v');
  append_number (out, box->height);
  g_string_append_c (out, 'h');
  append_number (out, -box->width);
  g_string_append_c (out, 'z');
}

static void
append_steps (const TlScene *scene, const TlPrimitive *primitive, GString *out)
{
  for (guint i = 0; i < primitive->path.count; i++)
    {
      const TlPathStep *step = &g_array_index (scene->steps, TlPathStep, primitive->path.first + i);
      guint             n = step->op == 'C' ? 6 : step->op == 'Z' ? 0 : 2;
      g_string_append_c (out, step->op);
      for (guint x = 0; x < n; x++)
        {
          if (x > 0)
            g_string_append_c (out, ' ');
          append_number (out, step->x[x]);
        }
    }
}

static void
texture_id (char *out, gsize size, const TlStyle *style)
{
  g_snprintf (out, size, "t%u-%06x", style->texture, style->texture_color >> 8);
}

/* A shape whose geometry @write_geometry adds: once filled and stroked, once more
 * for its texture. */
static void
write_shape (xmlTextWriterPtr writer, const char *element, const char *path, const TlBox *box, const TlStyle *style)
{
  for (guint layer = 0; layer < 2; layer++)
    {
      if (layer == 1 && style->texture == TL_TEXTURE_NONE)
        return;
      xmlTextWriterStartElement (writer, X (element));
      if (path != NULL)
        attribute_text (writer, "d", path);
      else
        {
          attribute_number (writer, "x", box->x);
          attribute_number (writer, "y", box->y);
          attribute_number (writer, "width", box->width);
          attribute_number (writer, "height", box->height);
          if (style->radius > 0)
            attribute_number (writer, "rx", MIN (style->radius, MIN (box->width, box->height) / 2));
        }
      if (layer == 0)
        {
          attribute_color (writer, "fill", style->fill);
          if (style->texture == TL_TEXTURE_NONE)
            write_stroke (writer, style);
        }
      else
        {
          char name[32], reference[48];
          if (style->texture == TL_TEXTURE_SOLID)
            attribute_color (writer, "fill", style->texture_color);
          else
            {
              texture_id (name, sizeof name, style);
              g_snprintf (reference, sizeof reference, "url(#%s)", name);
              attribute_text (writer, "fill", reference);
            }
          write_stroke (writer, style);
        }
      xmlTextWriterEndElement (writer);
    }
}

static void
write_rects (xmlTextWriterPtr writer, const TlScene *scene, const TlPrimitive *primitive)
{
  const TlStyle *style = &primitive->style;

  if (primitive->rects.count == 1 || style->radius > 0)
    {
      for (guint i = 0; i < primitive->rects.count; i++)
        write_shape (writer, "rect", NULL, &g_array_index (scene->boxes, TlBox, primitive->rects.first + i), style);
      return;
    }
  g_autoptr (GString) path = g_string_new (NULL);
  long at[2] = { 0, 0 };
  for (guint i = 0; i < primitive->rects.count; i++)
    append_rect_path (path, &g_array_index (scene->boxes, TlBox, primitive->rects.first + i), at);
  write_shape (writer, "path", path->str, NULL, style);
}

static void
write_text (xmlTextWriterPtr writer, const TlText *text)
{
  static const char *const anchors[] = { NULL, "middle", "end" };

  xmlTextWriterStartElement (writer, X ("text"));
  attribute_number (writer, "x", text->x);
  attribute_number (writer, "y", text->y);
  attribute_number (writer, "font-size", text->size);
  if (text->anchor != TL_ANCHOR_START)
    attribute_text (writer, "text-anchor", anchors[text->anchor]);
  if (text->bold)
    attribute_text (writer, "font-weight", "bold");
  if (text->italic)
    attribute_text (writer, "font-style", "italic");
  if (text->mono)
    attribute_text (writer, "font-family", "DejaVu Sans Mono, monospace");
  attribute_color (writer, "fill", text->color);
  xmlTextWriterWriteString (writer, X (text->text));
  xmlTextWriterEndElement (writer);
}

/* Cells of one colour become one path of row runs. */
static void
write_grid (xmlTextWriterPtr writer, const TlScene *scene, const TlPrimitive *primitive)
{
  guint32       columns = primitive->grid.columns, rows = primitive->grid.rows;
  const guint8 *cells = scene->cells->data + primitive->grid.first;
  double        cell_width = primitive->grid.box.width / columns, cell_height = primitive->grid.box.height / rows;

  xmlTextWriterStartElement (writer, X ("g"));
  attribute_text (writer, "shape-rendering", "crispEdges");
  for (guint color = 0; color < primitive->grid.n_colors; color++)
    {
      TlColor fill = g_array_index (scene->colors, TlColor, primitive->grid.colors_first + color);
      g_autoptr (GString) path = g_string_new (NULL);
      long at[2] = { 0, 0 };
      if ((fill & 0xff) == 0)
        continue;
      for (guint32 y = 0; y < rows; y++)
        for (guint32 x = 0; x < columns;)
          {
            guint32 end = x;
            while (end < columns && cells[y * columns + end] == color)
              end++;
            if (end == x)
              {
                x++;
                continue;
              }
            TlBox box = tl_box (primitive->grid.box.x + x * cell_width, primitive->grid.box.y + y * cell_height,
                                (end - x) * cell_width, cell_height);
            append_rect_path (path, &box, at);
            x = end;
          }
      if (path->len == 0)
        continue;
      xmlTextWriterStartElement (writer, X ("path"));
      attribute_text (writer, "d", path->str);
      attribute_color (writer, "fill", fill);
      xmlTextWriterEndElement (writer);
    }
  xmlTextWriterEndElement (writer);
}

/* The repeat is a hair more than 6: a renderer that cuts it down to whole device px keeps all of it when its scale
 * comes out a hair below 1. */
static void
write_pattern (xmlTextWriterPtr writer, const TlStyle *style)
{
  static const char *const shapes[TL_N_TEXTURES] = {
    [TL_TEXTURE_DIAGONAL] = "M-1 7L7 -1M-1 1L1 -1M5 7L7 5",
    [TL_TEXTURE_CROSS] = "M-1 7L7 -1M-1 1L1 -1M5 7L7 5M-1 -1L7 7",
    [TL_TEXTURE_DOTS] = "M.7 1.5a.8 .8 0 1 1 1.6 0a.8 .8 0 1 1 -1.6 0M3.7 4.5a.8 .8 0 1 1 1.6 0a.8 .8 0 1 1 -1.6 0",
    [TL_TEXTURE_HORIZONTAL] = "M0 1.5H6M0 4.5H6",
    [TL_TEXTURE_VERTICAL] = "M1.5 0V6M4.5 0V6",
    [TL_TEXTURE_BRICK] = "M0 1.5H6M0 4.5H6M1.5 1.5V4.5M4.5 4.5V6M4.5 0V1.5",
  };
  char             name[32];
  g_autofree char *color = tl_color_text (style->texture_color);

  texture_id (name, sizeof name, style);
  xmlTextWriterStartElement (writer, X ("pattern"));
  attribute_text (writer, "id", name);
  attribute_text (writer, "width", "6.001");
  attribute_text (writer, "height", "6.001");
  attribute_text (writer, "patternUnits", "userSpaceOnUse");
  xmlTextWriterStartElement (writer, X ("path"));
  attribute_text (writer, "d", shapes[style->texture]);
  if (style->texture == TL_TEXTURE_DOTS)
    attribute_text (writer, "fill", color);
  else
    {
      attribute_text (writer, "fill", "none");
      attribute_text (writer, "stroke", color);
    }
  xmlTextWriterEndElement (writer);
  xmlTextWriterEndElement (writer);
}

static gboolean
has_pattern (const TlPrimitive *primitive)
{
  return (primitive->kind == TL_PRIMITIVE_RECTS || primitive->kind == TL_PRIMITIVE_PATH)
         && primitive->style.texture > TL_TEXTURE_SOLID;
}

/* <defs>: the patterns used, once each, and the clips. */
static void
write_definitions (xmlTextWriterPtr writer, const TlScene *scene)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  gboolean open = FALSE;
  guint    clips = 0;

  for (guint i = 0; i < scene->primitives->len; i++)
    {
      const TlPrimitive *primitive = &g_array_index (scene->primitives, TlPrimitive, i);
      char               name[32] = "";
      if (has_pattern (primitive))
        texture_id (name, sizeof name, &primitive->style);
      else if (primitive->kind != TL_PRIMITIVE_CLIP_BEGIN)
        continue;
      if (name[0] != '\0' && !g_hash_table_add (seen, g_strdup (name)))
        continue;
      if (!open)
        xmlTextWriterStartElement (writer, X ("defs"));
      open = TRUE;
      if (name[0] != '\0')
        write_pattern (writer, &primitive->style);
      else
        {
          g_autofree char *id = g_strdup_printf ("clip%u", clips++);
          xmlTextWriterStartElement (writer, X ("clipPath"));
          attribute_text (writer, "id", id);
          xmlTextWriterStartElement (writer, X ("rect"));
          attribute_number (writer, "x", primitive->clip.x);
          attribute_number (writer, "y", primitive->clip.y);
          attribute_number (writer, "width", primitive->clip.width);
          attribute_number (writer, "height", primitive->clip.height);
          xmlTextWriterEndElement (writer);
          xmlTextWriterEndElement (writer);
        }
    }
  if (open)
    xmlTextWriterEndElement (writer);
}

static void
write_primitive (xmlTextWriterPtr writer, const TlScene *scene, const TlPrimitive *primitive, guint *clips)
{
  switch (primitive->kind)
    {
    case TL_PRIMITIVE_RECTS:
      write_rects (writer, scene, primitive);
      break;
    case TL_PRIMITIVE_PATH:
      {
        g_autoptr (GString) path = g_string_new (NULL);
        append_steps (scene, primitive, path);
        write_shape (writer, "path", path->str, NULL, &primitive->style);
        break;
      }
    case TL_PRIMITIVE_TEXT:
      write_text (writer, &primitive->text);
      break;
    case TL_PRIMITIVE_GRID:
      write_grid (writer, scene, primitive);
      break;
    case TL_PRIMITIVE_GROUP_BEGIN:
      {
        const TlGroup *group = &g_array_index (scene->groups, TlGroup, primitive->group);
        xmlTextWriterStartElement (writer, X ("g"));
        attribute_text (writer, "id", group->id);
        if (group->title != NULL)
          xmlTextWriterWriteElement (writer, X ("title"), X (group->title));
        break;
      }
    case TL_PRIMITIVE_CLIP_BEGIN:
      {
        g_autofree char *reference = g_strdup_printf ("url(#clip%u)", (*clips)++);
        xmlTextWriterStartElement (writer, X ("g"));
        attribute_text (writer, "clip-path", reference);
        break;
      }
    case TL_PRIMITIVE_GROUP_END:
    case TL_PRIMITIVE_CLIP_END:
      xmlTextWriterEndElement (writer);
      break;
    }
}

static void
write_metadata (xmlTextWriterPtr writer, const TlFigure *figure)
{
  if (figure == NULL || figure->program == NULL)
    return;
  xmlTextWriterStartElement (writer, X ("metadata"));
  xmlTextWriterStartElement (writer, X ("tierloom"));
  attribute_text (writer, "xmlns", STATE_NS);
  if (figure->version != NULL)
    attribute_text (writer, "version", figure->version);
  if (figure->name != NULL)
    attribute_text (writer, "name", figure->name);
  if (figure->state != NULL)
    xmlTextWriterWriteElement (writer, X ("state"), X (figure->state));
  xmlTextWriterWriteElement (writer, X ("program"), X (figure->program));
  xmlTextWriterEndElement (writer);
  xmlTextWriterEndElement (writer);
}

GBytes *
tl_paint_svg (const TlScene *scene, const TlFigure *figure, GError **error)
{
  xmlBufferPtr     buffer = xmlBufferCreate ();
  xmlTextWriterPtr writer = xmlNewTextWriterMemory (buffer, 0);
  double           mm = figure != NULL && figure->width_mm > 0 ? figure->width_mm : scene->width * 25.4 / 96.0;
  guint            clips = 0;

  if (writer == NULL)
    {
      xmlBufferFree (buffer);
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_FAILED, "no memory for the figure");
      return NULL;
    }
  g_autoptr (GString) width = g_string_new (NULL), height = g_string_new (NULL), box = g_string_new ("0 0 ");
  append_number (width, mm);
  append_number (height, mm * scene->height / scene->width);
  append_number (box, scene->width);
  g_string_append_c (box, ' ');
  append_number (box, scene->height);
  g_string_append (width, "mm");
  g_string_append (height, "mm");

  xmlTextWriterStartDocument (writer, NULL, "UTF-8", NULL);
  xmlTextWriterStartElement (writer, X ("svg"));
  attribute_text (writer, "xmlns", SVG_NS);
  attribute_text (writer, "width", width->str);
  attribute_text (writer, "height", height->str);
  attribute_text (writer, "viewBox", box->str);
  attribute_text (writer, "font-family", "Cantarell, DejaVu Sans, sans-serif");
  if (scene->title != NULL)
    xmlTextWriterWriteElement (writer, X ("title"), X (scene->title));
  if (scene->description != NULL)
    xmlTextWriterWriteElement (writer, X ("desc"), X (scene->description));
  write_metadata (writer, figure);
  write_definitions (writer, scene);
  TlBox   page = tl_box (0, 0, scene->width, scene->height);
  TlStyle paper = tl_fill (tl_theme_color (scene->theme, TL_ROLE_VIEW));
  write_shape (writer, "rect", NULL, &page, &paper);
  for (guint i = 0; i < scene->primitives->len; i++)
    write_primitive (writer, scene, &g_array_index (scene->primitives, TlPrimitive, i), &clips);
  xmlTextWriterEndDocument (writer);
  xmlFreeTextWriter (writer);
  GBytes *bytes = g_bytes_new (xmlBufferContent (buffer), (gsize) xmlBufferLength (buffer));
  xmlBufferFree (buffer);
  return bytes;
}

static char *
child_text (xmlNodePtr parent, const char *name)
{
  for (xmlNodePtr node = parent->children; node != NULL; node = node->next)
    if (node->type == XML_ELEMENT_NODE && strcmp ((const char *) node->name, name) == 0)
      {
        xmlChar *content = xmlNodeGetContent (node);
        char    *text = g_strdup ((const char *) content);
        xmlFree (content);
        return text;
      }
  return NULL;
}

static xmlNodePtr
find_state (xmlNodePtr root)
{
  for (xmlNodePtr node = root->children; node != NULL; node = node->next)
    if (node->type == XML_ELEMENT_NODE && strcmp ((const char *) node->name, "metadata") == 0)
      for (xmlNodePtr child = node->children; child != NULL; child = child->next)
        if (child->type == XML_ELEMENT_NODE && strcmp ((const char *) child->name, "tierloom") == 0)
          return child;
  return NULL;
}

/* More is no figure of ours. */
#define FIGURE_LIMIT (32u << 20)

static void
no_entity (void *context, const xmlChar *name)
{
  xmlParserCtxtPtr parser = context;

  parser->wellFormed = 0;
  xmlStopParser (parser);
}

static void
no_document_type (void *context, const xmlChar *name, const xmlChar *external, const xmlChar *system)
{
  no_entity (context, name);
}

/* A figure needs no document type and no entities of its own; what brings some wants
 * something else. NULL when it is not well-formed or does. */
static xmlDocPtr
read_document (const char *svg, gsize length)
{
  xmlParserCtxtPtr parser = length < FIGURE_LIMIT ? xmlNewParserCtxt () : NULL;
  xmlDocPtr        document;

  if (parser == NULL)
    return NULL;
  parser->sax->internalSubset = no_document_type;
  document = xmlCtxtReadMemory (parser, svg, (int) length, NULL, NULL,
                                XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
  if (document != NULL && (!parser->wellFormed || document->intSubset != NULL))
    g_clear_pointer (&document, xmlFreeDoc);
  xmlFreeParserCtxt (parser);
  return document;
}

gboolean
tl_figure_read (const char *svg, gsize length, char **program, char **name, char **state, GError **error)
{
  xmlDocPtr  document = read_document (svg, length);
  xmlNodePtr root = document != NULL ? xmlDocGetRootElement (document) : NULL;
  xmlNodePtr node = root != NULL ? find_state (root) : NULL;
  if (node == NULL)
    {
      if (document != NULL)
        xmlFreeDoc (document);
      g_set_error (error, G_IO_ERROR, G_IO_ERROR_INVALID_DATA, "this is no figure made by Tierloom");
      return FALSE;
    }
  xmlChar *file = xmlGetProp (node, X ("name"));
  *program = child_text (node, "program");
  *state = child_text (node, "state");
  *name = g_strdup ((const char *) file);
  if (file != NULL)
    xmlFree (file);
  xmlFreeDoc (document);
  return TRUE;
}
