import { IconBrain } from '@tabler/icons-react';
import { useCallback, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useLiveQuery } from '../api/use-live-query.ts';
import { MemoryGraphDocument, type MemoryGraphQuery } from '../generated/documents.ts';
import { absoluteTime, plural } from '../ui/format.ts';
import { Empty, Unread } from '../ui/states.tsx';
import { FactEnds, FactTimes } from './fact-parts.tsx';
import { type DrawnEdge, GraphCanvas } from './graph-canvas.tsx';
import { byName, isFactAt } from './names.ts';

type Fact = MemoryGraphQuery['entities']['nodes'][number]['facts'][number];
const LISTED_MAX = 200;

/** Entities and facts as a graph, at a moment and as they were known at a moment. */
export function GraphView() {
  const [, go] = useLocation();
  const [validMs, setValidMs] = useState<number | null>(null);
  const [knownMs, setKnownMs] = useState<number | null>(null);
  const [{ data, error }, again] = useLiveQuery({
    query: MemoryGraphDocument,
    variables: { first: 150 },
  });
  const all = useMemo(() => drawingOf(data?.entities.nodes ?? []), [data]);
  const shown = useMemo(
    () => all.facts.filter(({ fact }) => isFactAt(fact, validMs, knownMs)),
    [all, validMs, knownMs],
  );
  const visible = useMemo(() => {
    const keys = new Set(shown.flatMap(({ key, from, to }) => [key, from, to]));
    for (const { key, places } of all.names)
      if (places.some(({ createdAt }) => knownMs === null || Date.parse(createdAt) <= knownMs))
        keys.add(key);
    return keys;
  }, [all, shown, knownMs]);
  const isShown = useCallback((key: string) => visible.has(key), [visible]);
  const open = (key: string) => {
    const uuid = all.names.find((name) => name.key === key)?.places[0]?.uuid;
    if (uuid !== undefined) go(`/memory/entities/${uuid}`);
  };
  if (data === undefined) return <Unread rows={8} error={error} onRetry={again} />;
  if (all.names.length === 0)
    return (
      <Empty icon={<IconBrain size={28} className="icon" stroke={1.5} />} title="No entity yet">
        People, places and things appear here when a conversation or a run has named them and was
        read.
      </Empty>
    );
  return (
    <div className="memory-graph">
      <div className="memory-graph-left">
        <div className="memory-times">
          <TimeSlider
            label="True at"
            any="any time"
            times={all.facts.flatMap(({ fact }) => [fact.validAt, fact.invalidAt, fact.createdAt])}
            value={validMs}
            onChange={setValidMs}
          />
          <TimeSlider
            label="Known at"
            any="now"
            times={all.facts.map(({ fact }) => fact.createdAt)}
            value={knownMs}
            onChange={setKnownMs}
          />
        </div>
        <GraphCanvas nodes={all.nodes} edges={all.facts} isShown={isShown} onChoose={open} />
      </div>
      <section className="memory-facts" aria-label="Facts at this time">
        <p className="small dim row spread">
          <span>{plural(shown.length, 'fact')}</span>
          {data.entities.totalCount > data.entities.nodes.length ? (
            <span>of the {data.entities.nodes.length} newest entities</span>
          ) : null}
        </p>
        <ul className="list">
          {shown.slice(0, LISTED_MAX).map(({ key, fact }) => (
            <li key={key} className={`hit${fact.invalidAt == null ? '' : ' over'}`}>
              <p className="prose">{fact.fact}</p>
              <p className="row wrap small dim">
                <FactEnds source={fact.source} target={fact.target} />
                <FactTimes fact={fact} />
              </p>
            </li>
          ))}
        </ul>
      </section>
    </div>
  );
}

/** Names, facts and drawn nodes; a fact connects names, not the entities of one conversation. */
function drawingOf(entities: MemoryGraphQuery['entities']['nodes']) {
  const facts = new Map<string, Fact>(
    entities.flatMap(({ facts: own }) => own.map((fact) => [fact.uuid, fact] as const)),
  );
  const known = new Map(
    entities.map(({ uuid, name, entityType, createdAt }) => [
      uuid,
      { uuid, name, entityType: entityType ?? null, createdAt },
    ]),
  );
  // The other end of a fact may be an entity that is not in the page.
  for (const { source, target, createdAt } of facts.values())
    for (const { uuid, name } of [source, target])
      if (!known.has(uuid)) known.set(uuid, { uuid, name, entityType: null, createdAt });
  const names = byName([...known.values()]);
  const keyOf = new Map(names.flatMap(({ key, places }) => places.map(({ uuid }) => [uuid, key])));
  const edges: (DrawnEdge & { readonly fact: Fact })[] = [...facts.values()].map((fact) => ({
    key: fact.uuid,
    from: keyOf.get(fact.source.uuid) ?? '',
    to: keyOf.get(fact.target.uuid) ?? '',
    fact,
  }));
  const weights = new Map<string, number>();
  for (const { from, to } of edges)
    for (const key of [from, to]) weights.set(key, (weights.get(key) ?? 0) + 1);
  return {
    names,
    facts: edges,
    nodes: names.map(({ key, name, entityType }) => ({
      key,
      name,
      entityType,
      weight: weights.get(key) ?? 0,
    })),
  };
}

/** A moment between the first and the last of some times; at its right end: any, or now. */
function TimeSlider({
  label,
  any,
  times,
  value,
  onChange,
}: {
  readonly label: string;
  readonly any: string;
  readonly times: readonly (string | null | undefined)[];
  readonly value: number | null;
  readonly onChange: (ms: number | null) => void;
}) {
  const moments = useMemo(
    () =>
      [...new Set(times.flatMap((at) => (at == null ? [] : [Date.parse(at)])))].sort(
        (left, right) => left - right,
      ),
    [times],
  );
  const end = moments.length;
  const found = value === null ? -1 : moments.indexOf(value);
  const at = found < 0 ? end : found;
  const shown = value === null ? any : absoluteTime(new Date(value).toISOString());
  return (
    <label className="col gap-4 small grow">
      <span className="row spread">
        <span className="dim">{label}</span>
        <span className="num">{shown}</span>
      </span>
      <input
        type="range"
        min={0}
        max={end}
        step={1}
        value={at}
        aria-label={label}
        aria-valuetext={shown}
        onChange={({ target }) => onChange(moments[Number(target.value)] ?? null)}
      />
    </label>
  );
}
