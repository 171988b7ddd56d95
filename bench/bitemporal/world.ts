// A seeded world of people whose homes, employers and services change, with an oracle that knows
// both times: since when a thing is true, and since when it is known. Its sentences were written
// without looking at the extractor.

/** mulberry32 */
export function randomOf(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const ATTRIBUTES = ['home', 'employer', 'owner'] as const;
export type Attribute = (typeof ATTRIBUTES)[number];

/** A change that was said at a moment, and holds from another. */
export interface Told {
  readonly kind: 'first' | 'update' | 'late news' | 'correction' | 'retraction' | 'again';
  /** The person or the service; null: the speaker. */
  readonly subject: string | null;
  readonly attribute: Attribute;
  /** Null where nothing holds any more. */
  readonly value: string | null;
  /** The value that it ends or corrects. */
  readonly former: string | null;
  readonly saidAtMs: number;
  readonly validAtMs: number;
  readonly text: string;
}

export interface World {
  readonly told: readonly Told[];
  readonly values: Readonly<Record<Attribute, readonly string[]>>;
  readonly subjects: readonly { readonly subject: string | null; readonly attribute: Attribute }[];
}

const DAY_MS = 86_400_000;
const START_MS = Date.parse('2021-01-04T10:00:00Z');
const TOWNS =
  'Ålesund Bergamo Cádiz Dundee Erfurt Faro Groningen Haarlem Innsbruck Jaca Kotor Lund ' +
  'Mons Nantes';
const FIRMS = 'Auvena Brixhold Corvanta Delmora Estrivia Fennmark Gaudrel Hollmex Ivrano Jorvick';
const PEOPLE = ['Oda Brekke', 'Oda Lindqvist', 'Tomas', 'Priya', 'Yusuf', 'Hanne', 'Matteo'];
const SERVICES = ['invoice-mailer', 'seat-planner', 'label-printer'];

type Sentence = (of: { who: string; is: string; value: string; former: string }) => string;
/** By attribute: how a value is said, how it ends, how it is corrected, and how it is told late. */
const SAYS: Record<Attribute, Record<'now' | 'over' | 'meant' | 'late', readonly Sentence[]>> = {
  home: {
    now: [
      ({ who, value }) => `${who} moved to ${value} last weekend.`,
      ({ who, is, value }) => `${who} ${is === 'am' ? 'live' : 'lives'} in ${value} now.`,
      ({ who, value }) => `${who} found a flat in ${value} and settled there.`,
    ],
    over: [
      ({ who, is, former }) =>
        `${who} ${is === 'am' ? "don't" : "doesn't"} live in ${former} any more.`,
    ],
    meant: [
      ({ value, former }) => `Sorry, not ${former}, I meant ${value}.`,
      ({ value }) => `Correction: it is ${value}.`,
    ],
    late: [({ who, value }) => `I only heard it today: ${who} moved to ${value}`],
  },
  employer: {
    now: [
      ({ who, value }) => `${who} started a new job at ${value}.`,
      ({ who, is, value }) => `${who} ${is === 'am' ? 'work' : 'works'} for ${value} now.`,
      ({ who, value }) => `${value} hired ${who === 'I' ? 'me' : who}.`,
    ],
    over: [
      ({ who, former }) => `${who} quit at ${former}.`,
      ({ who, is, former }) => `${who} no longer ${is === 'am' ? 'work' : 'works'} for ${former}.`,
    ],
    meant: [
      ({ value, former }) => `Sorry, not ${former}, I meant ${value}.`,
      ({ value }) => `Wait, that was wrong, it is ${value}.`,
    ],
    late: [({ who, value }) => `I only heard it today: ${who} joined ${value}`],
  },
  owner: {
    now: [
      ({ who, value }) => `${value} owns ${who} now.`,
      ({ who, value }) => `${who} belongs to ${value} from today.`,
    ],
    over: [({ who, former }) => `${former} no longer owns ${who}.`],
    meant: [({ value, former }) => `Sorry, not ${former}, I meant ${value}.`],
    late: [({ who, value }) => `I only heard it today: ${value} took over ${who}`],
  },
};

/** @param changes how often each thing changes, about */
export function worldOf(seed: number, changes: number): World {
  const random = randomOf(seed);
  const pick = <T>(all: readonly T[]): T => {
    const one = all[Math.floor(random() * all.length)];
    if (one === undefined) throw new Error('Nothing to choose from.');
    return one;
  };
  const values = {
    home: TOWNS.split(' '),
    employer: FIRMS.split(' '),
    owner: ['team Lynx', 'team Otter', 'team Heron', 'team Bison'],
  };
  const subjects = [
    ...[null, ...PEOPLE].flatMap((subject) =>
      (['home', 'employer'] as const).map((attribute) => ({ subject, attribute })),
    ),
    ...SERVICES.map((subject) => ({ subject, attribute: 'owner' as const })),
  ];
  const told: Told[] = [];
  let dayMs = START_MS;
  const current = new Map<string, { value: string | null; sinceMs: number }>();
  for (let turn = 0; turn < changes * subjects.length; turn++) {
    dayMs += DAY_MS * (2 + Math.floor(random() * 6));
    const { subject, attribute } =
      turn < subjects.length ? (subjects[turn] ?? pick(subjects)) : pick(subjects);
    const key = `${subject}/${attribute}`;
    const now = current.get(key) ?? { value: null, sinceMs: 0 };
    const others = values[attribute].filter((one) => one !== now.value);
    const who = subject ?? 'I';
    const say = (
      way: 'now' | 'over' | 'meant' | 'late',
      value: string | null,
      former: string | null,
    ) =>
      pick(SAYS[attribute][way])({
        who,
        is: subject === null ? 'am' : 'is',
        value: value ?? '',
        former: former ?? '',
      });
    const add = (one: Omit<Told, 'subject' | 'attribute'>) =>
      told.push({ subject, attribute, ...one });
    const chance = random();
    const value = pick(others);
    if (now.value !== null && chance < 0.12) {
      add({
        kind: 'retraction',
        value: null,
        former: now.value,
        saidAtMs: dayMs,
        validAtMs: dayMs,
        text: say('over', null, now.value),
      });
      current.set(key, { value: null, sinceMs: dayMs });
    } else if (now.value !== null && chance < 0.24) {
      add({
        kind: 'again',
        value: now.value,
        former: null,
        saidAtMs: dayMs,
        validAtMs: now.sinceMs,
        text: say('now', now.value, null),
      });
    } else if (now.value !== null && now.sinceMs < dayMs - 90 * DAY_MS && chance < 0.36) {
      // True between the former change and now, told when it is long over.
      const sinceMs = now.sinceMs - 30 * DAY_MS;
      const day = new Date(sinceMs).toISOString().slice(0, 10);
      add({
        kind: 'late news',
        value,
        former: null,
        saidAtMs: dayMs,
        validAtMs: sinceMs,
        text: `${say('late', value, null)} on ${day}.`,
      });
    } else {
      const kind = current.has(key) ? 'update' : 'first';
      add({
        kind,
        value,
        former: now.value,
        saidAtMs: dayMs,
        validAtMs: dayMs,
        text: say('now', value, null),
      });
      current.set(key, { value, sinceMs: dayMs });
      if (random() < 0.15) {
        const right = pick(others.filter((one) => one !== value));
        const saidAtMs = dayMs + 120_000;
        add({
          kind: 'correction',
          value: right,
          former: value,
          saidAtMs,
          validAtMs: dayMs,
          text: say('meant', right, value),
        });
        current.set(key, { value: right, sinceMs: dayMs });
      }
    }
  }
  return { told, values, subjects };
}

/**
 * What was true at one moment, as it was known at another; null where nothing was. Of the changes
 * known, the one that holds from the latest moment counts; a correction takes its place.
 */
export function oracleOf(
  { told }: World,
  at: { subject: string | null; attribute: Attribute; validAtMs: number; knownAtMs: number },
): string | null {
  let best: Told | null = null;
  for (const one of told) {
    if (one.subject !== at.subject || one.attribute !== at.attribute) continue;
    if (one.saidAtMs > at.knownAtMs || one.validAtMs > at.validAtMs) continue;
    if (best === null || one.validAtMs >= best.validAtMs) best = one;
  }
  return best?.value ?? null;
}
