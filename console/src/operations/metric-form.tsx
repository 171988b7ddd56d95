import { type FormEvent, useState } from 'react';
import {
  CreateMetricDocument,
  type MetricAggregation,
  type MetricDataType,
  type MetricScope,
  type MetricsQuery,
  type ProblemFragment,
  UpdateMetricDocument,
} from '../generated/documents.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Choice, TextInput } from '../ui/field.tsx';
import { FormEnd } from '../ui/form-end.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
import { readNumber } from './setting-value.ts';

const SCOPES: Readonly<Record<MetricScope, string>> = {
  PROCESS: 'A Process',
  TOOL: 'A Tool',
  SERVICE: 'A Service',
  CONVERSATION: 'A conversation',
  WORKER: 'A Worker',
};
const TYPES: Readonly<Record<MetricDataType, string>> = {
  FLOAT: 'A number',
  INTEGER: 'A whole number',
  BOOLEAN: 'True or false',
  TIMESTAMP: 'A time',
};
const AGGREGATIONS: Readonly<Record<MetricAggregation, string>> = {
  AVG: 'Their mean',
  SUM: 'Their sum',
  COUNT: 'Their number',
  MIN: 'The least',
  MAX: 'The greatest',
  LAST: 'The latest',
};

/** The labels within a sentence; the name of a kind keeps its capital. */
const WORDS = {
  scope: (scope: MetricScope) => SCOPES[scope].replace(/^A /, 'a '),
  type: (type: MetricDataType) => TYPES[type].toLowerCase(),
};

type Definition = MetricsQuery['metricDefinitions'][number];

/** Makes a metric of one's own, whose values programs record, or changes one. */
export function MetricForm({
  before,
  copyOf,
  onClose,
  onDone,
}: {
  /** The one to change; null: a new one. */
  readonly before: Definition | null;
  /** The one that a new one begins as a copy of. */
  readonly copyOf: Definition | null;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const create = useChange(CreateMetricDocument);
  const update = useChange(UpdateMetricDocument);
  const first = before ?? copyOf;
  const [name, setName] = useState(before?.name ?? (copyOf === null ? '' : `${copyOf.name}_copy`));
  const [description, setDescription] = useState(first?.description ?? '');
  const [scope, setScope] = useState<MetricScope>(first?.scope ?? 'PROCESS');
  const [dataType, setDataType] = useState<MetricDataType>(first?.dataType ?? 'FLOAT');
  const [aggregation, setAggregation] = useState<MetricAggregation>(first?.aggregation ?? 'AVG');
  const [days, setDays] = useState(String(first?.retentionDays ?? ''));
  /** Days that are no whole number. */
  const [unread, setUnread] = useState<readonly ProblemFragment[]>([]);
  const change = before === null ? create : update;
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const retention = readNumber(days, true);
    change.clear();
    setUnread(
      'fault' in retention
        ? [
            {
              code: 'INVALID',
              path: [],
              message: `Days until a value is deleted ${retention.fault}`,
            },
          ]
        : [],
    );
    if ('fault' in retention) return;
    const fields = {
      name,
      aggregation,
      description: description === '' ? null : description,
      retentionDays: retention.value,
    };
    const done =
      before === null
        ? await create.send({ input: { ...fields, scope, dataType } })
        : await update.send({ input: { ...fields, id: before.id } });
    if (done === null) return;
    notify(
      before === null
        ? `Made the metric ${name}. Programs record its values with recordMetric.`
        : `Changed the metric ${name}.`,
    );
    onDone();
    onClose();
  };
  return (
    <Dialog
      title={before === null ? 'New metric' : `Change the metric ${before.name}`}
      isOpen
      onClose={onClose}
    >
      <form className="col gap-12" onSubmit={(event) => void send(event)}>
        <TextInput
          label="Name"
          note="Programs record values under it. It does not begin with aiden_."
          docs="metric"
          isMono
          placeholder="letters_per_day"
          value={name}
          onSet={setName}
        />
        {before === null ? (
          <>
            <Choice
              label="Measures"
              note="The kind of object that a value belongs to; it stays."
              docs="metric"
              all={SCOPES}
              value={scope}
              onSet={setScope}
            />
            <Choice
              label="A value is"
              note="It stays, too."
              docs="metric"
              all={TYPES}
              value={dataType}
              onSet={setDataType}
            />
          </>
        ) : (
          <p className="small dim">
            It measures {WORDS.scope(scope)}. A value is {WORDS.type(dataType)}. Both stay; a copy
            may have others.
          </p>
        )}
        <Choice
          label="Of several values it shows"
          note="Times have no sum."
          docs="metric"
          all={AGGREGATIONS}
          value={aggregation}
          onSet={setAggregation}
        />
        <TextInput
          label="Days until a value is deleted (may be left out)"
          note="From 1 to 3650. Left out, values are kept."
          docs="metric"
          inputMode="numeric"
          value={days}
          onSet={setDays}
        />
        <TextInput
          label="Description (may be left out)"
          note="For people; the title of its chart shows it."
          docs="metric"
          value={description}
          onSet={setDescription}
        />
        <FormEnd
          change={{ ...change, problems: [...unread, ...change.problems] }}
          isReady={name.trim() !== ''}
        >
          {before === null ? 'Make the metric' : 'Save'}
        </FormEnd>
      </form>
    </Dialog>
  );
}
