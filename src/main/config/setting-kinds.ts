import { z } from 'zod';
import { parseModelSource } from '../../../packages/gguf-llm/src/model-source.ts';

/**
 * Data of a setting besides its schema. It is stored as zod metadata, so that one table has all.
 */
export interface SettingMeta {
  readonly description: string;
  /** Environment names; the first one set wins. Default: `AIDEN_` and the name in capitals. */
  readonly env?: readonly string[];
  /** A secret is never printed and has no flag: other users of the machine could read flags. */
  readonly secret?: true;
  /** Text of `--help` for a default that is computed. */
  readonly otherwise?: string;
}

/** Makes one setting of a schema and its metadata. */
export const setting = <S extends z.ZodType>(
  schema: S,
  description: string,
  more: Omit<SettingMeta, 'description'> = {},
): S => schema.meta({ ...more, description });

/** Text that is not empty. */
export const text = z.string().trim().min(1, 'has to be a text that is not empty');

/** A whole number within bounds, as digits or as a number. */
export const whole = (min: number, max: number) =>
  z
    .union(
      [z.number(), z.string().regex(/^\d+$/).transform(Number)],
      `has to be a whole number from ${min} to ${max}`,
    )
    .pipe(
      z.number().int().min(min, `has to be at least ${min}`).max(max, `has to be at most ${max}`),
    );

/** One of the given words. */
export const oneOf = <const T extends readonly [string, ...string[]]>(values: T) =>
  z.enum(values, `has to be one of ${values.join(', ')}`);
const YES = ['true', 'on', '1', 'yes'];
const NO = ['false', 'off', '0', 'no'];

/** true, on, 1 or yes; or false, off, 0 or no. */
export const onOff = z
  .union([z.boolean(), z.enum([...YES, ...NO] as [string, ...string[]])], 'has to be on or off')
  .transform((value) => value === true || YES.includes(String(value)));

/** A list of texts, or one text with commas. */
export const list = z
  .union(
    [
      z.array(text),
      z.string().transform((value) =>
        value
          .split(',')
          .map((part) => part.trim())
          .filter(Boolean),
      ),
    ],
    'has to be a list, with commas between its items',
  )
  .pipe(z.array(z.string()));

/** A URL with one of the given schemes. */
export const address = (schemes: readonly string[]) =>
  text.refine(
    (value) => URL.canParse(value) && schemes.includes(new URL(value).protocol.slice(0, -1)),
    `has to be an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  );

/** The base URL of a model's API. The driver adds the path of each request. */
export const llmAddress = address(['http', 'https'])
  .refine((value) => {
    const url = URL.parse(value);
    return url === null || (url.username === '' && url.password === '');
  }, 'has to be without user and password; set AIDEN_LLM_API_KEY')
  .refine(
    (value) => !/[?#]|\/(chat\/completions|completions|messages|embeddings|models)\/*$/.test(value),
    'has to be the base address that comes before /chat/completions or /messages, without ? and #',
  );

/** A GGUF file on this machine or of a model hub. */
export const modelSource = text.refine((value) => {
  try {
    parseModelSource(value);
    return true;
  } catch {
    return false;
  }
}, 'has to be gguf:/path/model.gguf or hf:owner/name:file.gguf');

/** `host:port`. */
export const hostPort = text.regex(
  /^(\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+):\d{1,5}$/,
  'has to be host:port',
);

/** The origin of a page, without a path. */
export const origin = z
  .string()
  .refine(
    (value) => URL.canParse(value) && new URL(value).origin === value,
    'has to hold origins such as https://app.example.com, without a path',
  );

/** A network in CIDR notation, or `host:port`. */
export const egress = z
  .string()
  .regex(
    /^([0-9a-fA-F.:]+\/\d{1,3}|(\[[0-9a-fA-F:]+\]|[A-Za-z0-9._-]+):\d{1,5})$/,
    'has to hold networks such as 10.0.0.0/8 or host:port',
  );

/** Whether the value is `id:base64`: a whole number from 1, and 32 bytes. */
export function isSecretKey(value: string): boolean {
  const [, id, key] = /^([1-9]\d{0,8}):([A-Za-z0-9+/_-]+={0,2})$/.exec(value) ?? [];
  return id !== undefined && key !== undefined && Buffer.from(key, 'base64').length === 32;
}
