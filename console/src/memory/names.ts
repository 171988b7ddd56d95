/** An entity as one conversation knows it. */
export interface Known {
  readonly uuid: string;
  readonly name: string;
  readonly entityType?: string | null;
  readonly createdAt: string;
}

/** One name with the entities that bear it, the oldest first. */
export interface Named<E extends Known> {
  readonly key: string;
  readonly name: string;
  readonly entityType: string | null;
  readonly places: readonly E[];
}

/**
 * Each conversation has its own entities, so one person stands there once per conversation.
 * Entities of the same name are shown together, unless their types differ.
 */
export function byName<E extends Known>(entities: readonly E[]): Named<E>[] {
  const groups = new Map<string, { entityType: string | null; places: E[] }[]>();
  for (const entity of entities) {
    const name = entity.name.trim().toLowerCase();
    const type = entity.entityType ?? null;
    const same = groups.get(name) ?? [];
    groups.set(name, same);
    const group = same.find(
      ({ entityType }) => entityType === null || type === null || entityType === type,
    );
    if (group === undefined) same.push({ entityType: type, places: [entity] });
    else {
      group.entityType ??= type;
      group.places.push(entity);
    }
  }
  return [...groups].flatMap(([name, same]) =>
    same.map(({ entityType, places }, index) => {
      const sorted = places.toSorted((left, right) => (left.createdAt < right.createdAt ? -1 : 1));
      return { key: `${name} ${index}`, name: sorted[0]?.name ?? name, entityType, places: sorted };
    }),
  );
}

/** The times of a fact: when it held, and when it was known. */
export interface Timed {
  readonly createdAt: string;
  readonly validAt?: string | null;
  readonly invalidAt?: string | null;
  readonly expiredAt?: string | null;
}

/**
 * Whether a fact held at one moment, as it was known at another. The end of a fact counts from the
 * moment at which it was known. Null: at any time, or as it is known now.
 */
export function isFactAt(
  { createdAt, validAt, invalidAt, expiredAt }: Timed,
  validMs: number | null,
  knownMs: number | null,
): boolean {
  if (knownMs !== null && Date.parse(createdAt) > knownMs) return false;
  if (validMs === null) return true;
  if (validAt != null && Date.parse(validAt) > validMs) return false;
  const isEndKnown = knownMs === null || expiredAt == null || Date.parse(expiredAt) <= knownMs;
  return invalidAt == null || !isEndKnown || Date.parse(invalidAt) > validMs;
}
