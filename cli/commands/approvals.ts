import type { Command } from 'commander';
import { CliError, type Client, outcomeOf } from '../client.ts';
import {
  type ApprovalFieldsFragment,
  GetApprovalDocument,
  ListApprovalsDocument,
  ResolveStepDocument,
} from '../generated/documents.ts';
import { jsonObject } from '../json.ts';
import { paint } from '../terminal.ts';

const PAGE = 100;

/** `aiden approvals`: lists the steps that wait for the user's decision, and decides them. */
export function addApprovalCommands(program: Command, client: () => Client): void {
  const approvals = program
    .command('approvals')
    .description('Steps that wait for your decision: list them, approve or reject them.');

  approvals
    .command('list', { isDefault: true })
    .description('List the steps that wait, oldest first.')
    .option('-r, --run <id>', 'only those of this run and of the runs below it')
    .action(async ({ run }: { run?: string }) => {
      const { approvals: found } = await client().query(ListApprovalsDocument, {
        runId: run ?? null,
        first: PAGE,
      });
      for (const approval of found.nodes) for (const line of shown(approval)) console.log(line);
      const more = found.totalCount - found.nodes.length;
      if (found.totalCount === 0) console.log('No step waits for your decision.');
      if (more > 0) console.log(`… and ${more} more`);
    });

  approvals
    .command('approve')
    .description('Let a step call its Tool.')
    .argument('<id>', 'the approval, as `aiden approvals` lists it')
    .option('-i, --inputs <json>', 'call the Tool with these inputs instead')
    .option('-n, --note <text>', 'the reason; it is stored with the decision')
    .action(async (id: string, options: { inputs?: string; note?: string }) => {
      const inputs =
        options.inputs === undefined ? {} : { inputs: jsonObject(options.inputs, '--inputs') };
      await decide(client(), id, { decision: 'APPROVE', ...inputs, note: options.note ?? null });
    });

  approvals
    .command('reject')
    .description('Refuse a step: it fails, and with it the run, unless the step is optional.')
    .argument('<id>', 'the approval, as `aiden approvals` lists it')
    .option('-n, --note <text>', 'the reason; it is stored with the decision')
    .action(async (id: string, { note }: { note?: string }) => {
      await decide(client(), id, { decision: 'REJECT', note: note ?? null });
    });
}

interface Decision {
  readonly decision: 'APPROVE' | 'REJECT';
  readonly inputs?: Record<string, unknown>;
  readonly note: string | null;
}

async function decide(api: Client, id: string, decision: Decision): Promise<void> {
  const { node } = await api.query(GetApprovalDocument, { id });
  if (node?.__typename !== 'Approval')
    throw new CliError(`No step waits under the id ${id}: it is decided, or it is not yours.`);
  const { resolveStep } = await api.query(ResolveStepDocument, {
    input: { runId: node.run.id, stepId: node.stepId, index: node.index, ...decision },
  });
  outcomeOf(resolveStep, resolveStep.run, 'The decision was not taken');
  const done = decision.decision === 'APPROVE' ? 'Approved' : 'Rejected';
  console.log(`${done} ${stepName(node)} of ${node.run.processName}.`);
}

function shown(approval: ApprovalFieldsFragment): string[] {
  const { id, run, rootRun, tool, memoryRequest, inputs, requestedAt, expiresAt } = approval;
  const inside = rootRun.id === run.id ? '' : ` within ${rootRun.processName}`;
  const calls = tool === null ? '' : ` calls ${tool.name}`;
  const until = expiresAt === null ? '' : `, until ${expiresAt}`;
  return [
    `${paint('bold', id)}`,
    `  ${stepName(approval)} of ${run.processName}${inside}${calls}`,
    `  run ${rootRun.id}, waits since ${requestedAt}${until}`,
    ...(memoryRequest === null
      ? []
      : [
          `  ${memoryRequest.question} The Process belongs to ` +
            `${memoryRequest.owner?.name ?? 'a deleted user'}.`,
          '  If you approve, this version may do so in all your runs.',
        ]),
    ...visible(JSON.stringify(inputs, null, 2))
      .split('\n')
      .map((line) => `  ${line}`),
    paint('dim', `  decide it: aiden approvals approve ${id} (or: reject ${id})`),
  ];
}

/** JSON with the characters escaped that a terminal would obey instead of showing them. */
function visible(json: string): string {
  return json.replaceAll(
    /[\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

function stepName({ stepId, index }: Pick<ApprovalFieldsFragment, 'stepId' | 'index'>): string {
  return index === null ? stepId : `${stepId}[${index}]`;
}
