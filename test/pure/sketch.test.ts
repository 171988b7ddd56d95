import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDocument } from 'yaml';
import { readText } from '../../console/src/processes/definition-text.ts';
import { freeDraftName, readDraftOutput } from '../../console/src/processes/sentence-draft.ts';
import type { JsonObject } from '../../src/common/json.ts';
import { clausesOf } from '../../src/processes/sketch/clauses.ts';
import { scheduleIn } from '../../src/processes/sketch/schedule-words.ts';
import {
  readSentence,
  SENTENCE_CHARS_MAX,
  type SketchTarget,
  sketchOf,
} from '../../src/processes/sketch/sketch.ts';

const text = { type: 'string' };

function tool(name: string, required: JsonObject, more: Partial<SketchTarget> = {}) {
  return {
    ...{ kind: 'tool', name, description: '', owner: 'own', outputSchema: {} },
    inputSchema: { type: 'object', required: Object.keys(required), properties: required },
    ...more,
  } satisfies SketchTarget;
}
const FEED = tool(
  'fetch feed',
  { url: { type: 'string', format: 'uri' } },
  {
    outputSchema: {
      type: 'object',
      properties: {
        title: text,
        items: { type: 'array', items: { type: 'object', properties: { title: text } } },
      },
    },
  },
);
const SUMMARY = tool('summarise text', { text }, { owner: 'system', outputSchema: text });
const MAIL = tool('send mail', { to: text, subject: text, body: text });
const TICKET = tool('create ticket', { title: text });

/** By words alone, as where no model of sentences is configured. */
function sketched(
  sentence: string,
  targets: readonly SketchTarget[] = [FEED, SUMMARY, MAIL, TICKET],
) {
  const sketch = sketchOf(readSentence(sentence), targets, () => null);
  const steps = (sketch.definition?.['steps'] ?? []) as {
    stepId: string;
    calls: object;
    inputs: object;
    execution?: object;
  }[];
  return { ...sketch, steps };
}

describe('a schedule in a sentence', () => {
  it.each([
    ['every morning summarise it', '0 7 * * *'],
    ['summarise it daily at 18:30', '30 18 * * *'],
    ['on weekdays at 6 pm summarise it', '0 18 * * 1-5'],
    ['every 15 minutes check it', '*/15 * * * *'],
    ['every hour check it', '0 * * * *'],
    ['on Mondays and Thursdays at 9 check it', '0 9 * * 1,4'],
    ['monthly, check it', '0 7 1 * *'],
    ['jeden Werktag um 8:15 prüfe es', '15 8 * * 1-5'],
    ['prüfe es stündlich', '0 * * * *'],
    ['montags und donnerstags prüfe es', '0 7 * * 1,4'],
    ['jeden Abend prüfe es', '0 18 * * *'],
    ['cada lunes a las 9 revisa esto', '0 9 * * 1'],
    ['todos los días a las 8 de la tarde revisa esto', '0 20 * * *'],
    ['cada 2 horas revisa esto', '0 */2 * * *'],
  ])('%s', (sentence, cron) => {
    expect(scheduleIn(sentence).schedule?.cron).toBe(cron);
  });

  it.each([
    ['every 45 minutes check it'],
    ['every full moon, check it'],
    ['every 0 minutes check it'],
  ])('says that it knows no schedule for: %s', (sentence) => {
    const { schedule, missed } = scheduleIn(sentence);
    expect(schedule).toBeNull();
    expect(missed).not.toBeNull();
  });

  it('is no time that the sentence names for something else', () => {
    expect(scheduleIn('tell me the time at 9')).toMatchObject({ schedule: null, missed: null });
    expect(scheduleIn('summarise tomorrow morning')).toMatchObject({ schedule: null });
  });
});

describe('the steps of a sentence', () => {
  const wordsOf = (sentence: string) => clausesOf(sentence).map(({ words }) => words);

  it('are cut where an action follows, and not within addresses and quotations', () => {
    expect(
      wordsOf('fetch https://a.org/x,y.json, then summarise names and places and send it'),
    ).toEqual(['fetch https://a.org/x,y.json', 'summarise names and places', 'send it']);
    expect(wordsOf('Create a ticket "open, then send it" and mail it to a.b@c.org.')).toEqual([
      'Create a ticket "open, then send it"',
      'mail it to a.b@c.org',
    ]);
    expect(wordsOf('den Feed lesen und als Nachricht in den Kanal posten')).toEqual([
      'den Feed lesen',
      'als Nachricht in den Kanal posten',
    ]);
  });

  it.each([
    ['summarise it and ask me before posting it'],
    ['summarise it, ask me first, then post it'],
    ['summarise it and post it, but let me check it first'],
    ['fasse es zusammen und frag mich, bevor du es postest'],
    ['fasse es zusammen und poste es nach meiner Freigabe'],
    ['resúmelo y pregúntame antes de publicarlo'],
  ])('ask at the step that is meant: %s', (sentence) => {
    const clauses = clausesOf(sentence);
    expect(clauses.map(({ approval }) => approval !== null)).toEqual([false, true]);
  });

  it.each([
    ['fetch it; if it rains, send it', [false, true]],
    ['fetch it and if it rains, send it', [false, true]],
    ['fetch it and send it if it rains', [false, true]],
    ['if it rains send it', [true]],
    ['hole es, und falls es regnet, schicke es', [false, true]],
    ['envíalo si llueve', [true]],
  ])('have the condition of: %s', (sentence, conditions) => {
    expect(clausesOf(sentence).map(({ condition }) => condition !== null)).toEqual(conditions);
  });
});

describe('a sketch', () => {
  it('joins the steps by their values, and leaves open what is not said', () => {
    const { steps, definition, open } = sketched(
      'Every morning fetch feed https://a.org/f.json, summarise the text and send mail to ' +
        'nora@a.org',
    );
    expect(steps).toMatchObject([
      {
        stepId: 'fetch_feed',
        calls: { tool: 'fetch feed' },
        inputs: { url: 'https://a.org/f.json' },
      },
      { calls: { tool: 'summarise text' }, inputs: { text: 'fetch_feed: {step.fetch_feed}' } },
      { inputs: { to: 'nora@a.org', body: '{step.summarise_text}' } },
    ]);
    expect(open.map(({ text: told }) => told)).toEqual([
      'Its input subject is not said. Fill it in.',
    ]);
    expect(definition).toMatchObject({ outputTemplate: '{{json send_mail}}' });
  });

  it('runs once for each of the only list of the step before', () => {
    expect(
      sketched('fetch feed https://a.org/f.json and for each item create ticket').steps[1],
    ).toMatchObject({
      inputs: { title: '{item.title}' },
      execution: { forEach: 'step.fetch_feed.items' },
    });
    expect(sketched('for each thing create ticket').steps).toMatchObject([
      { execution: { forEach: '?' } },
    ]);
  });

  it('makes no formula and no reference of the words of a person', () => {
    const { steps } = sketched(
      'if {{secret}} == "x" create ticket "{context.password}" and send mail "{step.a}"',
    );
    expect(JSON.stringify(steps.map(({ inputs, execution }) => [inputs, execution]))).not.toMatch(
      /secret|password|step\.a\}/,
    );
    expect(steps[0]).toMatchObject({ execution: { condition: '?' } });
  });

  it('names an address that no step uses', () => {
    const { open } = sketched('summarise text for each page of https://a.org/list.');
    expect(open.map(({ words }) => words)).toContain('https://a.org/list');
  });

  it('is nothing where nothing is understood', () => {
    expect(sketched('purple monkey dishwasher')).toMatchObject({
      definition: null,
      open: [{ words: 'purple monkey dishwasher' }],
    });
    expect(sketched('', [])).toMatchObject({ definition: null, understood: [], open: [] });
  });

  it('says that a wish went with the words that were not understood', () => {
    const { steps, open } = sketched('summarise text, then ask me before teleporting it');
    expect(steps).toHaveLength(1);
    expect(open.map(({ text: told }) => told)).toContain(
      'This was not understood. “ask me” is in no step either: set “Waits for an approval” in ' +
        'the step that it is about.',
    );
  });

  it('finds the Tool that takes an address, by the action alone', () => {
    const READER = tool('fetch conversation', { id: text }, { owner: 'system' });
    const { steps } = sketched('fetch https://a.org/x.json and summarise it', [
      READER,
      FEED,
      SUMMARY,
    ]);
    expect(steps).toMatchObject([
      { calls: { tool: 'fetch feed' }, inputs: { url: 'https://a.org/x.json' } },
      { calls: { tool: 'summarise text' } },
    ]);
    expect(sketched('fetch https://a.org/x.json', [READER]).steps).toMatchObject([
      { calls: { tool: '?' } },
    ]);
  });

  it('says whose Tool it calls where another user shares it', () => {
    const { understood } = sketched('create ticket', [{ ...TICKET, owner: 'other' }]);
    expect(understood[0]?.text).toContain('which another user shares');
  });

  it('takes any text of the largest size in little time, and gives unique steps', () => {
    const words = fc.constantFrom(
      'fetch',
      'and',
      'if',
      '"',
      ',',
      'https://a.org',
      'for each',
      'ask me',
      '{',
      'ü',
      '\u0000',
      '.',
    );
    const any = fc.oneof(
      fc.string({ maxLength: SENTENCE_CHARS_MAX }),
      fc.array(words, { maxLength: 300 }).map((all) => all.join(' ')),
    );
    fc.assert(
      fc.property(any, (sentence) => {
        const { steps } = sketched(sentence.slice(0, SENTENCE_CHARS_MAX));
        const ids = steps.map(({ stepId }) => stepId);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids.length).toBeLessThanOrEqual(20);
      }),
      { seed: 44, numRuns: 300 },
    );
  });
});

describe('a draft in the console', () => {
  const CALLABLES = { tools: { nodes: [] }, processes: { nodes: [] } };

  it('is the output of its run, and anything else is no draft', () => {
    const { definition } = sketched('create ticket');
    const draft = readDraftOutput(
      JSON.stringify({
        definition,
        understood: [{ text: 'a' }, 1],
        open: null,
        targetIds: ['x', 2],
      }),
    );
    expect(draft).toMatchObject({
      begun: { name: 'Create ticket' },
      understood: [{ words: '', text: 'a', stepId: null }],
      open: [],
      targetIds: ['x'],
    });
    expect(parseDocument(draft?.begun?.text ?? '').toJS()).toEqual(definition);
    expect(readDraftOutput('{"definition":')).toBeNull();
    expect(readDraftOutput(null)).toBeNull();
    expect(readDraftOutput('{}')?.begun).toBeNull();
  });

  it('keeps another draft of the same name', () => {
    expect(freeDraftName('a', [])).toBe('a');
    expect(freeDraftName('a', ['a', 'a 2'])).toBe('a 3');
  });

  it('names each choice that is left, and cannot be saved before', () => {
    const { definition } = sketched('translate it and for each word create ticket if it rains', []);
    const { begun } = readDraftOutput(JSON.stringify({ definition })) ?? {};
    const { input, faults } = readText(begun?.text ?? '', CALLABLES);
    expect(input).toBeNull();
    expect(faults.map(({ message }) => message).sort()).toEqual([
      'step_1: Choose a Tool or a Process.',
      'step_2: Choose a Tool or a Process.',
      'step_2: Choose the list that this step runs for, in “For each”, or remove the line.',
      'step_2: Write when this step runs, in “Only if”, or remove the line.',
    ]);
  });
});
