import { IconSearchOff } from '@tabler/icons-react';
import { useQuery } from 'urql';
import { Link, useLocation } from 'wouter';
import { useLiveQuery } from '../api/use-live-query.ts';
import {
  ChooseSummaryDocument,
  EntitiesDocument,
  EntityPageDocument,
} from '../generated/documents.ts';
import { Section } from '../runs/section.tsx';
import { CopyMenu } from '../ui/copy-menu.tsx';
import { Json } from '../ui/json.tsx';
import { Page } from '../ui/page.tsx';
import { Empty, Problems, Unread } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { useChange } from '../ui/use-change.ts';
import { ORIGINS } from '../ui/words.ts';
import { EntityLink, FactTimes } from './fact-parts.tsx';
import { ForgetEntity, ForgetRow } from './forget.tsx';
import { byName } from './names.ts';
import { StatementLine } from './statement-parts.tsx';

/** A person, place or thing: its summary, facts with their validity, and the Episodes behind. */
export function EntityPage({ uuid }: { readonly uuid: string }) {
  const [{ data, error }, again] = useLiveQuery({ query: EntityPageDocument, variables: { uuid } });
  const choose = useChange(ChooseSummaryDocument);
  const [, navigate] = useLocation();
  const name = data?.entity?.name ?? '';
  const [{ data: alike }] = useQuery({
    query: EntitiesDocument,
    variables: { query: name, first: 50 },
    pause: name === '',
  });
  const others = byName(alike?.entities.nodes ?? [])
    .filter(({ places }) => places.some((place) => place.uuid === uuid))
    .flatMap(({ places }) => places.filter((place) => place.uuid !== uuid));
  const crumbs = [
    { label: 'Memory', to: '/memory' },
    { label: 'Entities', to: '/memory?view=entities' },
  ];
  const entity = data?.entity;
  if (entity == null)
    return (
      <Page title="Entity" crumbs={crumbs}>
        {data !== undefined || error?.graphQLErrors[0]?.extensions['code'] === 'BAD_USER_INPUT' ? (
          <Empty
            icon={<IconSearchOff size={28} className="icon" stroke={1.5} />}
            title="No such entity"
          >
            It was merged with another, forgotten, or belongs to another user.
          </Empty>
        ) : (
          <Unread error={error} onRetry={again} />
        )}
      </Page>
    );
  const { facts, statements, episodes, facets, sources, proposedSummary } = entity;
  return (
    <Page
      title={entity.name}
      crumbs={crumbs}
      meta={entity.entityType == null ? null : <span className="tag">{entity.entityType}</span>}
      actions={
        <>
          <ForgetEntity
            memory={{ id: entity.id, uuid, text: entity.name }}
            onDone={() => navigate('/memory?view=entities')}
          />
          <CopyMenu document={EntityPageDocument} variables={{ uuid }} />
        </>
      }
    >
      <div className="page-body pad">
        <div className="narrow entity-grid">
          <div className="col gap-24">
            <p className="prose entity-summary">{entity.summary || 'It has no summary yet.'}</p>
            {proposedSummary == null ? null : (
              <div className="notice">
                <div className="col grow">
                  <span className="title">A newer summary is proposed</span>
                  <span className="prose">{proposedSummary.text}</span>
                  <Problems problems={choose.problems} />
                  <span>
                    <button
                      type="button"
                      className="button"
                      aria-busy={choose.isSending}
                      disabled={choose.isSending}
                      onClick={() =>
                        void choose.send({
                          input: { entityUuid: uuid, summaryId: proposedSummary.summaryId },
                        })
                      }
                    >
                      Take it
                    </button>
                  </span>
                </div>
              </div>
            )}
            <Section title={`Facts (${facts.length})`}>
              {facts.length === 0 ? (
                <p className="dim small">No fact connects it with another entity yet.</p>
              ) : (
                <ul className="card list">
                  {facts.map((fact) => {
                    const other = fact.source.uuid === uuid ? fact.target : fact.source;
                    const isOver = fact.invalidAt != null || fact.expiredAt != null;
                    return (
                      <li key={fact.uuid} className={`hit${isOver ? ' over' : ''}`}>
                        <div className="row">
                          <p className="prose grow">{fact.fact}</p>
                          <ForgetRow
                            kind="fact"
                            memory={{ id: fact.id, uuid: fact.uuid, text: fact.fact }}
                            onDone={again}
                          />
                        </div>
                        <p className="row wrap small dim">
                          <EntityLink entity={other} />
                          <FactTimes fact={fact} />
                        </p>
                      </li>
                    );
                  })}
                </ul>
              )}
            </Section>
            {statements.totalCount === 0 ? null : (
              <Section title={`Statements (${statements.totalCount})`}>
                <ul className="card list">
                  {statements.nodes.map((statement) => (
                    <li
                      key={statement.uuid}
                      className={`hit${statement.invalidAt == null ? '' : ' over'}`}
                    >
                      <div className="row">
                        <p className="prose grow">{statement.text}</p>
                        <ForgetRow kind="statement" memory={statement} onDone={again} />
                      </div>
                      <StatementLine statement={statement} without={uuid} />
                    </li>
                  ))}
                </ul>
              </Section>
            )}
            <Section title={`Said about it (${episodes.totalCount})`}>
              <ul className="card list">
                {episodes.nodes.map((episode) => (
                  <li key={episode.uuid} className="hit">
                    <p className="prose">{episode.content}</p>
                    <p className="small dim">
                      {episode.sourceDescription} <Time at={episode.validAt} />
                    </p>
                  </li>
                ))}
              </ul>
            </Section>
          </div>
          <aside className="col gap-24" aria-label="Details">
            {facets == null || Object.keys(facets).length === 0 ? null : (
              <Section title="Properties">
                <Json value={facets} />
              </Section>
            )}
            <Section title="Sources">
              <ul className="col">
                {sources.map((source) => (
                  <li
                    key={`${source.type} ${source.createdAt} ${source.originalName}`}
                    className="row small"
                  >
                    <span className="tag">{ORIGINS[source.type]}</span>
                    <span className="grow clip">{source.originalName ?? ''}</span>
                    <span className="faint">
                      <Time at={source.createdAt} />
                    </span>
                  </li>
                ))}
              </ul>
            </Section>
            {others.length === 0 ? null : (
              <Section title="In other conversations">
                <ul className="col gap-4">
                  {others.map((other) => (
                    <li key={other.uuid} className="row small">
                      <Link href={`/memory/entities/${other.uuid}`} className="link grow clip">
                        {other.summary || other.name}
                      </Link>
                      <span className="faint">
                        <Time at={other.createdAt} />
                      </span>
                    </li>
                  ))}
                </ul>
              </Section>
            )}
            <Section title="Record">
              <dl className="facts">
                <dt>Known since</dt>
                <dd>
                  <Time at={entity.createdAt} />
                </dd>
                <dt>Enriched</dt>
                <dd>{entity.enrichedAt == null ? 'not yet' : <Time at={entity.enrichedAt} />}</dd>
                <dt>Merged from</dt>
                <dd>{entity.mergedFrom.length === 0 ? 'nothing' : entity.mergedFrom.length}</dd>
              </dl>
            </Section>
          </aside>
        </div>
      </div>
    </Page>
  );
}
