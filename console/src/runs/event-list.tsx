import { useState } from 'react';
import type { CursoredEvent } from '../../../packages/client/src/conversation-graph/run-event.ts';
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
  if (events.length === 0)
    return (
      <p className="timeline-empty dim small">
        {fault ?? 'Events appear as models speak and Tools are called.'}
      </p>
    );
  const shown = events.slice(-SHOWN_MAX);
  return (
    <ol className="events">
      {shown.length < events.length ? (
        <li className="faint small">{events.length - shown.length} earlier events</li>
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
  );
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
