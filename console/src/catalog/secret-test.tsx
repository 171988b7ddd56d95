import { useEffect, useState } from 'react';
import { Link } from 'wouter';
import {
  type CatalogQuery,
  TestSecretDocument,
  type TestSecretMutation,
} from '../generated/documents.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Problems } from '../ui/states.tsx';
import { useChange } from '../ui/use-change.ts';
import { Waiting } from '../ui/working.tsx';

type Secret = CatalogQuery['secrets']['nodes'][number];
type Test = TestSecretMutation['testSecret']['tests'][number];

const TONES = { ACCEPTED: 'tone-ok', FAILED: 'tone-bad', UNTOLD: 'tone-wait' } as const;

/** Tests a Secret by the probes of the Tools that use it, as soon as it is opened. */
export function SecretTest({
  secret,
  onTested,
  onClose,
}: {
  readonly secret: Secret;
  /** The probes have changed the health of Tools. */
  readonly onTested: () => void;
  readonly onClose: () => void;
}) {
  const test = useChange(TestSecretDocument);
  const [tests, setTests] = useState<readonly Test[] | null>(null);
  const { id } = secret;
  // biome-ignore lint/correctness/useExhaustiveDependencies: one test per opening
  useEffect(() => {
    void test.send({ input: { id } }).then((done) => {
      if (done === null) return;
      setTests(done.testSecret.tests);
      onTested();
    });
  }, [id]);
  return (
    <Dialog
      title={`Test ${secret.name}`}
      note={`The health checks of the Tools that use it are made now, with the Secret and without
        it. No Tool runs, and the value goes to no other place.`}
      isOpen
      onClose={onClose}
    >
      <Problems problems={test.problems} />
      {tests === null ? (
        test.isSending ? (
          <Waiting />
        ) : null
      ) : tests.length === 0 ? (
        <p className="dim">
          It cannot be tested yet: no Tool uses it. Choose it in a Tool, then test it here.
        </p>
      ) : (
        <ul className="list col gap-12">
          {tests.map((one) => (
            <li
              key={one.tools.map((tool) => tool.id).join()}
              className={`notice ${TONES[one.outcome]}`}
            >
              <span className="col gap-4 grow">
                <span className="strong">{one.tools[0]?.service.name}</span>
                <span>{wordsOf(one)}</span>
                <span className="small dim">
                  {one.tools.map((tool, index) => (
                    <span key={tool.id}>
                      {index === 0 ? '' : ', '}
                      <Link href={`/catalog/tools/${tool.id}`} className="link">
                        {tool.name}
                      </Link>
                    </span>
                  ))}
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}

function wordsOf({ outcome, message }: Test): string {
  if (outcome === 'ACCEPTED') return 'It is accepted. Without it the check fails.';
  if (outcome === 'FAILED') return message ?? 'The check fails.';
  return (
    'This check cannot tell: it succeeds without the Secret too. Give the Tool a probe with a ' +
    'path that needs the Secret, or try the Tool on its page.'
  );
}
