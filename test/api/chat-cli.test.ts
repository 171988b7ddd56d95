import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aiden, type Chat, openChat } from '../testkit/aiden.ts';
import { client, freshName, type TestClient } from '../testkit/client.ts';
import { type Speaker, type TalkWorld, talkWorld } from '../testkit/talk-world.ts';

// `aiden chat`, the command itself, against the running product and a scripted model.

let name: string;
let ada: TestClient;
let talk: TalkWorld;
beforeAll(async () => {
  name = freshName('ada');
  ada = client(name);
  talk = await talkWorld(ada);
});
afterAll(() => talk.close());

const chat = (args: readonly string[]) => openChat(name, args);

/** Runs the command in this process, with these lines as its input. */
const pipes = (args: readonly string[], ...lines: readonly string[]) =>
  aiden(name, ['chat', ...args], { input: lines.map((line) => `${line}\n`).join('') });

const conversationIn = ({ stderr }: Pick<Chat, 'stderr'>): string =>
  /--conversation ([0-9a-f-]{36})/.exec(stderr)?.[1] ?? '';
const speaks = (speaker: Speaker, ...texts: (string | string[])[]) =>
  speaker.says(texts.map((text) => ({ text, delayMs: Array.isArray(text) ? 600 : 0 })));

async function pathOf(id: string) {
  const conversation = await ada.find<{
    activePath: { speaker: string; activeAlternative: { content: string } }[];
  }>('conversation', id, `activePath { speaker activeAlternative { content } }`);
  return conversation.activePath.map(
    ({ speaker, activeAlternative }) => `${speaker}: ${activeAlternative.content}`,
  );
}

describe('aiden chat', () => {
  it('answers piped lines, one by one, with nothing but the answers on stdout', async () => {
    const speaker = await talk.speaker();
    speaks(speaker, ['Hello, ', 'Ada.'], 'Still here.');
    const piped = await pipes(['--process', speaker.processName], 'Hello?', '', 'And now?');
    expect(piped).toMatchObject({ code: 0, stdout: 'Hello, Ada.\nStill here.\n' });
    const id = conversationIn(piped);
    expect(await pathOf(id)).toEqual([
      'USER: Hello?',
      'AGENT: Hello, Ada.',
      'USER: And now?',
      'AGENT: Still here.',
    ]);

    // Another day, the same conversation, by the Process that answered in it.
    speaks(speaker, 'Welcome back.');
    const again = await pipes(['--conversation', id], '//me again');
    expect(again).toMatchObject({ code: 0, stdout: 'Welcome back.\n' });
    expect(again.stderr).toMatch(/3 user {2}And now\?/);
    expect((await pathOf(id)).slice(-2)).toEqual(['USER: /me again', 'AGENT: Welcome back.']);
  });

  it('streams, edits, regenerates, switches, forks, and shows memory and history', async () => {
    const [first, other] = await Promise.all([talk.speaker(), talk.speaker()]);
    speaks(first, ['Slow', 'ly', ' I', ' speak', '.'], 'About tea.');
    speaks(other, 'Otherwise.');
    const session = chat(['-p', first.processId]);
    session.types('Coffee?');
    await session.sees('Slow');
    expect(session.stdout).not.toContain('speak');
    await session.sees('speak.');
    session.types('/edit Tea?');
    await session.sees('About tea.');
    session.types(`/regenerate ${other.processName}`);
    await session.sees('Otherwise.');
    session.types('/history');
    await session.sees(/1 user 2\/2 {2}Tea\?\n +2 agent 3\/3 {2}Otherwise\./);
    session.types('/switch 2');
    await session.sees(/2 agent 2\/3 {2}About tea\./);
    // A version brings the answer that it had.
    session.types('/switch 1.1');
    await session.sees(/1 user 1\/2 {2}Coffee\?\n +2 agent 1\/3 {2}Slowly I speak\./);
    session.types('/switch 2.2');
    await session.sees(/1 user 1\/2 {2}Coffee\?\n +2 agent 2\/3 STALE {2}About tea\./);
    await session.sees('Turn 2 has an answer to this version: /switch 2.1');
    session.types('/memory');
    await session.sees(/\d+ tokens: immediatePath \d+/);
    await session.sees(/user \d+ +Coffee\?\n +left out as stale: 1/);
    session.types('/switch 1.2');
    await session.sees('Tea?');
    session.types('/fork');
    await session.sees(/You are in the fork [0-9a-f-]{36} now\./);
    session.types('/switch 9');
    await session.sees('There is no version 9 of turn (last)');
    session.types('/dance');
    await session.sees('There is no /dance; /help lists what there is.');
    session.types('/help');
    await session.sees('/regenerate [PROCESS]');
    session.types('/quit');
    await session.ends();
    const fork = conversationIn(session);
    expect(session.stdout).toContain(`You are in the fork ${fork} now.`);
    expect(await pathOf(fork)).toEqual(['USER: Tea?', 'AGENT: About tea.']);
  });

  it('Ctrl-C cancels the answer, keeps the streamed text, and the next one leaves', async () => {
    const speaker = await talk.speaker();
    speaks(
      speaker,
      Array.from({ length: 300 }, (_, n) => `half${n} `),
      'Whole.',
    );
    const session = chat(['-p', speaker.processId]);
    session.types('Tell me all.');
    await session.sees('half2');
    session.pressesCtrlC();
    await session.sees('Cancelling the answer');
    await session.sees(/The answer is cancelled.*\/regenerate/);
    session.types('/regenerate');
    await session.sees('Whole.');
    session.types('/history');
    await session.sees(/2 agent 2\/2 {2}Whole\./);
    session.pressesCtrlC();
    expect(await session.leaves()).toBe(130);
    const [, answer] = await pathOf(conversationIn(session));
    expect(answer).toBe('AGENT: Whole.');
  });

  it('names the fault, and tells of a foreign thing only that it is not there', async () => {
    const unknown = await pipes(['-p', freshName('nobody')]);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toContain('No Process is called');
    const silent = freshName('silent');
    const { processName, toolId } = await talk.speaker();
    const step = { stepId: 'a', calls: { toolId }, inputs: { messages: [] } };
    const createProcess = await ada.mutate<{ userErrors: object[] }>('createProcess', {
      name: silent,
      initialContext: ['text'],
      steps: [{ ...step, output: { variable: 'a' } }],
      outputTemplate: '{{text}}',
    });
    expect(createProcess.userErrors).toEqual([]);
    const unanswered = await pipes(['-p', silent]);
    expect(unanswered.code).toBe(1);
    expect(unanswered.stderr).toContain(`"${silent}" answers no messages`);
    expect(unanswered.stderr).toMatch(new RegExp(`These do: .*${processName}`));
    const id = await talk.starts();
    const foreign = await aiden(freshName('eve'), ['chat', '-c', id]);
    expect(foreign.code).toBe(1);
    expect(foreign.stderr).toContain('No conversation with the id');
    const undecided = await pipes(['-c', id], 'Hello?', '/edit never said');
    expect(undecided.code).toBe(1);
    expect(undecided.stderr).toContain('REQUIRED input.processId');
    expect(undecided.stderr).toContain('There is nothing of yours to edit.');
    expect(await pathOf(id)).toEqual([]);
  });
});
