import { type FormEvent, useState } from 'react';
import {
  AdoptDocument,
  AllowMemoryDocument,
  DropDocument,
  type ProcessPageQuery,
  RevokeMemoryDocument,
} from '../generated/documents.ts';
import { Problems } from '../ui/states.tsx';
import { notify } from '../ui/toasts.tsx';
import { useChange } from '../ui/use-change.ts';

type Process = NonNullable<ProcessPageQuery['process']>;

/** For a Process of another user: its use of the memory, and its name as a tool of one's own. */
export function OfAnother({
  process,
  again,
}: {
  readonly process: Process;
  readonly again: () => void;
}) {
  const { id: processId, version, memoryAccess, adoption, exposeAsTool, initialContext } = process;
  const allow = useChange(AllowMemoryDocument);
  const revoke = useChange(RevokeMemoryDocument);
  const adopt = useChange(AdoptDocument);
  const drop = useChange(DropDocument);
  const [name, setName] = useState('');
  const isOffered = exposeAsTool || initialContext.includes('messages');
  const told = (done: unknown, text: string) => {
    if (done === null) return;
    notify(text);
    again();
  };
  const takeOver = async (event: FormEvent) => {
    event.preventDefault();
    told(await adopt.send({ input: { processId, name, version } }), `It is your tool ${name}.`);
  };
  if (memoryAccess?.digest == null && !isOffered && adoption == null) return null;
  return (
    <section className="approval" aria-label="A Process of another user">
      {memoryAccess?.digest == null ? null : (
        <div className="row">
          <span className="grow">
            It {usesOf(memoryAccess)} your memory by{' '}
            <span className="mono">{memoryAccess.toolNames.join(', ')}</span>
            {memoryAccess.isAllowed ? ', as you allowed.' : ', and asks you first.'}
          </span>
          {memoryAccess.isAllowed ? (
            <button
              type="button"
              className="button"
              onClick={async () =>
                told(await revoke.send({ input: { processId } }), 'It asks again.')
              }
            >
              Withdraw
            </button>
          ) : (
            <button
              type="button"
              className="button"
              onClick={async () =>
                told(
                  await allow.send({
                    input: { processId, version, digest: memoryAccess.digest },
                  }),
                  `Version ${version} may use your memory.`,
                )
              }
            >
              {`Allow version ${version}`}
            </button>
          )}
        </div>
      )}
      {adoption == null ? (
        isOffered ? (
          <form className="row" onSubmit={takeOver}>
            <span className="grow">Take it over as a tool of your MCP and chat clients:</span>
            <input
              className="input mono"
              placeholder="name"
              aria-label="Name of the tool"
              value={name}
              onChange={({ target }) => setName(target.value)}
            />
            <button type="submit" className="button" disabled={name === ''}>
              Take over
            </button>
          </form>
        ) : null
      ) : (
        <div className="row">
          <span className="grow">
            It is your tool <span className="mono">{adoption.name}</span>
            {adoption.version === version
              ? '.'
              : `, with the texts of version ${adoption.version}; it is at ${version} by now.`}
          </span>
          <button
            type="button"
            className="button"
            onClick={async () => told(await drop.send({ input: { processId } }), 'Given up.')}
          >
            Give up
          </button>
        </div>
      )}
      <Problems problems={[allow, revoke, adopt, drop].flatMap(({ problems }) => problems)} />
    </section>
  );
}

function usesOf({ reads, writes }: NonNullable<Process['memoryAccess']>): string {
  if (!writes) return 'reads';
  return reads ? 'reads and changes' : 'changes';
}
