import { useState } from 'react';
import { Link } from 'wouter';
import { stringify } from 'yaml';
import { type ProcessPageQuery, RestoreVersionDocument } from '../generated/documents.ts';
import { isRecord } from '../runs/context-schema.ts';
import { Diff } from '../ui/diff.tsx';
import { ActionsHead } from '../ui/row-actions.tsx';
import { Problems } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
import type { Callables } from './callables.ts';

type Process = NonNullable<ProcessPageQuery['process']>;

/** All versions of a Process, with the differences of any two, and back to an earlier one. */
export function Versions({
  process,
  callables,
  again,
}: {
  readonly process: Process;
  readonly callables: Callables | undefined;
  readonly again: () => void;
}) {
  const restore = useChange(RestoreVersionDocument);
  const all = process.versions.nodes;
  const [after, setAfter] = useState(process.version);
  const [before, setBefore] = useState<number>(
    all.find(({ version }) => version < process.version)?.version ?? process.version,
  );
  const textOf = (wanted: number) =>
    shownText(all.find(({ version }) => version === wanted)?.definition, callables);
  return (
    <>
      <Problems problems={restore.problems} />
      <table className="table">
        <thead>
          <tr>
            <th>Version</th>
            <th>By</th>
            <th>When</th>
            <th>From</th>
            <th>To</th>
            <ActionsHead />
          </tr>
        </thead>
        <tbody>
          {all.map(({ version, createdAt, createdBy }) => (
            <tr key={version}>
              <td className="strong">
                v{version}{' '}
                {version === process.version ? <span className="tag">current</span> : null}
              </td>
              <td className="dim">{createdBy?.name ?? '–'}</td>
              <td className="dim">
                <Time at={createdAt} />
              </td>
              <td>
                <input
                  type="radio"
                  name="before"
                  aria-label={`Compare from version ${version}`}
                  checked={before === version}
                  onChange={() => setBefore(version)}
                />
              </td>
              <td>
                <input
                  type="radio"
                  name="after"
                  aria-label={`Compare to version ${version}`}
                  checked={after === version}
                  onChange={() => setAfter(version)}
                />
              </td>
              <td className="right">
                {version === process.version ? null : (
                  <button
                    type="button"
                    className="button tiny"
                    disabled={restore.isSending}
                    onClick={async () => {
                      if ((await restore.send({ input: { id: process.id, version } })) === null)
                        return;
                      notify(`Version ${version} is current again, as a new version.`);
                      again();
                    }}
                  >
                    Restore
                  </button>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <section className="pad-20 col" aria-label="Differences">
        <h2>{before === after ? `Version ${after}` : `From version ${before} to ${after}`}</h2>
        <Diff before={textOf(before)} after={textOf(after)} label="Differences of the versions" />
      </section>
      <p className="pad-20 small dim">
        <Link href={`/runs?process=${process.id}`} className="link">
          All runs of this Process
        </Link>
      </p>
    </>
  );
}

/** A stored definition as YAML, with Tools and Processes by name and without absent fields. */
function shownText(definition: unknown, callables: Callables | undefined): string {
  const names = new Map(
    [...(callables?.tools.nodes ?? []), ...(callables?.processes.nodes ?? [])].map(
      ({ id, name }) => [id, name],
    ),
  );
  return stringify(shown(definition, names), { lineWidth: 96 });
}

function shown(value: unknown, names: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one) => shown(one, names));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null && !(Array.isArray(inner) && inner.length === 0))
      .map(([key, inner]) => {
        if (key === 'toolId') return ['tool', names.get(String(inner)) ?? inner];
        if (key === 'processId') return ['process', names.get(String(inner)) ?? inner];
        // Inputs have no order of their own, so another order is no difference.
        if (key === 'inputs' && isRecord(inner)) return [key, inOrder(inner)];
        return [key, shown(inner, names)];
      }),
  );
}

function inOrder(inputs: Record<string, unknown>): object {
  return Object.fromEntries(
    Object.entries(inputs).sort(([left], [right]) => (left < right ? -1 : 1)),
  );
}
