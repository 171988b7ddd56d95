import { readFile } from 'node:fs/promises';
import { z } from 'zod';

// LoCoMo's talks and questions (data/locomo10.json of that project; its licence allows no copy of
// it here).

const Said = z.object({
  speaker: z.string(),
  dia_id: z.string(),
  text: z.string(),
  blip_caption: z.string().optional(),
});
const Sample = z.object({
  qa: z.array(
    z.object({ question: z.string(), category: z.number(), evidence: z.array(z.string()) }),
  ),
  conversation: z.record(z.string(), z.unknown()),
});

/** A turn with its label, as `Ada: Hello. [shares a photo of a lake]`. */
export interface LocomoTurn {
  readonly id: string;
  readonly session: number;
  readonly speaker: string;
  readonly text: string;
  /** Milliseconds since 1970: 20 seconds after the turn before in its session. */
  readonly saidAtMs: number;
}

/** LoCoMo's categories. */
export type LocomoKind = 'multi-hop' | 'time' | 'open' | 'single' | 'adversarial';
const KINDS: readonly LocomoKind[] = ['multi-hop', 'time', 'open', 'single', 'adversarial'];

export interface LocomoQuestion {
  readonly text: string;
  readonly kind: LocomoKind;
  /**
   * Ids of the turns that answer. An adversarial question has no answer: it has the turns that it
   * misreads.
   */
  readonly evidence: ReadonlySet<string>;
}

export interface LocomoTalk {
  readonly speakers: readonly string[];
  readonly turns: readonly LocomoTurn[];
  readonly questions: readonly LocomoQuestion[];
}

export async function readLocomo(path: string): Promise<LocomoTalk[]> {
  const samples = z.array(Sample).parse(JSON.parse(await readFile(path, 'utf8')));
  return samples.map(({ qa, conversation }) => {
    const turns: LocomoTurn[] = [];
    for (let session = 1; conversation[`session_${session}`] !== undefined; session++) {
      const startMs = saidAtMs(conversation[`session_${session}_date_time`]);
      const said = z.array(Said).parse(conversation[`session_${session}`]);
      for (const [at, { speaker, text, dia_id: id, blip_caption: caption }] of said.entries()) {
        const shown = caption === undefined ? '' : ` [shares ${caption}]`;
        const content = `${speaker}: ${text}${shown}`;
        turns.push({ id, session, speaker, text: content, saidAtMs: startMs + 20_000 * (at + 1) });
      }
    }
    const questions = qa.flatMap(({ question, category, evidence }): LocomoQuestion[] => {
      const kind = KINDS[category - 1];
      const ids = evidence.flatMap((one) => one.split(/[;,\s]+/)).filter(Boolean);
      return kind === undefined ? [] : [{ text: question, kind, evidence: new Set(ids) }];
    });
    return { speakers: [...new Set(turns.map(({ speaker }) => speaker))], turns, questions };
  });
}

/** `1:56 pm on 8 May, 2023`, as the data has it. */
function saidAtMs(text: unknown): number {
  const [, clockTime = '', day = ''] = /^(.+?) on (.+)$/.exec(String(text)) ?? [];
  const ms = Date.parse(`${day} ${clockTime} UTC`);
  if (Number.isNaN(ms)) throw new Error(`No time: ${String(text)}`);
  return ms;
}
