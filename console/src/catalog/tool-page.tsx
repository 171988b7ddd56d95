import { IconFlask, IconSearchOff } from '@tabler/icons-react';
import { useState } from 'react';
import { useQuery } from 'urql';
import { Link } from 'wouter';
import { ToolPageDocument, TryToolDocument } from '../generated/documents.ts';
import { ErrorNotice } from '../runs/run-error.tsx';
import { SchemaForm } from '../runs/schema-form.tsx';
import { Section } from '../runs/section.tsx';
import { CopyMenu } from '../ui/copy-menu.tsx';
import { durationOf } from '../ui/format.ts';
import { UnderHeading } from '../ui/heading-level.tsx';
import { Json } from '../ui/json.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Problems, Unread } from '../ui/states.tsx';
import { HealthBadge } from '../ui/status.tsx';
import { useChange } from '../ui/use-change.ts';
import { useMayChange } from './catalog-actions.tsx';

/** A Tool: its operation and schemas, the Processes that use it, and a form to try it. */
export function ToolPage({ id }: { readonly id: string }) {
  const [{ data, error }] = useQuery({
    query: ToolPageDocument,
    variables: { id },
    // Others, and this user's other tabs, change it too.
    requestPolicy: 'cache-and-network',
  });
  const [value, setValue] = useState<Record<string, unknown>>({});
  const attempt = useChange(TryToolDocument);
  const [result, setResult] = useState<Awaited<ReturnType<typeof attempt.send>>>(null);
  const mayChange = useMayChange();
  const crumbs = [{ label: 'Catalog', to: '/catalog' }];
  const tool = data?.tool;
  if (tool == null)
    return (
      <Page title="Tool" crumbs={crumbs}>
        {data !== undefined || error?.graphQLErrors[0]?.extensions['code'] === 'BAD_USER_INPUT' ? (
          <Empty
            icon={<IconSearchOff size={28} className="icon" stroke={1.5} />}
            title="No such Tool"
          >
            It was deleted, or is not shared with you.
          </Empty>
        ) : (
          <Unread error={error} />
        )}
      </Page>
    );
  const send = async (inputs: Record<string, unknown>) => {
    setResult(null);
    setResult(await attempt.send({ input: { id, inputs } }));
  };
  const { __typename: _type, ...operation } = tool.operation;
  const answer = result?.testTool;
  const isOwn = mayChange(tool.owner.id);
  return (
    <Page
      title={tool.name}
      crumbs={crumbs}
      meta={<HealthBadge of={tool} />}
      actions={
        <>
          <CopyMenu document={ToolPageDocument} variables={{ id }} />
          <Link href={`/catalog/tools/new?from=${id}`} className="button">
            {isOwn ? 'Duplicate' : 'Copy as my own'}
          </Link>
          {isOwn ? (
            <Link href={`/catalog/tools/${id}/edit`} className="button">
              Change
            </Link>
          ) : null}
        </>
      }
    >
      <div className="page-body pad">
        <div className="narrow entity-grid">
          <div className="col gap-24">
            {tool.description == null ? null : <p className="prose">{tool.description}</p>}
            {tool.errorMessage == null || tool.lastHealthCheckAt == null ? null : (
              <div className="notice tone-bad">{tool.errorMessage}</div>
            )}
            {tool.status === 'HEALTHY' && tool.healthTells === 'ANSWER' ? (
              <p className="muted">
                Healthy means here that the target answers. Whether a call works is unknown until
                one is made{tool.service.type === 'REST_API' ? '; a probe would tell' : ''}.
              </p>
            ) : null}
            <Section title="Operation">
              <Json value={operation} />
            </Section>
            <Section title="Connection">
              <Json value={tool.connectionParams} />
            </Section>
            <Section title="Output schema">
              <Json value={tool.outputSchema} />
            </Section>
          </div>
          <aside className="col gap-24" aria-label="Try the Tool">
            <section className="card">
              <header>
                <h2>Try it</h2>
                <span className="grow" />
                {tool.mutating ? <span className="tag">changes data</span> : null}
              </header>
              <div className="body col gap-12">
                <SchemaForm
                  id="try"
                  schema={tool.inputSchema}
                  value={value}
                  onChange={setValue}
                  onSubmit={(inputs) => void send(inputs)}
                >
                  <button
                    type="submit"
                    className="button primary"
                    aria-busy={attempt.isSending}
                    disabled={attempt.isSending}
                  >
                    <IconFlask size={15} className="icon" />
                    {attempt.isSending ? 'Calling …' : 'Call'}
                  </button>
                </SchemaForm>
                <Problems problems={attempt.problems} />
                {answer?.error == null ? null : <ErrorNotice error={answer.error} />}
                {answer == null || answer.error != null ? null : (
                  <UnderHeading>
                    <Section
                      title="Output"
                      note={answer.durationMs == null ? undefined : durationOf(answer.durationMs)}
                    >
                      <Json value={answer.output} />
                    </Section>
                  </UnderHeading>
                )}
              </div>
            </section>
            <Section title="Used by">
              {tool.usedBy.nodes.length === 0 ? (
                <p className="dim small">No Process calls it.</p>
              ) : (
                <ul className="col gap-4">
                  {tool.usedBy.nodes.map((process) => (
                    <li key={process.id}>
                      <Link href={`/processes/${process.id}`} className="link">
                        {process.name}
                      </Link>
                    </li>
                  ))}
                </ul>
              )}
            </Section>
            <Section title="Record">
              <dl className="facts">
                <dt>Service</dt>
                <dd>{tool.service.name}</dd>
                <dt>Secret</dt>
                <dd>{tool.secret?.name ?? 'none'}</dd>
                <dt>Owner</dt>
                <dd>{tool.owner.name}</dd>
                <dt>Id</dt>
                <dd className="mono">{tool.id}</dd>
              </dl>
            </Section>
          </aside>
        </div>
      </div>
    </Page>
  );
}
