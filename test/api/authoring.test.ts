import { readFile, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aiden, type Outcome } from '../testkit/aiden.ts';
import { client, freshName } from '../testkit/client.ts';
import { tempFolder } from '../testkit/temp-folder.ts';

// docs/authoring.md: every example is run as it stands, by a newcomer of its own.
const page = await readFile(new URL('../../docs/authoring.md', import.meta.url), 'utf8');

interface Example {
  readonly title: string;
  readonly blocks: readonly { readonly language: string; readonly text: string }[];
}

/** The sections with their blocks of code, in order. */
const examples: Example[] = page
  .split(/^## /m)
  .slice(1)
  .map((section) => ({
    title: section.split('\n', 1)[0] ?? '',
    blocks: [...section.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map(
      ([, language = '', text = '']) => ({ language, text }),
    ),
  }))
  .filter(({ blocks }) => blocks.length > 0);

/**
 * The words of a line of the shell: quotes keep words together, a pipe gives the input of the next
 * command.
 */
function commandOf(line: string): { readonly args: string[]; readonly input: string } {
  const [, said, rest] = /^echo "([^"]*)" \| (.*)$/.exec(line) ?? [null, '', line];
  const words = [...(rest ?? '').matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)].map(([word]) =>
    word.replace(/"([^"]*)"|'([^']*)'/g, (_quoted, double, single) => double ?? single),
  );
  expect(words.slice(0, 2)).toEqual(['npx', 'aiden']);
  return { args: words.slice(2), input: `${said}\n` };
}

const before = process.cwd();
beforeAll(() => process.chdir(tempFolder('authoring')));
afterAll(() => process.chdir(before));

describe('docs/authoring.md', () => {
  it('has examples in each chapter that teaches a part', () => {
    expect(examples.length).toBeGreaterThanOrEqual(8);
    expect(page.match(/^```/gm)?.length).toBe(2 * examples.flatMap(({ blocks }) => blocks).length);
  });

  it.each(examples)('$title', async ({ blocks }) => {
    const user = freshName('newcomer');
    const port = process.env['AIDEN_TEST_LOCAL_LLM_PORT'] ?? '';
    let said = '';
    const ids: Record<string, string> = {};
    for (const { language, text } of blocks) {
      const [first = '', ...others] = text.split('\n');
      const file = /^(?:#|\/\/) (\S+\.(?:yaml|json))$/.exec(first)?.[1];
      if (file !== undefined) {
        // JSON has no comments; the shared app's model server has a port of its own.
        const content = language === 'json' ? others.join('\n') : text;
        await writeFile(file, content.replace(':11500', `:${port}`));
      } else if (language === 'graphql') {
        const answer = await client(user).query<Record<string, { userErrors: object[] }>>(text);
        expect(Object.values(answer).flatMap(({ userErrors }) => userErrors)).toEqual([]);
      } else if (language === 'sh') {
        said = '';
        for (const line of text.trim().split('\n')) {
          const { args, input } = commandOf(line);
          const named = args.map((word) => ids[word] ?? word);
          const outcome = await untilShown(args, () => aiden(user, named, { input }));
          said += `${outcome.stdout}\n${outcome.stderr}\n`;
          const [id = ''] = outcome.stdout.split('\n');
          if (args[0] === 'run') ids['RUN_ID'] = id;
          if (args[0] === 'approvals' && args.length === 1) ids['APPROVAL_ID'] = id;
          const isWrong = args.includes('wrong.yaml');
          expect([line, outcome.code, isWrong ? '' : outcome.stderr]).toEqual([
            line,
            isWrong ? 1 : 0,
            args[0] === 'chat' || isWrong ? expect.any(String) : '',
          ]);
        }
      } else if (language === 'text') {
        for (const line of text.trim().split('\n')) expect(said).toContain(line);
      } else {
        expect(language).toBe('a language that the test knows');
      }
    }
  });
});

/** A person looks again until the run waits, or has ended. */
async function untilShown(args: readonly string[], ask: () => Promise<Outcome>): Promise<Outcome> {
  const waits = args[0] === 'approvals' && args.length === 1;
  const ends = args[0] === 'runs';
  let outcome = await ask();
  for (let turn = 0; turn < 100; turn++) {
    const isEarly = waits
      ? outcome.stdout.startsWith('No step')
      : /running|waiting/.test(outcome.stdout);
    if (!(waits || ends) || !isEarly) break;
    await new Promise((resolve) => setTimeout(resolve, 200));
    outcome = await ask();
  }
  return outcome;
}
