#include "core/literal.h"

#include <string.h>

/*
 * Half-bits of information of a byte in a log (-2 log2 of its share): letters by English and Python names,
 * digits and blanks common, capitals and marks rarer.
 */
static unsigned byte_rarity(unsigned char byte)
{
	static const unsigned char letters[26] = {8, 12, 9,  10, 7, 12, 11, 12, 8,  17, 14, 10, 11,
						  8, 8,  10, 18, 8, 8,  7,  11, 14, 14, 15, 13, 18};

	if (byte >= 'a' && byte <= 'z')
		return letters[byte - 'a'];
	if (byte >= 'A' && byte <= 'Z')
		return letters[byte - 'A'] + 5u;
	if (byte >= '0' && byte <= '9')
		return 8;
	if (byte == ' ')
		return 6;
	return strchr("_.,:=/-[]'\"", byte) ? 11 : 16;
}

/* Words of logs in which nothing is wrong, or nothing that is known: no good to look for. */
static const char common_words[] =
	" /usr/local/python3.11/lib64/site-packages/torch/distributed/ torch_npu npu torchrun triton "
	"transformers vllm "
	"rank: rank0 rank1 [rank0]: [rank1]: INFO [INFO] WARNING WARN warning: DEBUG [EVENT] HCCL(worker "
	"HCCL "
	"ASCENDCL RUNTIME plog trainer.py:  step: epoch: loss: 'loss': 'grad_norm': 'learning_rate': "
	"'epoch': "
	"token_error_rate': iteration throughput tokens/s samples_per_second elapsed time per iteration "
	"(ms): "
	"2024-2025-2026- 00:00: world_size local_rank global_batch_size parallel model checkpoint saved "
	"loading "
	"initialized communicator group stream device memory Processing Training training Evaluating eval_ "
	"success finish finished start started begin end entry Entry tag[ cost[ size[ count[ dataType[ op[ "
	"AllReduce AllGather ReduceScatter alg[ the in for with from this is not and error function operator "
	"compiler_depend.ts Warning: WorkerDict pid= EngineCore_DP0 export PATH=/ .py line File \"/ self. "
	"return "
	"failed Failed failed: Fail fail already Already Address address directory Directory command Command "
	"total "
	"match cannot Cannot unable Unable enable code: code name: name= such file function device server "
	"network "
	"socket local could Could under variable library running Running required requires "
	"different "
	"target targets missing package module connection connect port: port host listen listening bind "
	"bound any "
	"true false True False FALSE TRUE none None null value values type types key keys data config "
	"configuration "
	"Error error: ERROR Error: ERROR] [ERROR] RuntimeError: Exception Traceback (most recent call last): "
	"request requests response status message Reason: Solution: Possible Cause reason HTTP http:// "
	"https:// "
	"compiler compilers library_dirs not found: No such file or directory process processes thread "
	"threads version Version build "
	"compile "
	"Entry-HcclAllReduce: HcclAllreduce HcclAllGather HcclReduceScatter HcclBroadcast HcclAlltoAllV "
	"hcclComm hcclRet "
	"%eth0_60000_0 sendBuf recvBuf streamId deviceLogicId overlap is disabled, set to enable it. "
	"(function operator()) "
	"Avg prompt throughput generation KV cache usage Prefix hit rate Running: Waiting: reqs Python: "
	"requirement "
	"consumed samples number of skipped iterations learning rate global batch size lm loss scale grad "
	"norm "
	"Could not killed Killed Aborted example double enabled disabled. ";

/* A place in the table for a group of bytes. */
static size_t place(const char *bytes, size_t count)
{
	uint32_t hash = (uint32_t)count;

	for (size_t i = 0; i < count; i++)
		hash = (hash ^ (unsigned char)bytes[i]) * 16777619u;
	return hash >> 15;
}

void frequencies_init(struct frequencies *frequencies)
{
	memset(frequencies, 0, sizeof(*frequencies));
	for (size_t i = 0; i + LITERAL_WINDOW < sizeof(common_words); i++) {
		for (size_t count = LITERAL_WINDOW - 1; count <= LITERAL_WINDOW; count++) {
			size_t at = place(common_words + i, count);

			if (frequencies->common[at] < UINT8_MAX)
				frequencies->common[at]++;
		}
	}
}

uint32_t frequencies_of(const struct frequencies *frequencies, const char *bytes, size_t count)
{
	size_t at = place(bytes, count);
	unsigned rarity = 0;
	uint32_t frequency;

	for (size_t i = 0; i < count; i++)
		rarity += byte_rarity((unsigned char)bytes[i]);
	/* Letters of a word depend on each other: some bits less than their sum. */
	frequency = rarity / 2 > 24 ? 1 : UINT32_C(1) << (24 - rarity / 2);
	return frequency + ((uint32_t)frequencies->common[at] << 14);
}

enum {
	WHOLE_WINDOWS_SIZE = LITERAL_WINDOW + LITERAL_WINDOWS - 1, /* the least with all windows inside */
	/* Measured with 212 and with 848 signatures: a rarer text is worth its hundreds of windows beyond
	   this. */
	OPEN_WINDOWS_COST = 1 << 18
};

uint32_t frequency_sum(uint32_t a, uint32_t b)
{
	return a > UINT32_MAX - b ? UINT32_MAX : a + b;
}

uint32_t frequencies_cheapest(const struct frequencies *frequencies, struct str text, size_t *first)
{
	uint32_t best = UINT32_MAX;

	*first = 0;
	if (text.size < WHOLE_WINDOWS_SIZE) {
		best = frequencies_of(frequencies, text.data + text.size - (LITERAL_WINDOW - 1),
				      LITERAL_WINDOW - 1);
		if (text.size < WHOLE_WINDOWS_SIZE - 1)
			best = frequency_sum(best,
					     frequencies_of(frequencies, text.data, LITERAL_WINDOW - 1));
		for (size_t i = 0; i + LITERAL_WINDOW <= text.size; i++)
			best = frequency_sum(best,
					     frequencies_of(frequencies, text.data + i, LITERAL_WINDOW));
		/* Windows that reach beyond it are hundreds, and crowd the filter. */
		return frequency_sum(best, OPEN_WINDOWS_COST);
	}
	for (size_t i = 0; i + WHOLE_WINDOWS_SIZE <= text.size; i++) {
		uint32_t sum = 0;

		for (size_t j = i; j < i + LITERAL_WINDOWS; j++)
			sum = frequency_sum(sum, frequencies_of(frequencies, text.data + j, LITERAL_WINDOW));
		if (sum < best) {
			best = sum;
			*first = i;
		}
	}
	return best;
}
