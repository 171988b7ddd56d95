import type { Page } from 'playwright-core';
import type { TestClient } from '../testkit/client.ts';
import { eventually } from '../testkit/outbox.ts';
import { shipped } from '../testkit/shipped.ts';

/** Ids of the data that the pictures and the browser tests show. */
export interface TourData {
  /** The Tool that sums up a text. */
  readonly toolId: string;
  readonly tourId: string;
  readonly tourRunId: string;
  readonly failedRunId: string;
  readonly waitingRunId: string;
  readonly askingId: string;
  readonly conversationId: string;
}

export const TOUR_CONTEXT = {
  title: 'Marie Curie',
  text:
    'Marie Curie was born in Warsaw in 1867. ' +
    'She moved to Paris in 1891 and studied physics at the Sorbonne.\n\n' +
    'With Pierre Curie she discovered polonium and radium. ' +
    'In 1903 she received the Nobel Prize in Physics.\n\n' +
    'In 1911 she received a second Nobel Prize, this time in Chemistry.',
  question: 'Where was Marie Curie born?',
};

export async function startRun(
  ada: TestClient,
  processId: string,
  context: object,
): Promise<string> {
  const { run, userErrors } = await ada.mutate<{ run: { id: string } | null }>(
    'startProcessRun',
    { processId, context },
    'run { id }',
  );
  if (run === null) throw new Error(JSON.stringify(userErrors));
  return run.id;
}

/** A Process whose second step waits for an approval. */
export function asking(toolId: string, name = 'reply to a customer') {
  return {
    name,
    description: 'Drafts a reply and asks before it goes out.',
    initialContext: ['letter'],
    steps: [
      {
        stepId: 'draft',
        description: 'The gist of the letter.',
        calls: { toolId },
        inputs: { text: '{context.letter}', sentences: 1 },
        output: { variable: 'draft' },
      },
      {
        stepId: 'send',
        description: 'Goes out when a person approves.',
        calls: { toolId },
        inputs: { text: '{step.draft}', sentences: 1 },
        output: { variable: 'sent' },
        execution: { interactionMode: 'MANUAL' },
      },
    ],
    outputTemplate: 'Sent: {{sent}}',
  };
}

/** A Process that fails in its second step: the condition compares a text with a number. */
export function failing(toolId: string, name = 'score an article') {
  return {
    name,
    description: 'Fails at its condition, for the page of a failed run.',
    initialContext: ['article'],
    steps: [
      {
        stepId: 'condense',
        calls: { toolId },
        inputs: { text: '{context.article}', sentences: 1 },
        output: { variable: 'short' },
      },
      {
        stepId: 'score',
        calls: { toolId },
        inputs: { text: '{step.short}', sentences: 1 },
        output: { variable: 'score' },
        execution: { condition: 'step.short > 10' },
      },
    ],
    outputTemplate: '{{score}}',
  };
}

/** Waits for the run's end, or until it waits for an approval. */
export async function settled(ada: TestClient, runId: string): Promise<string> {
  for await (const { processRun } of ada.subscribeSse<{ processRun: { status: string } }>(
    'subscription ($id: ID!) { processRun(id: $id) { status } }',
    { id: runId },
  ))
    if (!['PENDING', 'RUNNING'].includes(processRun.status)) return processRun.status;
  return 'ENDED';
}

const TALK = [
  'Ada lives in Turin and works at the Polytechnic since 2019. Where does Ada live?',
  'Ada plans to visit Marie in Warsaw on 3 May. When does Ada visit Warsaw?',
  'Which city does Ada work in?',
];

/** A conversation of three messages, with a second version of the last answer. */
async function talk(ada: TestClient, processId: string): Promise<string> {
  const input = { title: 'Ada in Turin', defaultProcessId: processId };
  const conversationId = await ada.creates('conversation', input);
  let turnId = '';
  for (const content of TALK) {
    const sent = await ada.mutate<{ run: { id: string }; agentTurn: { id: string } }>(
      'sendMessage',
      { conversationId, content },
      'run { id } agentTurn { id }',
    );
    turnId = sent.agentTurn.id;
    await settled(ada, sent.run.id);
  }
  const { alternative } = await ada.mutate<{ alternative: { run: { id: string } } }>(
    'addAlternative',
    { turnId },
    'alternative { run { id } }',
  );
  await settled(ada, alternative.run.id);
  return conversationId;
}

/** A failed run of a new Process. */
export async function makeFailedRun(ada: TestClient, toolId: string): Promise<string> {
  const processId = await ada.creates('process', failing(toolId));
  const runId = await startRun(ada, processId, { article: TOUR_CONTEXT.text });
  await settled(ada, runId);
  return runId;
}

export type TourRuns = Omit<TourData, 'conversationId'>;

export async function makeTourRuns(ada: TestClient): Promise<TourRuns> {
  const { processId, toolId } = await shipped(ada);
  const summarise = toolId('summarise text');
  const tourId = processId('tour');
  const [tourRunId, askingId, failedRunId] = await Promise.all([
    startRun(ada, tourId, TOUR_CONTEXT),
    ada.creates('process', asking(summarise)),
    makeFailedRun(ada, summarise),
  ]);
  const waitingRunId = await startRun(ada, askingId, {
    letter: 'The parcel of Ms Byron arrived broken. She asks for a new one by Friday.',
  });
  await Promise.all([tourRunId, waitingRunId].map((id) => settled(ada, id)));
  return { toolId: summarise, tourId, tourRunId, failedRunId, waitingRunId, askingId };
}

export async function makeConversation(ada: TestClient): Promise<string> {
  const { processId } = await shipped(ada);
  return talk(ada, processId('chat'));
}

export async function makeTourData(ada: TestClient): Promise<TourData> {
  const [runs, conversationId] = await Promise.all([makeTourRuns(ada), makeConversation(ada)]);
  return { ...runs, conversationId };
}

/** Waits until memory has an entity of this name with a fact. */
export async function untilKnown(ada: TestClient, name: string): Promise<void> {
  await eventually(`memory has ${name} with a fact`, async () => {
    const { entities } = await ada.query<{
      entities: { nodes: { name: string; facts: object[] }[] };
    }>('query ($name: String) { entities(query: $name) { nodes { name facts { uuid } } } }', {
      name,
    });
    return entities.nodes.some((entity) => entity.name === name && entity.facts.length > 0);
  });
}

/** Opens the dialog of the first hit of a search that can be forgotten. */
export function openForget(page: Page): Promise<void> {
  return page
    .getByRole('button', { name: /^Forget “/ })
    .first()
    .click();
}
