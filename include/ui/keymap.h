/*
 * keymap: names of keys, and which action a key means in which view.
 *
 * Names: a character itself ("j", "/", "?"), C-x and M-x (Ctrl, Alt), S-Tab, and Up Down Left Right Home End
 * PgUp PgDn Enter Esc Tab Space Del Backspace F1..F12.
 */
#ifndef UI_KEYMAP_H
#define UI_KEYMAP_H

#include "ui/action.h"
#include "ui/canvas.h"

bool keymap_parse(struct str name, uint32_t *key);

/* ACTION_COUNT: the key means nothing there. */
enum action keymap_action(enum view view, uint32_t key);

/* "C-p" as readers know it: "Ctrl-P", "↑" for Up. */
void keymap_show(struct str name, struct buf *out);

/* The key of an action that the line at the bottom shows; while text is typed, one that is not text. */
struct str keymap_shown_key(enum action action, bool typing);

#endif
