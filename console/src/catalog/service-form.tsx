import { type FormEvent, useState } from 'react';
import { CreateServiceDocument, type Protocol, type ServiceType } from '../generated/documents.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Field } from '../ui/field.tsx';
import { FormEnd } from '../ui/form-end.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
import { connectionSchemaOf, PROTOCOL_WORDS, protocolOf, SERVICE_KINDS } from './service-kinds.ts';

/** A new Service, from its kind and its address. */
export function ServiceForm({
  onClose,
  onDone,
}: {
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [type, setType] = useState<ServiceType>('REST_API');
  const [address, setAddress] = useState('');
  const [chosen, setChosen] = useState<Protocol | null>(null);
  const [requiresSecret, setRequiresSecret] = useState(false);
  const create = useChange(CreateServiceDocument);
  const kind = SERVICE_KINDS[type];
  const protocol = protocolOf(address, type) ?? chosen ?? kind.protocols[0];
  const send = async (event: FormEvent) => {
    event.preventDefault();
    const done = await create.send({
      input: {
        name,
        type,
        protocol,
        requiresSecret,
        connectionSchema: connectionSchemaOf(type, protocol, address),
        ...(description === '' ? {} : { description }),
      },
    });
    if (done === null) return;
    notify(`Made the Service ${name}.`);
    onDone();
    onClose();
  };
  return (
    <Dialog
      title="New Service"
      note="A Service is a place that Tools call: an API, a model, an MCP server or a database."
      isOpen
      onClose={onClose}
    >
      <form className="col gap-12" onSubmit={(event) => void send(event)}>
        <Field id="service-name" label="Name">
          <input
            id="service-name"
            className="input"
            value={name}
            onChange={({ target }) => setName(target.value)}
          />
        </Field>
        <Field id="service-kind" label="Kind">
          <select
            id="service-kind"
            className="input"
            value={type}
            onChange={({ target }) => {
              setType(target.value as ServiceType);
              setChosen(null);
            }}
          >
            {Object.entries(SERVICE_KINDS).map(([id, { label }]) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        </Field>
        <Field id="service-address" label={protocol === 'STDIO' ? 'Server' : 'Address'}>
          <input
            id="service-address"
            className="input mono"
            placeholder={protocol === 'STDIO' ? 'clock' : kind.example}
            value={address}
            onChange={({ target }) => setAddress(target.value)}
          />
          <span className="small faint">
            New Tools begin with it; each may have another. It may be left out.
          </span>
        </Field>
        <Field id="service-protocol" label="Protocol">
          <select
            id="service-protocol"
            className="input"
            value={protocol}
            disabled={protocolOf(address, type) !== null}
            onChange={({ target }) => setChosen(target.value as Protocol)}
          >
            {kind.protocols.map((one) => (
              <option key={one} value={one}>
                {PROTOCOL_WORDS[one]}
              </option>
            ))}
          </select>
        </Field>
        <label className="row small">
          <input
            type="checkbox"
            checked={requiresSecret}
            onChange={({ target }) => setRequiresSecret(target.checked)}
          />
          Each of its Tools needs a Secret
        </label>
        <Field id="service-description" label="Description (may be left out)">
          <input
            id="service-description"
            className="input"
            value={description}
            onChange={({ target }) => setDescription(target.value)}
          />
        </Field>
        <FormEnd change={create} isReady={name.trim() !== ''}>
          Make the Service
        </FormEnd>
      </form>
    </Dialog>
  );
}
