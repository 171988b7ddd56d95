/** A field of a GraphQL input that may be absent or null. */
export type Maybe<T> = T | null | undefined;
