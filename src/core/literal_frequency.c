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

/* Words of logs in which nothing is wrong: their parts are no good to look for. */
static const char common_words[] =
	" /usr/local/python3.11/site-packages/torch/distributed/ torch_npu npu torchrun triton transformers "
	"vllm "
	"rank: rank0 rank1 [rank0]: [rank1]: INFO [INFO] WARNING WARN warning: DEBUG [EVENT] HCCL(worker "
	"HCCL "
	"ASCENDCL RUNTIME plog trainer.py:  step: epoch: loss: 'loss': 'grad_norm': 'learning_rate': "
	"'epoch': "
	"token_error_rate iteration throughput tokens/s samples_per_second elapsed time per iteration (ms): "
	"2024-2025-2026- 00:00: world_size local_rank global_batch_size parallel model checkpoint saved "
	"loading "
	"initialized communicator group stream device memory Processing Training training Evaluating eval_ "
	"success finish finished start started begin end entry Entry tag[ cost[ size[ count[ dataType[ op[ "
	"AllReduce AllGather ReduceScatter alg[ the in for with from this is not and error function operator "
	"compiler_depend.ts Warning: WorkerDict pid= EngineCore_DP0 export PATH=/ .py line File \"/ self. "
	"return ";

uint32_t literal_window_frequency(const char *four_bytes)
{
	unsigned rarity = 0;
	uint32_t frequency;

	for (int i = 0; i < 4; i++)
		rarity += byte_rarity((unsigned char)four_bytes[i]);
	/* Letters of a word depend on each other: some bits less than their sum. */
	frequency = rarity / 2 > 28 ? 1 : UINT32_C(1) << (28 - rarity / 2);
	if (memmem(common_words, sizeof(common_words) - 1, four_bytes, 4))
		frequency += UINT32_C(1) << 16;
	return frequency;
}
