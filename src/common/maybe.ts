/** A field of an input that may be left out or be null, as GraphQL hands it on. */
export type Maybe<T> = T | null | undefined;
