import { type FormEvent, useState } from 'react';
import { useLiveQuery } from '../api/use-live-query.ts';
import {
  ChangeSettingsDocument,
  type ProblemFragment,
  SettingsDocument,
  type SettingsQuery,
  type UpdateSettingsInput,
} from '../generated/documents.ts';
import { Problems, Unread } from '../ui/states.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
import { readSetting } from './setting-value.ts';

type Values = NonNullable<SettingsQuery['settings']>;
type Name = Exclude<keyof Values, '__typename'>;

/** Unit of the settings that take fractions. */
const SHARE = '0 to 1';

const GROUPS: readonly {
  readonly title: string;
  readonly fields: readonly (readonly [name: Name, label: string, unit: string])[];
}[] = [
  {
    title: 'How long data stays (0 days: always)',
    fields: [
      ['runRetentionDays', 'Runs of users', 'days'],
      ['systemRunRetentionDays', 'Background runs', 'days'],
      ['callGraphRetentionDays', 'Finished calls', 'days'],
      ['sessionRetentionDays', 'Sessions', 'days'],
      ['entryRetentionDays', 'Entries of the event log', 'days'],
      ['memoryRetentionDays', 'Agent memory', 'days'],
      ['idempotencyRetentionDays', 'Idempotency keys', 'days'],
    ],
  },
  {
    title: 'Background work',
    fields: [
      ['backgroundTokensPerDay', 'Tokens for one user on one day (0: no limit)', 'tokens'],
      ['compressionTokenThreshold', 'Compress a conversation from', 'tokens'],
      ['introspectionCompressionThreshold', 'Write notes after', 'compressions'],
      ['introspectionMaxRotation', 'Notes that a model is shown at once', 'notes'],
    ],
  },
  {
    title: 'Memory',
    fields: [
      ['activeEntitiesMax', 'Entities that mentions make active', 'entities'],
      ['dedupSimilarityThreshold', 'Merge entities from a similarity of', SHARE],
      ['enrichmentEdgeThreshold', 'Enrich an entity from', 'mentions'],
      ['lineSupportThreshold', 'Share of a line that its evidence contains', SHARE],
      ['segmentGapMinutes', 'A talk ends after a pause of', 'minutes'],
      ['segmentMaxTokens', 'Most tokens of a talk', 'tokens'],
      ['segmentOverlapEvents', 'Events that a talk repeats', 'events'],
      ['summaryTokensMin', 'A model sums up from', 'tokens'],
    ],
  },
  {
    title: 'Limits of a run, with all runs below it',
    fields: [
      ['forEachItemsMax', 'Items of one list', 'items'],
      ['stepsPerRunMax', 'Steps, each item counted', 'steps'],
      ['runsPerRunMax', 'Runs', 'runs'],
    ],
  },
  {
    title: 'Recording',
    fields: [
      ['payloadTruncationThreshold', 'Record payloads in full up to', 'bytes'],
      ['redactedFields', 'Fields that are never recorded', 'one a line'],
      ['redactedPatterns', 'Patterns of secrets, in RE2 syntax', 'one a line'],
    ],
  },
];

const FIELDS = GROUPS.flatMap(({ fields }) => fields);
const LABELS = Object.fromEntries(FIELDS.map(([name, label]) => [name, label]));
const SHARES = FIELDS.flatMap(([name, , unit]) => (unit === SHARE ? [name] : []));

/** The settings that admins change while the product runs. */
export function Settings() {
  const [{ data, error }, again] = useLiveQuery({ query: SettingsDocument, variables: {} });
  const [edits, setEdits] = useState<Readonly<Partial<Record<Name, string>>>>({});
  const change = useChange(ChangeSettingsDocument);
  /** Fields whose text is no value. */
  const [unread, setUnread] = useState<readonly ProblemFragment[]>([]);
  const settings = data?.settings ?? null;
  if (settings === null) return <Unread rows={8} error={error} onRetry={again} />;
  const changed = Object.entries(edits).filter(
    ([name, text]) => text !== shown(settings[name as Name]),
  );
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const read = changed.map(([name, text]) => {
      const isList = Array.isArray(settings[name as Name]);
      const isWhole = !SHARES.includes(name as Name);
      return { name, ...readSetting(text, { isList, isWhole }) };
    });
    const faults = read.flatMap((one) =>
      'fault' in one
        ? [{ code: 'INVALID' as const, path: [one.name], message: `${one.name} ${one.fault}` }]
        : [],
    );
    setUnread(faults);
    change.clear();
    if (faults.length > 0) return;
    const input = Object.fromEntries(
      read.flatMap((one) => ('value' in one ? [[one.name, one.value]] : [])),
    );
    if ((await change.send({ input: input as UpdateSettingsInput })) === null) return;
    notify('Saved. It takes effect within 5 seconds.');
    setEdits({});
    again();
  };
  return (
    <form className="col gap-16" onSubmit={(event) => void save(event)}>
      {GROUPS.map(({ title, fields }) => (
        <section key={title} className="card" aria-label={title}>
          <header>
            <h2>{title}</h2>
          </header>
          <div className="body settings">
            {fields.map(([name, label, unit]) => {
              const props = {
                id: name,
                className: 'input mono',
                value: edits[name] ?? shown(settings[name]),
                onChange: ({ target }: { readonly target: { readonly value: string } }) =>
                  setEdits((before) => ({ ...before, [name]: target.value })),
              };
              return (
                <div key={name} className="setting">
                  <label htmlFor={name}>{label}</label>
                  {Array.isArray(settings[name]) ? (
                    <textarea rows={4} {...props} />
                  ) : (
                    <input inputMode="decimal" {...props} />
                  )}
                  <span className="small faint">{unit}</span>
                </div>
              );
            })}
          </div>
        </section>
      ))}
      <Problems problems={[...unread, ...change.problems]} labels={LABELS} />
      <div className="row">
        <button
          type="submit"
          className="button primary"
          aria-busy={change.isSending}
          disabled={changed.length === 0 || change.isSending}
        >
          {change.isSending ? 'Saving …' : 'Save the settings'}
        </button>
        {changed.length === 0 ? null : (
          <button type="button" className="button plain" onClick={() => setEdits({})}>
            Undo
          </button>
        )}
      </div>
    </form>
  );
}

function shown(value: Values[Name]): string {
  return Array.isArray(value) ? value.join('\n') : String(value);
}
