import { IconAlertTriangle, IconCloudOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { CombinedError } from 'urql';
import type { ProblemFragment } from '../generated/documents.ts';
import { problemOf } from './problem-words.ts';

/** Grey bars where data will be. */
export function Loading({ rows = 6 }: { readonly rows?: number | undefined }) {
  return (
    <div className="loading" role="status" aria-label="Loading">
      {Array.from({ length: rows }, (_, index) => (
        // The bars never change places.
        // biome-ignore lint/suspicious/noArrayIndexKey: fixed number of equal bars
        <div key={index} className="bone" style={{ width: `${88 - ((index * 17) % 45)}%` }} />
      ))}
    </div>
  );
}

/** An empty list: a title, advice, and the next step. */
export function Empty({
  icon,
  title,
  children,
  actions,
}: {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children?: ReactNode;
  readonly actions?: ReactNode;
}) {
  return (
    <div className="empty">
      {icon}
      <h2>{title}</h2>
      <p>{children}</p>
      {actions === undefined ? null : <div className="actions">{actions}</div>}
    </div>
  );
}

/** The API answered with an error, or not at all. */
export function Fault({
  error,
  onRetry,
}: {
  readonly error: CombinedError;
  readonly onRetry?: (() => void) | undefined;
}) {
  const isAway = isAwayIn(error);
  return (
    <Empty
      icon={
        isAway ? (
          <IconCloudOff size={28} className="icon" stroke={1.5} />
        ) : (
          <IconAlertTriangle size={28} className="icon" stroke={1.5} />
        )
      }
      title={isAway ? 'The API does not answer' : 'This could not be read'}
      actions={
        onRetry === undefined ? undefined : (
          <button type="button" className="button" onClick={onRetry}>
            Try again
          </button>
        )
      }
    >
      {saidBy(error)}
    </Empty>
  );
}

/** In place of what is read: it comes, or could not be read. */
export function Unread({
  error,
  onRetry,
  rows,
}: {
  readonly error: CombinedError | undefined;
  readonly onRetry?: () => void;
  readonly rows?: number;
}) {
  return error === undefined ? <Loading rows={rows} /> : <Fault error={error} onRetry={onRetry} />;
}

function isAwayIn({ networkError, response }: CombinedError): boolean {
  return networkError !== undefined && response === undefined;
}

/** The message of an error with its code, or what to do while the API is away. */
function saidBy(error: CombinedError): string {
  if (isAwayIn(error))
    return (
      'The page tries again by itself. If it takes long, look at the terminal of npm start, ' +
      'or run npx aiden doctor.'
    );
  const code = error.graphQLErrors[0]?.extensions['code'];
  const text = error.graphQLErrors.map(({ message }) => message).join(' ') || error.message;
  return typeof code === 'string' ? `${text} (${code})` : text;
}

/** A notice that one part of a page could not be read. The rest of the page stays. */
export function PartFault({
  part,
  error,
  onRetry,
}: {
  /** The subject of the sentence: `The rest of this list`. */
  readonly part: string;
  readonly error: CombinedError;
  readonly onRetry: () => void;
}) {
  return (
    <div className="notice kept-notice tone-bad" role="alert">
      <IconAlertTriangle size={16} className="icon" />
      <p className="grow">
        {part} could not be read. {saidBy(error)}
      </p>
      <button type="button" className="button tiny" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

/** Problems that the API found in an input, all at once. */
export function Problems({
  problems,
  labels = {},
}: {
  readonly problems: readonly ProblemFragment[];
  /** Labels of the form by the names of the API, to name a field as the form does. */
  readonly labels?: Readonly<Record<string, string>>;
}) {
  if (problems.length === 0) return null;
  return (
    <div className="notice tone-bad" role="alert">
      <IconAlertTriangle size={16} className="icon" />
      <ul className="col gap-4">
        {problems.map(({ code, message, path }) => {
          const place = path.filter((part) => part !== 'input');
          const label = labels[place[0] ?? ''];
          return (
            <li key={`${code} ${path.join('.')} ${message}`}>
              {label === undefined ? (
                <>
                  {message} <span className="faint mono">{place.join('.')}</span>
                </>
              ) : (
                problemOf(message, label, place)
              )}
            </li>
          );
        })}
      </ul>
    </div>
  );
}
