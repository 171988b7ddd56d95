import { type FormEvent, useState } from 'react';
import {
  CreateMetricDocument,
  type MetricAggregation,
  type MetricDataType,
  type MetricScope,
} from '../generated/documents.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { FormEnd } from '../ui/form-end.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';

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

/** A metric of one's own, whose values programs record. */
export function NewMetric({
  onClose,
  onDone,
}: {
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const create = useChange(CreateMetricDocument);
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [scope, setScope] = useState<MetricScope>('PROCESS');
  const [dataType, setDataType] = useState<MetricDataType>('FLOAT');
  const [aggregation, setAggregation] = useState<MetricAggregation>('AVG');
  const [days, setDays] = useState('');
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const done = await create.send({
      input: {
        name,
        scope,
        dataType,
        aggregation,
        ...(description === '' ? {} : { description }),
        ...(days.trim() === '' ? {} : { retentionDays: Number(days) }),
      },
    });
    if (done === null) return;
    notify(`Made the metric ${name}. Programs record its values with recordMetric.`);
    onDone();
    onClose();
  };
  return (
    <Dialog title="New metric" isOpen onClose={onClose}>
      <form className="col gap-12" onSubmit={(event) => void send(event)}>
        <Field id="metric-name" label="Name">
          <input
            id="metric-name"
            className="input mono"
            placeholder="letters_per_day"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <Choice id="metric-scope" label="Measures" all={SCOPES} value={scope} onSet={setScope} />
        <Choice
          id="metric-type"
          label="A value is"
          all={TYPES}
          value={dataType}
          onSet={setDataType}
        />
        <Choice
          id="metric-aggregation"
          label="Of several values it shows"
          all={AGGREGATIONS}
          value={aggregation}
          onSet={setAggregation}
        />
        <Field id="metric-days" label="Days until a value is deleted (may be left out)">
          <input
            id="metric-days"
            className="input"
            inputMode="numeric"
            value={days}
            onChange={({ target }) => setDays(target.value)}
          />
          <span className="small faint">From 1 to 3650. Left out, values are kept.</span>
        </Field>
        <Field id="metric-description" label="Description (may be left out)">
          <input
            id="metric-description"
            className="input"
            value={description}
            onChange={({ target }) => setDescription(target.value)}
          />
        </Field>
        <FormEnd change={create} isReady={name.trim() !== ''}>
          Make the metric
        </FormEnd>
      </form>
    </Dialog>
  );
}

function Choice<Id extends string>({
  id,
  label,
  all,
  value,
  onSet,
}: {
  readonly id: string;
  readonly label: string;
  readonly all: Readonly<Record<Id, string>>;
  readonly value: Id;
  readonly onSet: (value: Id) => void;
}) {
  return (
    <Field id={id} label={label}>
      <select
        id={id}
        className="input"
        value={value}
        onChange={({ target }) => onSet(target.value as Id)}
      >
        {Object.entries<string>(all).map(([one, words]) => (
          <option key={one} value={one}>
            {words}
          </option>
        ))}
      </select>
    </Field>
  );
}
