// Fixed limits of the product, with the unit last. Limits that an admin may change are in Settings.

/**
 * Delay in ms after an event before derived records (calls, Episodes, memory) are written. Events
 * of that time share one batch (docs/decisions/0007).
 */
export const FOLLOW_UP_MS = 250;

/** Items per page of a GraphQL connection: the default and the maximum. */
export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 200;
/**
 * Entries of the log between a cursor of `runChanges` or `conversationChanges` and its end. A
 * reader that resumes reads the entries of all users since its cursor, because the log has no index
 * by owner.
 */
export const CHANGES_BEHIND_MAX = 10_000;

export const NAME_CHARS_MAX = 200;
export const DESCRIPTION_CHARS_MAX = 2_000;

/** Payloads above this size go to the blob store. Temporal then carries only a reference. */
export const INLINE_PAYLOAD_BYTES_MAX = 256 * 1024;
/** Maximum size of a driver's decoded response. Above it the step fails with PAYLOAD_TOO_LARGE. */
export const RESPONSE_BYTES_MAX = 8 * 1024 * 1024;
/** Maximum size of a GraphQL request body. */
export const BODY_BYTES_MAX = 1024 * 1024;
/**
 * Maximum size of a body whose only root field is recordSessionEvents, ingestEvents, importBundle,
 * importOpenApiTools or uploadFile.
 */
export const INTAKE_BODY_BYTES_MAX = 64 * 1024 * 1024;

/**
 * Raw session graph: maximum events per recordSessionEvents call, and bytes of one event as JSON.
 */
export const SESSION_EVENTS_PER_BATCH_MAX = 1_000;
export const SESSION_EVENT_BYTES_MAX = 8 * 1024 * 1024;
/** Event data above this size is stored as a blob. The node keeps a reference and a preview. */
export const EVENT_DATA_BYTES_MAX = 64 * 1024;
/**
 * A blob that no record names is deleted when it is older than this. A younger one may belong to a
 * transaction that has not committed yet.
 */
export const UNNAMED_BLOB_HOURS = 24;
/** An uploaded file that nothing names is deleted when it is older than this, and than any run. */
export const UNNAMED_UPLOAD_DAYS_MIN = 30;
/**
 * Payloads of a user that are searched for the names of files. The files of a user with more stay.
 */
export const SWEPT_PAYLOAD_BYTES_MAX = 1024 * 1024 * 1024;
/** Maximum number of bytes that one `blob` query returns. */
export const BLOB_READ_BYTES_MAX = 1024 * 1024;

/** Maximum size of the content of one turn. */
export const CONTENT_BYTES_MAX = 256 * 1024;
/** Parts of one turn's content: texts, images and files. */
export const PARTS_PER_TURN_MAX = 20;
/** Maximum size of one image or file, and of all that one call of a model reads. */
export const ATTACHMENT_BYTES_MAX = 5 * 1024 * 1024;
export const ATTACHMENTS_BYTES_MAX = 20 * 1024 * 1024;
/** Maximum size of all files that one rest_call sends. */
export const SENT_FILES_BYTES_MAX = 32 * 1024 * 1024;
export const IMAGE_MEDIA_TYPES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'] as const;
export const FILE_MEDIA_TYPES = [
  'application/pdf',
  'application/json',
  'text/plain',
  'text/markdown',
  'text/csv',
] as const;

/**
 * Clocks of two processes differ by at most this much. A wrong clock wrote a stored time that lies
 * further ahead: its process's clock has been corrected since.
 */
export const CLOCK_SKEW_MS_MAX = 60_000;

/** A turn may be said this far in the future, for clocks that are ahead. It counts as now. */
export const SAID_AHEAD_MS_MAX = 60_000;

/**
 * Shorter values occur by chance, so they are not removed from answers and records; Secrets of
 * users are longer.
 */
export const SECRET_CHARS_MIN = 8;

export const TEMPLATE_BYTES_MAX = 64 * 1024;
export const RENDER_MS_MAX = 1_000;
export const RENDER_OUTPUT_BYTES_MAX = 1024 * 1024;
/** Maximum text that helpers build in one rendering (`truncate (json big) 100`), shown or not. */
export const RENDER_BUILT_CHARS_MAX = 16 * 1024 * 1024;
/** Maximum size of the data of one rendering, as JSON. */
export const RENDER_DATA_CHARS_MAX = 16 * 1024 * 1024;

/** Maximum size of the values that expressions put into a step's inputs, as JSON. */
export const INPUTS_CHARS_MAX = 16 * 1024 * 1024;
/**
 * Maximum size of the recorded outputs that one rendering, condition or step reads. More are not
 * loaded.
 */
export const LOADED_OUTPUTS_BYTES_MAX = 64 * 1024 * 1024;

/** Maximum nesting of an incoming JSON value. Recursive functions rely on it. */
export const JSON_DEPTH_MAX = 100;

export const JSON_SCHEMA_BYTES_MAX = 64 * 1024;
export const JSON_SCHEMA_DEPTH_MAX = 20;
/** Maximum size of the defaults that a schema adds to one value, as JSON. */
export const SCHEMA_DEFAULTS_CHARS_MAX = 8 * 1024 * 1024;

/** Maximum size of a stored Process (steps, templates): it is part of a workflow's input. */
export const DEFINITION_BYTES_MAX = 256 * 1024;
export const STEPS_PER_PROCESS_MAX = 500;
export const RECURSION_DEPTH_MAX = 50;
export const RECURSION_DEPTH_DEFAULT = 5;
/** Limits of the whole tree of one root run: defaults of the settings, which may be higher. */
export const RUNS_PER_TREE_MAX = 1_000;
export const STEP_EXECUTIONS_PER_TREE_MAX = 10_000;
/**
 * Maximum events that `ProcessRun.graph` folds for all runs of one request. Beyond it a client has
 * to fold `runEvents` itself.
 */
export const RUN_GRAPH_EVENTS_MAX = 20_000;
export const RUN_GRAPH_BYTES_MAX = 16 * 1024 * 1024;
/** Attempts of a step on a read-only target without a retry policy; other targets get one. */
export const READ_ONLY_ATTEMPTS_DEFAULT = 3;
/** Items of one forEach: the default of the setting, which may be higher. */
export const FOR_EACH_ITEMS_MAX = 1_000;
export const FOR_EACH_CONCURRENCY_MAX = 1_000;
export const FOR_EACH_CONCURRENCY_DEFAULT = 10;
/** Pages of one step: the default and the maximum. */
export const STEP_PAGES_DEFAULT = 100;
export const STEP_PAGES_MAX = 1_000;
/** Maximum size of the cursor of a page, as JSON: it travels through the workflow's history. */
export const PAGE_CURSOR_BYTES_MAX = 4 * 1024;

/** Steps that offer tools to a model: their limits, and the defaults of these. */
export const AGENT_ROUNDS_DEFAULT = 8;
export const AGENT_ROUNDS_MAX = 500;
export const AGENT_TOOL_CALLS_DEFAULT = 32;
export const AGENT_TOOL_CALLS_MAX = 1_000;
export const AGENT_TOOLS_MAX = 64;
/** Requested calls of one round; further ones are dropped and the model does not see them again. */
export const AGENT_CALLS_PER_ROUND_MAX = 64;
/** Maximum size of the arguments of one call of a tool, as JSON. */
export const AGENT_ARGUMENTS_BYTES_MAX = 256 * 1024;
/** A call equal to this many earlier ones is refused, and the next round is the last. */
export const AGENT_EQUAL_CALLS_MAX = 3;
/** A tool's result is cut to this many tokens for the model; the record holds it whole. */
export const AGENT_RESULT_TOKENS_MAX = 4_000;
/** Results of older rounds are cut further where all together exceed this many tokens. */
export const AGENT_RESULTS_TOKENS_MAX = 48_000;
export const AGENT_OLD_RESULT_TOKENS_MAX = 400;

/** A text in a span is cut to so many UTF-16 units; a receiver may refuse a larger request. */
export const TRACED_CHARS_MAX = 8_000;
/** A span of a model has so many of its last messages. */
export const TRACED_MESSAGES_MAX = 50;

export const STEP_TIMEOUT_SECONDS_DEFAULT = 60;
export const STEP_TIMEOUT_SECONDS_MAX = 24 * 60 * 60;
/** Timeout of a health check. A stdio server or a busy machine may need seconds to answer. */
export const PROBE_MS_MAX = 10_000;
/** A Worker that sends no heartbeat for this long has lost its step. */
export const STEP_LOST_SECONDS = 15;

/**
 * The pause after a batch that deletes old records, as a multiple of its time. At most a twentieth
 * of all reads meets a batch, so their 95th percentile stays.
 */
export const DELETION_PAUSE_SHARE = 20;

export const WORKER_HEARTBEAT_SECONDS = 5;
export const WORKER_OFFLINE_SECONDS = 20;
export const HEALTH_FRESH_SECONDS = 30;
