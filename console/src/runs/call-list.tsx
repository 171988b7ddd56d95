import { IconChevronDown, IconChevronRight } from '@tabler/icons-react';
import { useMemo, useState } from 'react';
import type { RunAttemptsQuery } from '../generated/documents.ts';
import { durationOf } from '../ui/format.ts';
import { IconButton } from '../ui/icon-button.tsx';
import { Json } from '../ui/json.tsx';
import { Loading } from '../ui/states.tsx';
import { Dot, labelOf, toneOf } from '../ui/status.tsx';
import { type Call, callRows } from './call-tree.ts';
import { Section } from './section.tsx';

const INDENT_PX = 16;
/** Rows in the page at once. */
const SHOWN_MAX = 500;

/** The call graph of a run as a tree: each call under the one that triggered it, with its time. */
export function CallList({ graph }: { readonly graph: RunAttemptsQuery['callGraph'] | undefined }) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set());
  const [open, setOpen] = useState<string | null>(null);
  const rows = useMemo(
    () => (graph == null ? [] : callRows(graph.nodes, graph.edges, closed)),
    [graph, closed],
  );
  if (graph === undefined) return <Loading rows={4} />;
  if (graph === null || rows.length === 0)
    return (
      <p className="timeline-empty dim small">
        Calls appear when steps start. Retention deletes them after a while.
      </p>
    );
  const times = graph.nodes.flatMap(({ startedAt, completedAt }) =>
    [startedAt, completedAt].flatMap((at) => (at == null ? [] : [Date.parse(at)])),
  );
  const fromMs = Math.min(...times);
  const spanMs = Math.max(1, Math.max(...times) - fromMs);
  const toggle = (id: string) =>
    setClosed((before) => {
      const next = new Set(before);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  return (
    <ul className="calls">
      {rows.slice(0, SHOWN_MAX).map(({ call, depth, children, dependsOn }) => (
        <li key={call.id}>
          <div className="call-row">
            <span className="row gap-4 call-name" style={{ paddingLeft: depth * INDENT_PX }}>
              {children === 0 ? (
                <span className="call-leaf" />
              ) : (
                <IconButton
                  className="tiny"
                  label={
                    `${closed.has(call.id) ? 'Show' : 'Hide'} the calls of ` +
                    `${call.operationName}`
                  }
                  aria-expanded={!closed.has(call.id)}
                  onClick={() => toggle(call.id)}
                >
                  {closed.has(call.id) ? (
                    <IconChevronRight size={14} className="icon" />
                  ) : (
                    <IconChevronDown size={14} className="icon" />
                  )}
                </IconButton>
              )}
              <button
                type="button"
                className="call-open row gap-4 clip"
                aria-expanded={open === call.id}
                onClick={() => setOpen(open === call.id ? null : call.id)}
              >
                <Dot status={call.status} />
                <span className="visually-hidden">{labelOf(call.status)}</span>
                <span className="clip">{nameOf(call)}</span>
              </button>
            </span>
            <span className="timeline-track">
              <Bar call={call} fromMs={fromMs} spanMs={spanMs} />
            </span>
            <span className="timeline-took num dim">{tookOf(call)}</span>
          </div>
          {open === call.id ? (
            <div className="call-detail col gap-12">
              {dependsOn.length === 0 ? null : (
                <p className="small dim">Depends on {dependsOn.join(', ')}</p>
              )}
              <Section title="Input">
                <Json value={call.input} />
              </Section>
              <Section title={call.error == null ? 'Output' : 'Error'}>
                <Json value={call.error ?? call.output} />
              </Section>
              <p className="mono small faint">{call.requestId}</p>
            </div>
          ) : null}
        </li>
      ))}
      {rows.length > SHOWN_MAX ? (
        <li className="faint small">{rows.length - SHOWN_MAX} more calls</li>
      ) : null}
    </ul>
  );
}

function Bar({
  call: { startedAt, completedAt, status },
  fromMs,
  spanMs,
}: {
  readonly call: Call;
  readonly fromMs: number;
  readonly spanMs: number;
}) {
  if (startedAt == null) return null;
  const left = ((Date.parse(startedAt) - fromMs) / spanMs) * 100;
  const endMs = completedAt == null ? fromMs + spanMs : Date.parse(completedAt);
  const width = ((endMs - Date.parse(startedAt)) / spanMs) * 100;
  return (
    <span
      className={`timeline-bar tone-${toneOf(status)}`}
      style={{ left: `${left}%`, width: `max(3px, ${width}%)` }}
    />
  );
}

function tookOf({ startedAt, completedAt }: Call): string {
  if (startedAt == null || completedAt == null) return '–';
  return durationOf(Date.parse(completedAt) - Date.parse(startedAt));
}

/** The name of what was called. The call of a Process has the Process below it. */
function nameOf({ operationName }: Call): string {
  return operationName === 'call_process' ? 'Call of a Process' : operationName;
}
