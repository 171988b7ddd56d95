import { useState } from 'react';
import {
  type CatalogQuery,
  CreateServiceDocument,
  CreateToolDocument,
} from '../generated/documents.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Choice, namesOf, TextInput } from '../ui/field.tsx';
import { Problems } from '../ui/states.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
import { type Connection, ConnectionFields } from './connection-fields.tsx';

export type Template =
  | ({ readonly kind: 'service' } & CatalogQuery['serviceTemplates']['nodes'][number])
  | ({ readonly kind: 'tool' } & CatalogQuery['toolTemplates']['nodes'][number]);

/** A Service or Tool of one's own, copied from a template. */
export function FromTemplate({
  template,
  data,
  onClose,
  onDone,
}: {
  readonly template: Template;
  readonly data: CatalogQuery;
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const [name, setName] = useState(template.name);
  const [serviceId, setServiceId] = useState('');
  const [connection, setConnection] = useState<Connection>({ params: {}, secretId: null });
  const makeService = useChange(CreateServiceDocument);
  const makeTool = useChange(CreateToolDocument);
  const service = data.services.nodes.find(({ id }) => id === serviceId);
  const finish = () => {
    notify(`Made ${name}.`);
    onDone();
    onClose();
  };
  const send = async (params: Record<string, unknown>) => {
    if (template.kind === 'service') {
      const input = { name, serviceTemplateId: template.id };
      if ((await makeService.send({ input })) !== null) finish();
      return;
    }
    const input = {
      name,
      toolTemplateId: template.id,
      serviceId,
      connectionParams: params,
      secretId: connection.secretId,
    };
    if ((await makeTool.send({ input })) !== null) finish();
  };
  const isSending = makeService.isSending || makeTool.isSending;
  return (
    <Dialog
      title={`${template.kind === 'service' ? 'A Service' : 'A Tool'} from ${template.name}`}
      isOpen
      onClose={onClose}
    >
      <TextInput
        label="Name"
        note={
          template.kind === 'service'
            ? 'At most 200 characters, unique among your Services.'
            : 'At most 200 characters. Steps find it by this name.'
        }
        docs={template.kind}
        value={name}
        onSet={setName}
      />
      {template.kind === 'service' ? null : (
        <Choice
          label="Service"
          note="The place that the Tool calls."
          docs="service"
          all={{ '': 'Choose a Service', ...namesOf(data.services.nodes) }}
          value={serviceId}
          onSet={setServiceId}
        />
      )}
      {service === undefined ? null : (
        <ConnectionFields
          key={service.id}
          id="template"
          schema={service.connectionSchema}
          secrets={data.secrets.nodes}
          value={connection}
          onChange={setConnection}
          onSubmit={(params) => void send(params)}
        />
      )}
      <Problems problems={[...makeService.problems, ...makeTool.problems]} />
      <div className="row">
        <button
          type={service === undefined ? 'button' : 'submit'}
          {...(service === undefined ? { onClick: () => void send({}) } : { form: 'template' })}
          className="button primary"
          aria-busy={isSending}
          disabled={
            name.trim() === '' || isSending || (template.kind === 'tool' && service === undefined)
          }
        >
          Make it
        </button>
      </div>
    </Dialog>
  );
}
