import type { ForeignCase } from './foreign-case.ts';

/** Texts that other systems met, and the text that Aiden gives back to its reader. */
export const TEXT_CASES: readonly ForeignCase<string, string>[] = [
  {
    title: 'a message cut in the middle of an emoji',
    source: 'anthropics/claude-code#56064',
    input: 'cut emoji \ud83d',
    right: 'cut emoji \ufffd',
  },
  {
    title: 'half of an emoji far inside a long talk',
    source: 'anthropics/claude-code#60394',
    input: `${'word '.repeat(40_000)}\ud83d tail`,
    right: `${'word '.repeat(40_000)}\ufffd tail`,
  },
  {
    title: 'a second half without a first one',
    source: 'anthropics/claude-code#50919',
    input: '\ude00 first, then \ud83d',
    right: '\ufffd first, then \ufffd',
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
  {
    title: 'letters of a mathematical alphabet, one of them cut',
    source: 'cyborg-garden/hermes-agent-mt#76',
    input: '𝐭𝐡𝐢𝐬 \ud835',
    right: '𝐭𝐡𝐢𝐬 \ufffd',
  },
  {
    title: 'an escape sequence that is text, not a character',
    source: 'agent0ai/agent-zero#1773',
    input: '\\ud83c\\udf78 and 🍸',
    right: '\\ud83c\\udf78 and 🍸',
  },
  {
    title: 'bytes that a system decoded to second halves',
    source: 'mitmproxy/mitmproxy#2075',
    input: 'path \udcb0\udce9',
    right: 'path \ufffd\ufffd',
  },
  {
    title: 'NUL between letters',
    source: 'openzim/zimfarm#819',
    input: '\0r\0a\0d\0i\0o',
    right: '\0r\0a\0d\0i\0o',
  },
  {
    title: 'NUL at the end of a field',
    source: '1Panel-dev/MaxKB#6722',
    input: 'value\0',
    right: 'value\0',
  },
  {
    title: 'a line separator inside of JSON',
    source: 'anthropics/claude-agent-sdk-typescript#137',
    input: 'before\u2028after',
    right: 'before\u2028after',
  },
  {
    title: 'a paragraph separator from a page',
    source: 'earendil-works/pi#1910',
    input: 'one\u2029two\u2028three',
    right: 'one\u2029two\u2028three',
  },
  {
    title: 'a byte order mark at the start',
    source: 'enso-org/enso#9849',
    input: '\ufeff{"a": 1}',
    right: '\ufeff{"a": 1}',
  },
  {
    title: 'bidirectional marks and zero-width characters',
    source: 'own',
    input: '\u202eabc\u202c\u200b\u2066x\u2069',
    right: '\u202eabc\u202c\u200b\u2066x\u2069',
  },
];

/** Deltas of a model as they arrive, and the pieces that a reader of the stream gets. */
export const STREAM_CASES: readonly ForeignCase<readonly string[], readonly string[]>[] = [
  {
    title: 'an emoji in two deltas',
    source: 'elizaOS/eliza#30904',
    input: ['ok \ud83d', '\ude00!'],
    right: ['ok ', '😀!'],
  },
  {
    title: 'each unit as a delta of its own',
    source: 'api7/aisix#111',
    input: [...'北京😀'].flatMap((character) => character.split('')),
    right: ['北', '京', '😀'],
  },
  {
    title: 'a first half whose second one never comes',
    source: 'musistudio/claude-code-router#1672',
    input: ['done \ud83d'],
    right: ['done ', '\ufffd'],
  },
  {
    title: 'a first half before another character',
    source: 'own',
    input: ['\ud83d', 'x', '\ude00'],
    right: ['\ufffdx', '\ufffd'],
  },
];
