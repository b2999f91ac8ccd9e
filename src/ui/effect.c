#include "ui/effect.h"

uint32_t effect_add(struct effect_list *effects, struct effect effect)
{
	effect.id = ++effects->last_id;
	effect.text = arena_copy(&effects->arena, effect.text);
	effect.label = arena_copy(&effects->arena, effect.label);
	vec_push(&effects->list, effect);
	return effect.id;
}

void effect_clear(struct effect_list *effects)
{
	arena_release(&effects->arena);
	vec_clear(&effects->list);
}

void effect_release(struct effect_list *effects)
{
	arena_release(&effects->arena);
	vec_release(&effects->list);
}
