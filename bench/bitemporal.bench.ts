import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { z } from 'zod';
import type { Shape } from '../packages/local-llm/src/json-shape.ts';
import { openLanguage } from '../packages/local-llm/src/language.ts';
import { respond } from '../packages/local-llm/src/respond.ts';
import { nameKey } from '../src/memory-graph/entities/name-match.ts';
import { readExtraction } from '../src/memory-graph/extraction/extraction.ts';
import { withWholeTexts } from '../src/memory-graph/extraction/turn-batch.ts';
import { correctionIn } from '../src/memory-graph/statements/correction.ts';
import {
  type ExtractedStatement,
  OWNER_SUBJECT,
} from '../src/memory-graph/statements/statement.ts';
import type { KnownStatement } from '../src/memory-graph/statements/statement-plan.ts';
import { holds, isoOf, OWNER, remember, structured } from './bitemporal/memory.ts';
import { ATTRIBUTES, oracleOf, randomOf, type Told, worldOf } from './bitemporal/world.ts';

// What memory answers for two times, against an oracle: what was true at one moment, as it was
// known at another. Updates, news that come late, corrections, retractions, statements said again,
// two people of one first name. Structured: statements as a perfect model would give them. Prose:
// the sentences, read by local-llm with the shipped prompt. No server, no clock.
//
//  node bench/bitemporal.bench.ts [--seeds 3] [--queries 1000] [--show 10]

const { values } = parseArgs({
  options: { seeds: { type: 'string' }, queries: { type: 'string' }, show: { type: 'string' } },
  strict: false,
});
const seeds = Number(values.seeds ?? 3);
const queries = Number(values.queries ?? 1_000);
const CHANGES = 8;

const Tools = z.object({
  tools: z.array(z.object({ name: z.string(), operation: z.record(z.string(), z.unknown()) })),
});
const yaml = parse(await readFile(new URL('../examples/system.yaml', import.meta.url), 'utf8'), {
  merge: true,
});
const operation = Tools.parse(yaml).tools.find(
  ({ name }) => name === 'extract memories',
)?.operation;
const language = openLanguage();

function read({ text, saidAtMs }: Told): readonly ExtractedStatement[] {
  const day = isoOf(saidAtMs).slice(0, 10);
  const answer = respond(
    language,
    [
      { role: 'system', content: String(operation?.['systemPrompt'] ?? '') },
      {
        role: 'user',
        content: `The day of the conversation: ${day}\n<messages>\n${OWNER}: ${text}\n</messages>`,
      },
    ],
    { type: 'json_schema', schema: operation?.['responseSchema'] as Shape },
  );
  const extraction = readExtraction(`{"memories": ${answer}, "resolution": null}`);
  return withWholeTexts(extraction, [text]).statements;
}

for (const how of ['structured', 'prose'] as const) {
  const counts = { right: 0, asked: 0, rightNow: 0, askedNow: 0, staleNow: 0, missing: 0 };
  const wrong: string[] = [];
  for (let seed = 1; seed <= seeds; seed++) {
    const world = worldOf(seed, CHANGES);
    const memory = remember(
      world,
      how === 'prose' ? read : (one, earlier) => [structured(one, earlier)],
    );
    const random = randomOf(seed + 1_000);
    const [first = 0, last = 0] = [world.told[0]?.saidAtMs, world.told.at(-1)?.saidAtMs];
    for (let query = 0; query < queries / seeds; query++) {
      const { subject, attribute } = world.subjects[
        Math.floor(random() * world.subjects.length)
      ] ?? { subject: null, attribute: ATTRIBUTES[0] };
      const isNow = random() < 0.4;
      const between = () => first + random() * (last - first);
      const [validAtMs, knownAtMs] = isNow ? [last + 1, last + 1] : [between(), between()];
      const expected = oracleOf(world, { subject, attribute, validAtMs, knownAtMs });
      const about = memory.filter((one) => isAbout(one, subject, how));
      const found = new Set(
        about
          .filter((one) => holds(one, isoOf(validAtMs), isoOf(knownAtMs)))
          .filter((one) => how === 'prose' || one.attribute === attribute)
          .flatMap(({ text }) => (isOver(text) ? [] : valuesIn(text, world.values[attribute]))),
      );
      const isRight =
        found.size === (expected === null ? 0 : 1) && (expected === null || found.has(expected));
      counts.asked++;
      counts.right += Number(isRight);
      if (isNow) {
        counts.askedNow++;
        counts.rightNow += Number(isRight);
        counts.staleNow += Number([...found].some((value) => value !== expected));
      }
      counts.missing += Number(expected !== null && !found.has(expected));
      if (!isRight)
        wrong.push(
          `${seed} ${subject ?? OWNER} ${attribute} valid ${dayOf(validAtMs)} known ` +
            `${dayOf(knownAtMs)}: ${expected}, not ${[...found].join(' and ') || 'nothing'}`,
        );
    }
  }
  console.log(
    `${how.padEnd(11)} both times ${counts.right} of ${counts.asked}, ` +
      `now ${counts.rightNow} of ${counts.askedNow}, ` +
      `stale returned as current ${counts.staleNow}, missing ${counts.missing}`,
  );
  for (const line of wrong.slice(0, Number(values.show ?? 0))) console.log(`  ${line}`);
}
process.exit(0);

function dayOf(ms: number): string {
  return isoOf(ms).slice(0, 10);
}

/** Whether a statement is about a subject; one that was read may name it in its words alone. */
function isAbout(one: KnownStatement, subject: string | null, how: string): boolean {
  if (one.subject === (subject === null ? OWNER_SUBJECT : nameKey(subject))) {
    // A sentence without an attribute has its speaker as subject, whomever it is about.
    const isUnread = how === 'prose' && one.attribute === null;
    const isOfOther = subject === null && isUnread && !/\b(?:I|me|my)\b/.test(one.text);
    if (!isOfOther) return true;
  }
  return how === 'prose' && subject !== null && one.text.includes(subject);
}

/** `I no longer live in Lund` says no home. */
function isOver(text: string): boolean {
  return correctionIn(text) === 'over';
}

/** The last value that a sentence names: "not Lund, I meant Faro" says Faro. */
function valuesIn(text: string, all: readonly string[]): string[] {
  const places = all
    .map((value) => [value, text.lastIndexOf(value)] as const)
    .filter(([, at]) => at >= 0);
  return places
    .sort(([, a], [, b]) => b - a)
    .slice(0, 1)
    .map(([value]) => value);
}
