#include "core/guide.h"

#include "base/arena.h"
#include "base/vec.h"

#include <string.h>

static const struct str first_line = STR_INIT("ascend-faq guide 1");

static const char *const state_names[GUIDE_STATE_COUNT] = {
	[GUIDE_TODO] = "to-do",      [GUIDE_DONE] = "done",           [GUIDE_FAILED] = "failed",
	[GUIDE_SKIPPED] = "skipped", [GUIDE_CONFIRMED] = "confirmed",
};

enum { LONGEST_ID = 128 };
#define LATEST_MS ((uint64_t)1 << 53) /* a time beyond is garbage */

/* What is known of one step of an entry. */
struct step_record {
	struct str entry;
	uint64_t key;
	enum guide_state state;
	uint64_t when_ms;
};

/* Where the guide of an entry stands. */
struct place_record {
	struct str entry;
	uint64_t solution; /* key of its title; 0: none chosen */
	uint64_t step;     /* key; 0: the end, or none */
	bool waiting;
	uint64_t when_ms;
};

struct guide_memory {
	struct arena arena; /* of the ids */
	VEC(struct step_record) steps;
	VEC(struct place_record) places;
	uint64_t generation;
};

/* ---- Keys: FNV-1a, 64 bits. --------------------------------------------------------------------------- */

static uint64_t hash_add(uint64_t hash, struct str text)
{
	for (size_t i = 0; i < text.size; i++)
		hash = (hash ^ (unsigned char)text.data[i]) * 0x100000001b3u;
	return (hash ^ 0xFF) * 0x100000001b3u; /* parts do not run into each other */
}

static const uint64_t hash_start = 0xcbf29ce484222325u;

uint64_t guide_step_key(const struct step *step, size_t again)
{
	uint64_t hash = hash_start;

	for (int lang = 0; lang < LANG_COUNT; lang++)
		hash = hash_add(hash, step->say.in[lang]);
	hash = hash_add(hash, step->run);
	hash = hash_add(hash, step->file);
	hash = hash_add(hash, step->text);
	hash = hash_add(hash, step->link);
	hash = hash_add(hash, step->verify);
	for (size_t i = 0; i < again; i++)
		hash = hash_add(hash, STR("again"));
	return hash ? hash : 1;
}

static uint64_t key_at(const struct solution *solution, size_t step)
{
	uint64_t key = guide_step_key(&solution->steps[step], 0);
	size_t again = 0;

	for (size_t i = 0; i < step; i++)
		again += guide_step_key(&solution->steps[i], 0) == key;
	return again ? guide_step_key(&solution->steps[step], again) : key;
}

static uint64_t solution_key(const struct solution *solution)
{
	uint64_t hash = hash_start;

	for (int lang = 0; lang < LANG_COUNT; lang++)
		hash = hash_add(hash, solution->title.in[lang]);
	/* Without a title it is known by how it begins. */
	if (solution->title.in[LANG_ZH].size + solution->title.in[LANG_EN].size == 0 && solution->step_count)
		hash = guide_step_key(&solution->steps[0], 0);
	return hash ? hash : 1;
}

/* ---- Records. ----------------------------------------------------------------------------------------- */

static struct step_record *find_step(const struct guide_memory *memory, struct str entry, uint64_t key)
{
	for (size_t i = 0; i < memory->steps.count; i++) {
		struct step_record *record = &memory->steps.items[i];

		if (record->key == key && str_equal(record->entry, entry))
			return record;
	}
	return NULL;
}

static struct place_record *find_place(const struct guide_memory *memory, struct str entry)
{
	for (size_t i = 0; i < memory->places.count; i++) {
		if (str_equal(memory->places.items[i].entry, entry))
			return &memory->places.items[i];
	}
	return NULL;
}

/* The clock may have gone back, or was wrong when the older record was made: the last word still counts. */
static uint64_t later_than(uint64_t known_ms, uint64_t when_ms)
{
	return when_ms > known_ms ? when_ms : known_ms + 1;
}

static void put_step(struct guide_memory *memory, struct step_record record, bool only_newer)
{
	struct step_record *known = find_step(memory, record.entry, record.key);

	if (known && only_newer && known->when_ms >= record.when_ms)
		return;
	if (known) {
		record.when_ms = later_than(known->when_ms, record.when_ms);
		record.entry = known->entry;
		*known = record;
		return;
	}
	record.entry = arena_copy(&memory->arena, record.entry);
	vec_push(&memory->steps, record);
}

static void put_place(struct guide_memory *memory, struct place_record record, bool only_newer)
{
	struct place_record *known = find_place(memory, record.entry);

	if (known && only_newer && known->when_ms >= record.when_ms)
		return;
	if (known) {
		record.when_ms = later_than(known->when_ms, record.when_ms);
		record.entry = known->entry;
		*known = record;
		return;
	}
	record.entry = arena_copy(&memory->arena, record.entry);
	vec_push(&memory->places, record);
}

struct guide_memory *guide_memory_new(void)
{
	return alloc_zeroed(1, sizeof(struct guide_memory));
}

void guide_memory_free(struct guide_memory *memory)
{
	if (!memory)
		return;
	vec_release(&memory->steps);
	vec_release(&memory->places);
	arena_release(&memory->arena);
	free(memory);
}

uint64_t guide_memory_generation(const struct guide_memory *memory)
{
	return memory->generation;
}

const struct entry *guide_memory_last(const struct guide_memory *memory, const struct kb *kb, bool waiting)
{
	const struct entry *last = NULL;
	uint64_t when_ms = 0;

	for (size_t i = 0; i < memory->places.count; i++) {
		const struct place_record *place = &memory->places.items[i];
		const struct entry *entry = kb_entry(kb, place->entry);

		if (entry && entry->solution_count && place->when_ms >= when_ms &&
		    (place->waiting || !waiting)) {
			last = entry;
			when_ms = place->when_ms;
		}
	}
	return last;
}

/* ---- Text: "step ENTRY KEY STATE TIME", "place ENTRY SOLUTION STEP waiting|- TIME". ------------------- */

static bool hex_to_u64(struct str text, uint64_t *value)
{
	*value = 0;
	for (size_t i = 0; i < text.size; i++) {
		const char *digits = "0123456789abcdef";
		const char *digit = text.data[i] ? strchr(digits, text.data[i]) : NULL;

		if (!digit)
			return false;
		*value = *value << 4 | (uint64_t)(digit - digits);
	}
	return text.size > 0 && text.size <= 16;
}

static bool state_from_name(struct str name, enum guide_state *state)
{
	for (int i = 0; i < GUIDE_STATE_COUNT; i++) {
		if (str_equal(name, str_of(state_names[i]))) {
			*state = (enum guide_state)i;
			return true;
		}
	}
	return false;
}

enum { MOST_WORDS = 6 };

static void read_line(struct guide_memory *memory, struct str line)
{
	struct str words[MOST_WORDS + 1], rest = line;
	struct step_record step = {{0}, 0, GUIDE_TODO, 0};
	struct place_record place = {0};
	size_t count = 0;

	while (count <= MOST_WORDS && str_next(&rest, ' ', &words[count]))
		count++;
	if (count < 5 || words[1].size == 0 || words[1].size > LONGEST_ID)
		return;
	step.entry = place.entry = words[1];
	if (count == 5 && str_equal(words[0], STR("step")) && hex_to_u64(words[2], &step.key) &&
	    state_from_name(words[3], &step.state) && str_to_u64(words[4], &step.when_ms) &&
	    step.when_ms < LATEST_MS)
		put_step(memory, step, true);
	place.waiting = str_equal(words[4], STR("waiting"));
	if (count == 6 && str_equal(words[0], STR("place")) && hex_to_u64(words[2], &place.solution) &&
	    hex_to_u64(words[3], &place.step) && str_to_u64(words[5], &place.when_ms) &&
	    place.when_ms < LATEST_MS)
		put_place(memory, place, true);
}

void guide_memory_read(struct guide_memory *memory, struct str text)
{
	struct str line;

	if (!str_next(&text, '\n', &line) || !str_equal(line, first_line))
		return;
	while (str_next(&text, '\n', &line) && memory->steps.count < 2 * GUIDE_MEMORY_MOST &&
	       memory->places.count < 2 * GUIDE_MEMORY_MOST)
		read_line(memory, line);
}

static int by_time(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

/* The least time that a record must have to be among the newest GUIDE_MEMORY_MOST. */
static uint64_t oldest_kept(const uint64_t *times, size_t count)
{
	uint64_t *sorted, least;

	if (count <= GUIDE_MEMORY_MOST)
		return 0;
	sorted = alloc_zeroed(count, sizeof(*sorted));
	memcpy(sorted, times, count * sizeof(*sorted));
	qsort(sorted, count, sizeof(*sorted), by_time);
	least = sorted[count - GUIDE_MEMORY_MOST];
	free(sorted);
	return least;
}

void guide_memory_write(const struct guide_memory *memory, struct buf *out)
{
	size_t most = memory->steps.count > memory->places.count ? memory->steps.count : memory->places.count;
	uint64_t *times = alloc_zeroed(most + 1, sizeof(*times));
	uint64_t least;

	buf_add(out, first_line);
	buf_add_byte(out, '\n');
	for (size_t i = 0; i < memory->places.count; i++)
		times[i] = memory->places.items[i].when_ms;
	least = oldest_kept(times, memory->places.count);
	for (size_t i = 0; i < memory->places.count; i++) {
		const struct place_record *place = &memory->places.items[i];

		if (place->when_ms >= least)
			buf_add_format(out, "place %.*s %llx %llx %s %llu\n", STR_ARG(place->entry),
				       (unsigned long long)place->solution, (unsigned long long)place->step,
				       place->waiting ? "waiting" : "-", (unsigned long long)place->when_ms);
	}
	for (size_t i = 0; i < memory->steps.count; i++)
		times[i] = memory->steps.items[i].when_ms;
	least = oldest_kept(times, memory->steps.count);
	for (size_t i = 0; i < memory->steps.count; i++) {
		const struct step_record *step = &memory->steps.items[i];

		if (step->when_ms >= least)
			buf_add_format(out, "step %.*s %llx %s %llu\n", STR_ARG(step->entry),
				       (unsigned long long)step->key, state_names[step->state],
				       (unsigned long long)step->when_ms);
	}
	free(times);
}

/* ---- One guide. --------------------------------------------------------------------------------------- */

const struct solution *guide_solution(const struct guide *guide)
{
	return guide->solution < guide->entry->solution_count ? &guide->entry->solutions[guide->solution]
							      : NULL;
}

const struct step *guide_step(const struct guide *guide)
{
	const struct solution *solution = guide_solution(guide);

	return solution && guide->step < solution->step_count ? &solution->steps[guide->step] : NULL;
}

static enum guide_state state_in(const struct guide *guide, const struct solution *solution, size_t step)
{
	const struct step_record *record = find_step(guide->memory, guide->entry->id, key_at(solution, step));

	return record ? record->state : GUIDE_TODO;
}

enum guide_state guide_step_state(const struct guide *guide, size_t step)
{
	const struct solution *solution = guide_solution(guide);

	return solution && step < solution->step_count ? state_in(guide, solution, step) : GUIDE_TODO;
}

static bool is_finished(enum guide_state state)
{
	return state == GUIDE_DONE || state == GUIDE_CONFIRMED || state == GUIDE_SKIPPED;
}

size_t guide_finished(const struct guide *guide, size_t solution)
{
	size_t count = 0;

	for (size_t i = 0; i < guide->entry->solutions[solution].step_count; i++)
		count += is_finished(state_in(guide, &guide->entry->solutions[solution], i));
	return count;
}

/* Ids with blanks or line ends would break the lines of the memory: their guides are not remembered. */
static bool can_be_kept(struct str id)
{
	for (size_t i = 0; i < id.size; i++) {
		if ((unsigned char)id.data[i] <= ' ')
			return false;
	}
	return id.size > 0 && id.size <= LONGEST_ID;
}

static void note_place(struct guide *guide, bool waiting, uint64_t now_ms)
{
	const struct solution *solution = guide_solution(guide);
	struct place_record place = {.entry = guide->entry->id, .waiting = waiting, .when_ms = now_ms};

	if (solution)
		place.solution = solution_key(solution);
	if (guide_step(guide))
		place.step = key_at(solution, guide->step);
	guide->memory->generation++;
	if (can_be_kept(guide->entry->id))
		put_place(guide->memory, place, false);
}

static size_t first_open_step(const struct guide *guide)
{
	const struct solution *solution = guide_solution(guide);
	size_t step = 0;

	while (step < solution->step_count && is_finished(state_in(guide, solution, step)))
		step++;
	return step;
}

void guide_open(struct guide *guide, struct guide_memory *memory, const struct entry *entry)
{
	const struct place_record *place = find_place(memory, entry->id);

	*guide = (struct guide){.memory = memory, .entry = entry, .solution = GUIDE_NONE};
	for (size_t i = 0; place && i < entry->solution_count; i++) {
		if (solution_key(&entry->solutions[i]) == place->solution)
			guide->solution = i;
	}
	if (entry->solution_count == 1)
		guide->solution = 0;
	if (guide->solution == GUIDE_NONE)
		return;
	guide->step = first_open_step(guide);
	for (size_t i = 0; place && i < guide_solution(guide)->step_count; i++) {
		if (key_at(guide_solution(guide), i) == place->step)
			guide->step = i;
	}
}

void guide_choose(struct guide *guide, size_t solution, uint64_t now_ms)
{
	if (solution >= guide->entry->solution_count)
		return;
	guide->solution = solution;
	guide->step = first_open_step(guide);
	note_place(guide, false, now_ms);
}

void guide_unchoose(struct guide *guide)
{
	guide->solution = GUIDE_NONE;
	guide->step = 0;
}

void guide_go(struct guide *guide, size_t step, uint64_t now_ms)
{
	const struct solution *solution = guide_solution(guide);

	if (!solution)
		return;
	guide->step = step < solution->step_count ? step : solution->step_count;
	note_place(guide, false, now_ms);
}

static void put_state(struct guide *guide, size_t step, enum guide_state state, uint64_t now_ms)
{
	struct step_record record = {guide->entry->id, key_at(guide_solution(guide), step), state, now_ms};

	guide->memory->generation++;
	if (can_be_kept(guide->entry->id))
		put_step(guide->memory, record, false);
}

void guide_set(struct guide *guide, enum guide_state state, uint64_t now_ms)
{
	if (!guide_step(guide))
		return;
	put_state(guide, guide->step, state, now_ms);
	if (state == GUIDE_SKIPPED || state == GUIDE_CONFIRMED)
		guide->step++;
	note_place(guide, false, now_ms);
}

void guide_restart(struct guide *guide, uint64_t now_ms)
{
	const struct solution *solution = guide_solution(guide);

	for (size_t i = 0; solution && i < solution->step_count; i++)
		put_state(guide, i, GUIDE_TODO, now_ms);
	guide->step = 0;
	note_place(guide, false, now_ms);
}

void guide_wait(struct guide *guide, bool waiting, uint64_t now_ms)
{
	note_place(guide, waiting, now_ms);
}

enum guide_state guide_judge(const struct step *step, enum probe_state state)
{
	switch (state) {
	case PROBE_OK:
		return GUIDE_DONE;
	case PROBE_WARN:
	case PROBE_FAIL:
		return GUIDE_FAILED;
	case PROBE_ABSENT:
		return step->run.size > 0 && step->effect == STEP_READ ? GUIDE_TODO : GUIDE_FAILED;
	default:
		return GUIDE_TODO;
	}
}
