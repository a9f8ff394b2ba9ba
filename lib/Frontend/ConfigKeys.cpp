// Keys of config.json that no reader takes.
#include "ConfigReader.h"

using namespace tt::frontend;

/// Null is neutral for all of them, as it stands for "not used".
const std::vector<ArchitectureKey> &tt::frontend::architectureKeys() {
  static const std::vector<ArchitectureKey> keys = {
      {"add_cross_attention", Neutral::False},
      {"alibi", Neutral::False},
      {"attention_multiplier", Neutral::Null},
      {"attn_logit_softcapping", Neutral::Null},
      {"auto_map", Neutral::Null}, // code of its own
      {"embedding_multiplier", Neutral::One},
      {"final_logit_softcapping", Neutral::Null},
      {"is_encoder_decoder", Neutral::False},
      {"layer_types", Neutral::FullAttention},
      {"logit_scale", Neutral::One},
      {"logits_scaling", Neutral::One},
      {"moe_intermediate_size", Neutral::Null},
      {"n_routed_experts", Neutral::Null},
      {"no_rope_layers", Neutral::Empty},
      {"num_experts", Neutral::Null},
      {"num_experts_per_tok", Neutral::Null},
      {"num_local_experts", Neutral::Null},
      {"partial_rotary_factor", Neutral::One},
      {"pretraining_tp", Neutral::One}, // slices of each matmul
      {"pruned_heads", Neutral::Empty},
      {"qk_layernorm", Neutral::False},
      {"qk_norm", Neutral::False},
      {"quantization_config", Neutral::Null},
      {"reorder_and_upcast_attn", Neutral::False},
      {"residual_multiplier", Neutral::One},
      {"rope_interleaved", Neutral::False},
      {"rope_scaling", Neutral::Null},
      {"scale_attn_by_inverse_layer_idx", Neutral::False},
      {"sliding_window", Neutral::Null},
      {"tie_encoder_decoder", Neutral::False},
      {"use_parallel_residual", Neutral::False},
      {"use_qk_norm", Neutral::False},
      {"use_sliding_window", Neutral::False},
  };
  return keys;
}

const std::vector<std::string_view> &tt::frontend::harmlessKeys() {
  static const std::vector<std::string_view> keys = {
      "_attn_implementation", "_attn_implementation_autoset", "_commit_hash",
      "_flash_attn_2_enabled", "_name_or_path", "_num_labels", "architectures",
      "attn_implementation", "bad_words_ids", "begin_suppress_tokens",
      "bos_token_id", "chunk_size_feed_forward", "cls_token_id",
      "cross_attention_hidden_size", "decoder_start_token_id",
      "diversity_penalty", "do_sample", "dtype", "early_stopping",
      "encoder_no_repeat_ngram_size", "eos_token_id",
      "exponential_decay_length_penalty", "finetuning_task",
      "forced_bos_token_id", "forced_eos_token_id", "gradient_checkpointing",
      "id2label", "is_decoder", "is_llama_config", "label2id", "length_penalty",
      "max_length", "max_new_tokens", "max_sequence_length", "max_time",
      "min_length", "model_type", "n_special", "no_repeat_ngram_size",
      "num_beam_groups", "num_beams", "num_labels", "num_return_sequences",
      "output_attentions", "output_hidden_states", "output_logits", "output_past",
      "output_scores", "pad_token_id", "predict_special_tokens", "prefix",
      "problem_type", "remove_invalid_values", "renormalize_logits",
      "repetition_penalty", "return_dict", "return_dict_in_generate",
      "sep_token_id", "summary_activation", "summary_first_dropout",
      "summary_proj_to_labels", "summary_type", "summary_use_proj",
      "suppress_tokens", "task_specific_params", "temperature", "tf_legacy_loss",
      "tokenizer_class", "top_k", "top_p", "torch_dtype", "torchscript",
      "transformers.js_config", "transformers_version", "typical_p",
      "unk_token_id", "unsloth_fixed", "unsloth_version", "use_bfloat16",
      "use_cache", "use_return_dict"};
  return keys;
}
