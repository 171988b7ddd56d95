// Our own limits: fixed, named, units last. What an admin may tune stands in Settings instead.

/** What follows from an event and nobody waits for (records, Episodes, memory) is done so long after it, with what came meanwhile; see decision 0007. */
export const FOLLOW_UP_MS = 250;

/** A list in a GraphQL connection: default and most. */
export const PAGE_DEFAULT = 50;
export const PAGE_MAX = 200;

export const NAME_CHARS_MAX = 200;
export const DESCRIPTION_CHARS_MAX = 2_000;

/** Beyond this a payload goes to the blob store and only its reference travels through Temporal. */
export const INLINE_PAYLOAD_BYTES_MAX = 256 * 1024;
/** A decoded response of a driver; above it the step fails with PAYLOAD_TOO_LARGE. */
export const RESPONSE_BYTES_MAX = 8 * 1024 * 1024;
/** GraphQL request bodies. */
export const BODY_BYTES_MAX = 1024 * 1024;
/** Bodies whose only root field is recordSessionEvents, ingestEvents or importBundle. */
export const INTAKE_BODY_BYTES_MAX = 64 * 1024 * 1024;

/** The raw session graph: events of one call of recordSessionEvents, and the data of one event as JSON. */
export const SESSION_EVENTS_PER_BATCH_MAX = 1_000;
export const SESSION_EVENT_BYTES_MAX = 8 * 1024 * 1024;
/** Beyond this the data of an event lies in the blob store and the node keeps a reference and a preview. */
export const EVENT_DATA_BYTES_MAX = 64 * 1024;
/** What one query of `blob` gives. */
export const BLOB_READ_BYTES_MAX = 1024 * 1024;

/** What somebody may say in one turn. */
export const CONTENT_BYTES_MAX = 256 * 1024;

export const TEMPLATE_BYTES_MAX = 64 * 1024;
export const RENDER_MS_MAX = 1_000;
export const RENDER_OUTPUT_BYTES_MAX = 1024 * 1024;
/** Text that the helpers of one rendering may build (`truncate (json big) 100`), shown or not. */
export const RENDER_BUILT_CHARS_MAX = 16 * 1024 * 1024;
/** The data of one rendering, as JSON. */
export const RENDER_DATA_CHARS_MAX = 16 * 1024 * 1024;

/** Nesting of any JSON value that comes in; what walks it recursively relies on this. */
export const JSON_DEPTH_MAX = 100;

export const JSON_SCHEMA_BYTES_MAX = 64 * 1024;
export const JSON_SCHEMA_DEPTH_MAX = 20;

/** A Process as stored (steps, template) travels whole in a workflow's input, so it has to stay small. */
export const DEFINITION_BYTES_MAX = 256 * 1024;
export const STEPS_PER_PROCESS_MAX = 500;
export const RECURSION_DEPTH_MAX = 50;
export const RECURSION_DEPTH_DEFAULT = 5;
/** Over the whole tree of one root run. */
export const RUNS_PER_TREE_MAX = 1_000;
export const STEP_EXECUTIONS_PER_TREE_MAX = 10_000;
/** What `ProcessRun.graph` folds at most, over all runs of one request; beyond it a client folds `runEvents` itself. */
export const RUN_GRAPH_EVENTS_MAX = 20_000;
export const RUN_GRAPH_BYTES_MAX = 16 * 1024 * 1024;
export const FOR_EACH_ITEMS_MAX = 1_000;
export const FOR_EACH_CONCURRENCY_DEFAULT = 10;

export const STEP_TIMEOUT_SECONDS_DEFAULT = 60;
export const STEP_TIMEOUT_SECONDS_MAX = 24 * 60 * 60;
/** How long a health check waits for an answer; a stdio server, or a busy machine, takes seconds to give one. */
export const PROBE_MS_MAX = 10_000;
/** A worker that says nothing for this long has lost its step. */
export const STEP_LOST_SECONDS = 15;

export const WORKER_HEARTBEAT_SECONDS = 5;
export const WORKER_OFFLINE_SECONDS = 20;
export const HEALTH_FRESH_SECONDS = 30;
