import type { FormEvent } from 'react';
import { CreateServiceDocument, type Protocol, type ServiceType } from '../generated/documents.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Check, Choice, TextInput } from '../ui/field.tsx';
import { FormEnd } from '../ui/form-end.tsx';
import { KeptNotice } from '../ui/kept-notice.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';
import { useKept } from '../ui/use-kept.ts';
import { connectionSchemaOf, PROTOCOL_WORDS, protocolOf, SERVICE_KINDS } from './service-kinds.ts';

const KINDS = Object.fromEntries(
  Object.entries(SERVICE_KINDS).map(([id, { label }]) => [id, label]),
);

interface Typed {
  readonly name: string;
  readonly description: string;
  readonly type: ServiceType;
  readonly address: string;
  /** Null: as the address says, or is usual for the kind. */
  readonly chosen: Protocol | null;
  readonly requiresSecret: boolean;
}

/** A new Service, from its kind and its address. */
export function ServiceForm({
  onClose,
  onDone,
}: {
  readonly onClose: () => void;
  readonly onDone: () => void;
}) {
  const kept = useKept<Typed>('service new', () => ({
    name: '',
    description: '',
    type: 'REST_API',
    address: '',
    chosen: null,
    requiresSecret: false,
  }));
  const { name, description, type, address, chosen, requiresSecret } = kept.value;
  const set = (change: Partial<Typed>) => kept.set({ ...kept.value, ...change });
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
    kept.drop();
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
        <KeptNotice kept={kept} />
        <TextInput
          label="Name"
          note="At most 200 characters, unique among your Services."
          docs="service"
          value={name}
          onSet={(text) => set({ name: text })}
        />
        <Choice<ServiceType>
          label="Kind"
          note="It decides what its Tools do: a request, a prompt, a tool of the server, or Cypher."
          docs="service"
          all={KINDS}
          value={type}
          onSet={(next) => set({ type: next, chosen: null })}
        />
        <TextInput
          label={protocol === 'STDIO' ? 'Server' : 'Address'}
          note="New Tools begin with it; each may have another. It may be left out."
          docs="service"
          isMono
          placeholder={protocol === 'STDIO' ? 'clock' : kind.example}
          value={address}
          onSet={(text) => set({ address: text })}
        />
        <Choice<Protocol>
          label="Protocol"
          all={Object.fromEntries(kind.protocols.map((one) => [one, PROTOCOL_WORDS[one]]))}
          value={protocol}
          note="An address that begins with one, such as https://, decides it."
          docs="service"
          isDisabled={protocolOf(address, type) !== null}
          onSet={(next) => set({ chosen: next })}
        />
        <Check
          label="Each of its Tools needs a Secret"
          note="A Tool without one is refused then."
          docs="secretPlace"
          isOn={requiresSecret}
          onSet={(isOn) => set({ requiresSecret: isOn })}
        />
        <TextInput
          label="Description (may be left out)"
          note="For people; it stands in the list of Services."
          docs="service"
          value={description}
          onSet={(text) => set({ description: text })}
        />
        <FormEnd change={create} isReady={name.trim() !== ''}>
          Make the Service
        </FormEnd>
      </form>
    </Dialog>
  );
}
