import { useState } from 'react';
import type {
  CursoredEvent,
  Kind,
} from '../../../packages/client/src/conversation-graph/run-event.ts';
import { Json } from '../ui/json.tsx';

/** Rows in the page at once. */
const SHOWN_MAX = 400;

/** Every event of the run's stream, as clients receive it. */
export function EventList({
  events,
  fault,
}: {
  readonly events: readonly CursoredEvent[];
  readonly fault: string | null;
}) {
  const [open, setOpen] = useState<string | null>(null);
  const [kind, setKind] = useState<Kind | null>(null);
  if (events.length === 0)
    return (
      <p className="timeline-empty dim small">
        {fault ?? 'Events appear as models speak and Tools are called.'}
      </p>
    );
  const kinds = Map.groupBy(events, ({ kind }) => kind);
  const fitting = kind === null ? events : (kinds.get(kind) ?? []);
  const shown = fitting.slice(-SHOWN_MAX);
  return (
    <>
      <label className="row small dim events-filter">
        Events
        <select
          className="input"
          value={kind ?? ''}
          onChange={({ target }) => setKind(isKind(target.value, kinds) ? target.value : null)}
        >
          <option value="">of all kinds ({events.length})</option>
          <option value="error">failures ({kinds.get('error')?.length ?? 0})</option>
          {[...kinds].map(([one, own]) =>
            one === 'error' ? null : (
              <option key={one} value={one}>
                {one} ({own.length})
              </option>
            ),
          )}
        </select>
      </label>
      {fitting.length === 0 ? <p className="timeline-empty dim small">Nothing failed.</p> : null}
      <ol className="events">
        {shown.length < fitting.length ? (
          <li className="faint small">{fitting.length - shown.length} earlier events</li>
        ) : null}
        {shown.map((event) => (
          <li key={event.cursor}>
            <button
              type="button"
              className="event"
              aria-expanded={open === event.cursor}
              onClick={() => setOpen(open === event.cursor ? null : event.cursor)}
            >
              <code className="event-kind">{event.kind}</code>
              <span className="clip dim">{summaryOf(event)}</span>
            </button>
            {open === event.cursor ? <Json value={event} /> : null}
          </li>
        ))}
      </ol>
    </>
  );
}

function isKind(text: string, kinds: ReadonlyMap<Kind, unknown>): text is Kind {
  return text === 'error' || [...kinds.keys()].some((kind) => kind === text);
}

function summaryOf(event: CursoredEvent): string {
  switch (event.kind) {
    case 'text':
    case 'reasoning':
      return event.content;
    case 'tool_call':
    case 'tool_result':
    case 'tool_progress':
      return event.name;
    case 'error':
      return event.message;
    case 'usage':
      return `${event.inputTokens} tokens in, ${event.outputTokens} out`;
    default:
      return '';
  }
}
