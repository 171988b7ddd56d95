// Limits of one request. Beyond them the server returns an error, so that it never blocks other
// callers.

export const BODY_BYTES_MAX = 8 * 1024 * 1024;
/**
 * All text of one chat request, in UTF-16 units; about 50,000 tokens, and about a second of work.
 */
export const CHAT_CHARS_MAX = 200_000;
export const MESSAGES_MAX = 1_000;
/** Names are looked for in this much text; compromise reads about 130,000 characters a second. */
export const NAME_CHARS_MAX = 60_000;
export const EMBEDDING_INPUTS_MAX = 2_048;
export const EMBEDDING_CHARS_MAX = 32_000;
export const SCHEMA_DEPTH_MAX = 20;
/** Values one filled schema may hold, whatever lists of lists it asks for. */
export const SCHEMA_VALUES_MAX = 5_000;
export const REQUEST_MS_MAX = 30_000;
