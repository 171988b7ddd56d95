import { type ForeignCase, rows } from './foreign-case.ts';

/** Texts that other systems met, and the text that Aiden gives back to its reader. */
export const TEXT_CASES: readonly ForeignCase<string, string>[] = [
  ...rows<ForeignCase<string, string>>('text', 'TEXT_CASES'),
  {
    title: 'half of an emoji far inside a long talk',
    source: 'anthropics/claude-code#60394',
    input: `${'word '.repeat(40_000)}\ud83d tail`,
    right: `${'word '.repeat(40_000)}\ufffd tail`,
  },
  {
    title: 'many emoji of a chat, whole and joined',
    source: 'anthropics/claude-code#60168',
    input: '👩‍👩‍👧‍👦🇮🇹'.repeat(200),
    right: '👩‍👩‍👧‍👦🇮🇹'.repeat(200),
  },
  {
    title: 'a text that was cut by its length',
    source: 'elizaOS/eliza#18079',
    input: '😀'.repeat(500).slice(0, 999),
    right: `${'😀'.repeat(499)}\ufffd`,
  },
];

/** Deltas of a model as they arrive, and the pieces that a reader of the stream gets. */
export const STREAM_CASES: readonly ForeignCase<readonly string[], readonly string[]>[] = rows(
  'text',
  'STREAM_CASES',
);
