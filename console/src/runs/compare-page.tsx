import { IconArrowsLeftRight, IconGitCompare } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import { useQuery } from 'urql';
import { Link, useSearchParams } from 'wouter';
import { RunDocument, type RunQuery } from '../generated/documents.ts';
import { CopyMenu } from '../ui/copy-menu.tsx';
import { Diff } from '../ui/diff.tsx';
import { costOf, countOf, durationOf } from '../ui/format.ts';
import { Page } from '../ui/page.tsx';
import { Empty, Fault, Loading } from '../ui/states.tsx';
import { StatusBadge } from '../ui/status.tsx';
import { Time } from '../ui/time.tsx';
import { isSame, pairSteps, type StepPair, tookMs } from './compare-runs.ts';
import { Section } from './section.tsx';

type Run = NonNullable<RunQuery['processRun']>;

/** Two runs side by side, with the differences of context, steps and output. */
export function ComparePage() {
  const [search, setSearch] = useSearchParams();
  const leftId = search.get('left') ?? '';
  const rightId = search.get('right') ?? '';
  const [left] = useQuery({ query: RunDocument, variables: { id: leftId } });
  const [right] = useQuery({ query: RunDocument, variables: { id: rightId } });
  const crumbs = [{ label: 'Runs', to: '/runs' }];
  const error = left.error ?? right.error;
  const one = left.data?.processRun;
  const other = right.data?.processRun;
  if (one == null || other == null)
    return (
      <Page title="Compare" crumbs={crumbs}>
        {left.fetching || right.fetching ? (
          <Loading rows={8} />
        ) : error !== undefined &&
          error.graphQLErrors[0]?.extensions['code'] !== 'BAD_USER_INPUT' ? (
          <Fault error={error} />
        ) : (
          <Empty
            icon={<IconGitCompare size={28} className="icon" stroke={1.5} />}
            title="Two runs are needed"
            actions={
              <Link href="/runs" className="button">
                All runs
              </Link>
            }
          >
            Tick two runs in the list, then choose Compare. A run that was deleted, or is not yours,
            cannot be compared.
          </Empty>
        )}
      </Page>
    );
  return (
    <Page
      title="Compare"
      crumbs={crumbs}
      actions={
        <>
          <button
            type="button"
            className="button"
            onClick={() => setSearch({ left: rightId, right: leftId }, { replace: true })}
          >
            <IconArrowsLeftRight size={15} className="icon" />
            Swap
          </button>
          <CopyMenu document={RunDocument} variables={{ id: leftId }} />
        </>
      }
    >
      <div className="page-body pad">
        <div className="narrow col gap-24">
          <Facts left={one} right={other} />
          <Part title="Context" left={one.context} right={other.context} />
          <Steps pairs={pairSteps(one.steps, other.steps)} />
          <Part title="Output" left={one.output} right={other.output} />
        </div>
      </div>
    </Page>
  );
}

function Facts({ left, right }: { readonly left: Run; readonly right: Run }) {
  const rows: readonly [string, (run: Run) => ReactNode][] = [
    [
      'Run',
      (run) => (
        <Link href={`/runs/${run.id}`} className="link">
          {run.processName} v{run.processVersion}
        </Link>
      ),
    ],
    ['Status', (run) => <StatusBadge status={run.status} />],
    ['Started', (run) => <Time at={run.startedAt ?? run.createdAt} />],
    ['Took', (run) => tookOf(run)],
    ['Steps', (run) => countOf(run.steps.length)],
    ['Tokens', (run) => countOf(run.usage.inputTokens + run.usage.outputTokens)],
    ['Cost', (run) => (run.usage.costUsd == null ? '–' : costOf(run.usage.costUsd))],
    ['Error', (run) => run.error?.message ?? '–'],
  ];
  return (
    <table className="table card compare-facts">
      <thead>
        <tr>
          <th>
            <span className="visually-hidden">Field</span>
          </th>
          <th>First</th>
          <th>Second</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([name, of]) => (
          <tr key={name}>
            <th scope="row" className="dim">
              {name}
            </th>
            <td>{of(left)}</td>
            <td>{of(right)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function tookOf(step: Parameters<typeof tookMs>[0]): string {
  const ms = tookMs(step);
  return ms === null ? '–' : durationOf(ms);
}

function Part({
  title,
  left,
  right,
}: {
  readonly title: string;
  readonly left: unknown;
  readonly right: unknown;
}) {
  return (
    <Section title={title}>
      {isSame(left, right) ? (
        <p className="dim small">The same in both.</p>
      ) : (
        <Diff before={left} after={right} label={`Differences of the ${title.toLowerCase()}`} />
      )}
    </Section>
  );
}

/** How a step ended, and its time. */
function StepEnd({ step }: { readonly step: StepPair['left'] }) {
  return step === null ? (
    '–'
  ) : (
    <span className="row wrap gap-4">
      <StatusBadge status={step.status} />
      <span className="num dim">{tookOf(step)}</span>
    </span>
  );
}

/** In what the two differ, as a button that opens the differences. */
function DiffersIn({
  differences,
  isOpen,
  onToggle,
}: {
  readonly differences: StepPair['differences'];
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) {
  return differences.length === 0 ? (
    <span className="faint">nothing</span>
  ) : (
    <button type="button" className="button tiny" aria-expanded={isOpen} onClick={onToggle}>
      {differences.join(', ')}
    </button>
  );
}

function Steps({ pairs }: { readonly pairs: readonly StepPair[] }) {
  const [open, setOpen] = useState<string | null>(null);
  return (
    <Section
      title="Steps"
      note={`${pairs.filter(({ differences }) => differences.length > 0).length} differ`}
    >
      <table className="table card">
        <thead>
          <tr>
            <th>Step</th>
            <th>First, took</th>
            <th>Second, took</th>
            <th className="hide-small">Differs in</th>
          </tr>
        </thead>
        <tbody>
          {pairs.map((pair) => {
            const { stepId, index, left, right, differences } = pair;
            const key = `${stepId} ${index ?? ''}`;
            const differing = {
              differences,
              isOpen: open === key,
              onToggle: () => setOpen(open === key ? null : key),
            };
            return [
              <tr key={key}>
                <td className="strong">
                  {stepId}
                  {index === null ? null : <span className="faint"> {index}</span>}
                  {differences.length === 0 ? null : (
                    <div className="only-small">
                      <DiffersIn {...differing} />
                    </div>
                  )}
                </td>
                <td>
                  <StepEnd step={left} />
                </td>
                <td>
                  <StepEnd step={right} />
                </td>
                <td className="hide-small">
                  <DiffersIn {...differing} />
                </td>
              </tr>,
              open === key ? (
                <tr key={`${key} open`}>
                  <td colSpan={4}>
                    <div className="col gap-12 compare-open">
                      <Part title="Inputs" left={left?.inputs} right={right?.inputs} />
                      <Part title="Output" left={left?.output} right={right?.output} />
                    </div>
                  </td>
                </tr>
              ) : null,
            ];
          })}
        </tbody>
      </table>
    </Section>
  );
}
