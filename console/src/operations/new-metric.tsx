import { type FormEvent, useState } from 'react';
import {
  CreateMetricDocument,
  type MetricAggregation,
  type MetricDataType,
  type MetricScope,
} from '../generated/documents.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Choice, TextInput } from '../ui/field.tsx';
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
        <TextInput label="Name" isMono placeholder="letters_per_day" value={name} onSet={setName} />
        <Choice label="Measures" all={SCOPES} value={scope} onSet={setScope} />
        <Choice label="A value is" all={TYPES} value={dataType} onSet={setDataType} />
        <Choice
          label="Of several values it shows"
          all={AGGREGATIONS}
          value={aggregation}
          onSet={setAggregation}
        />
        <TextInput
          label="Days until a value is deleted (may be left out)"
          note="From 1 to 3650. Left out, values are kept."
          inputMode="numeric"
          value={days}
          onSet={setDays}
        />
        <TextInput
          label="Description (may be left out)"
          value={description}
          onSet={setDescription}
        />
        <FormEnd change={create} isReady={name.trim() !== ''}>
          Make the metric
        </FormEnd>
      </form>
    </Dialog>
  );
}
