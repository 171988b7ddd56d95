import { beforeAll, describe, expect, it } from 'vitest';
import {
  type Figure,
  type Grade,
  grade,
  joinGrades,
  shareOf,
  tokenRatioOf,
} from '../../bench/memory-quality/grade.ts';
import {
  type Played,
  type Player,
  passDays,
  playLive,
  playPast,
} from '../../bench/memory-quality/play.ts';
import { readMemory } from '../../bench/memory-quality/read.ts';
import { AIMS, reportOf, TOKEN_RATIO_MAX } from '../../bench/memory-quality/report.ts';
import { readTalk, type Talk } from '../../bench/memory-quality/talk.ts';
import { client, freshName } from '../testkit/client.ts';

// Grades the memory that a reader of the default install finds after two whole conversations,
// against a key (docs/decisions/0026). Only the words of the people, the agent and its Tools are
// given. AIDEN_MEMORY_QUALITY=1 runs it: it waits for a minute of quiet and needs a machine that is
// not shared. test/graph/memory-language.test.ts grades the language alone in each run.

async function remembered(
  name: 'chat' | 'session',
  account: string,
  play: (player: Player, turns: Talk['turns']) => Promise<Played>,
): Promise<Grade> {
  const player = { user: client(account), admin: client(freshName('root'), { role: 'admin' }) };
  const talk = await readTalk(name, account);
  const played = await play(player, talk.turns);
  const asked = await passDays(player, played);
  const graded = grade(await readMemory(player.user, account, talk, played, asked), talk.key);
  console.log(reportOf(`${name} of ${account}`, graded).join('\n'));
  return graded;
}

const isAsked = process.env['AIDEN_MEMORY_QUALITY'] === '1';

describe.runIf(isAsked)('the memory of the default install after two whole talks', () => {
  let all: Grade;
  beforeAll(async () => {
    const digits = freshName('')
      .replaceAll(/[^0-9]/g, '')
      .slice(0, 6);
    const letters = freshName('')
      .replaceAll(/[^a-f]/g, '')
      .slice(0, 6);
    const [chat, session] = await Promise.all([
      remembered('chat', `nadia${digits}`, playPast),
      remembered('session', `Ruben${letters}`, playLive),
    ]);
    all = joinGrades([chat, session]);
  });

  it.each(Object.entries(AIMS))('%s is at least %d', (figure, least) => {
    const { good, of } = all.figures[figure as Figure];
    expect(of, 'the figure measured nothing').toBeGreaterThan(0);
    expect(shareOf({ good, of })).toBeGreaterThanOrEqual(least);
  });

  it('costs few tokens in the background, measured by those of the talk', () => {
    expect(tokenRatioOf(all)).toBeLessThanOrEqual(TOKEN_RATIO_MAX);
  });
});
