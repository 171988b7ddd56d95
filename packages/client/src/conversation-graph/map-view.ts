/** The read operations that MapView needs. */
export interface MapSource<V> {
  size(): number;
  get(key: string): V | undefined;
  entries(): Generator<[string, V], undefined>;
}

/** A read-only Map over another data structure, in order of insertion. */
export class MapView<V> implements ReadonlyMap<string, V> {
  readonly #source: MapSource<V>;

  constructor(source: MapSource<V>) {
    this.#source = source;
  }

  get size(): number {
    return this.#source.size();
  }

  get(key: string): V | undefined {
    return this.#source.get(key);
  }

  has(key: string): boolean {
    return this.#source.get(key) !== undefined;
  }

  forEach(visit: (value: V, key: string, map: ReadonlyMap<string, V>) => void): void {
    for (const [key, value] of this.#source.entries()) visit(value, key, this);
  }

  entries(): Generator<[string, V], undefined> {
    return this.#source.entries();
  }

  *keys(): Generator<string, undefined> {
    for (const [key] of this.#source.entries()) yield key;
    return undefined;
  }

  *values(): Generator<V, undefined> {
    for (const [, value] of this.#source.entries()) yield value;
    return undefined;
  }

  [Symbol.iterator](): Generator<[string, V], undefined> {
    return this.#source.entries();
  }
}
