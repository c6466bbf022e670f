/* Entries of the info table map, as modules compiled with -finfo-table-map bring
 * them, in any number. */
#include <Rts.h>

#include <stdlib.h>

static const char texts[] =
    "type\0label\0Module\0source/file.hs\0001:2-3\0unit\0001\0"
    "a_name_as_long_as_those_of_what_is_derived_or_specialised_in_modules_with_long_names_of_their_own_con_info";
enum {
  TYPE_AT = 0,
  LABEL_AT = 5,
  MODULE_AT = 11,
  FILE_AT = 18,
  SPAN_AT = 33,
  UNIT_AT = 39,
  CLOSURE_AT = 44,
  NAME_AT = 46
};

void logged_add_tables(uint32_t count) {
#if __GLASGOW_HASKELL__ >= 910
  IpeBufferListNode *node = calloc(1, sizeof *node);
  node->entries = calloc(count, sizeof *node->entries);
  node->tables = calloc(count, sizeof *node->tables);
  node->entries_size = count * sizeof *node->entries;
  node->string_table_size = sizeof texts;
  node->unit_id = UNIT_AT;
  node->module_name = MODULE_AT;
#else
  IpeBufferListNode *node = calloc(1, sizeof *node + count * sizeof *node->entries);
#endif
  node->count = count;
  node->string_table = texts;
  for (uint32_t i = 0; i < count; i++) {
    IpeBufferEntry *entry = &node->entries[i];
    const StgInfoTable *table = (const StgInfoTable *)entry; /* stands for it */
#if __GLASGOW_HASKELL__ >= 910
    node->tables[i] = table;
    entry->closure_desc = CONSTR;
#else
    entry->info = table;
    entry->closure_desc = CLOSURE_AT;
    entry->module_name = MODULE_AT;
#endif
    entry->table_name = NAME_AT;
    entry->ty_desc = TYPE_AT;
    entry->label = LABEL_AT;
    entry->src_file = FILE_AT;
    entry->src_span = SPAN_AT;
  }
  registerInfoProvList(node);
}
