import { existsSync, readFileSync } from 'node:fs';
import { parse as parseYaml } from 'yaml';
import { SETTINGS, type SettingInfo, type SettingName, Settings } from './settings.ts';

/**
 * One invalid setting: its name or source, and the allowed values. Never contains a secret value.
 */
export interface SettingProblem {
  readonly setting: string;
  readonly message: string;
}

/** All invalid settings at once. */
export class BadSettings extends Error {
  override readonly name = 'BadSettings';
  readonly problems: readonly SettingProblem[];
  constructor(problems: readonly SettingProblem[]) {
    super(problems.map(({ setting, message }) => `${setting} ${message}`).join('\n'));
    this.problems = problems;
  }
}

/**
 * Settings after all checks. `auth` is decided. Server addresses may be absent; then the start
 * finds or starts the servers.
 */
export type Config = Omit<Settings, 'auth' | 'logLevel'> & {
  readonly auth: 'dev' | 'jwt';
  readonly logLevel: NonNullable<Settings['logLevel']>;
};

export interface ConfigSources {
  readonly flags: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Name and text of the settings file; null when there is none. */
  readonly file: { readonly name: string; readonly text: string } | null;
}

/**
 * Reads settings. Flags override the environment, then the file, then defaults.
 * @throws BadSettings with every invalid setting
 */
export function readConfig({ flags, env, file }: ConfigSources): Config {
  const problems: SettingProblem[] = [];
  const values = new Map<SettingName, { value: unknown; source: string }>();
  for (const [name, value] of fileValues(file, problems))
    values.set(name, { value, source: `${name} in ${file?.name}` });
  for (const info of SETTINGS) {
    const variable = info.env.find((name) => env[name] !== undefined && env[name] !== '');
    if (variable !== undefined) values.set(info.name, { value: env[variable], source: variable });
  }
  for (const [name, value, flag] of flagValues(flags, problems))
    values.set(name, { value, source: flag });

  const parsed = Settings.safeParse(
    Object.fromEntries([...values].map(([name, { value }]) => [name, value])),
  );
  for (const { path, message } of parsed.error?.issues ?? []) {
    const name = path[0] as SettingName;
    problems.push(described(name, values.get(name), message));
  }
  problems.push(...modelProblems((name) => values.has(name)));
  if (!parsed.success) throw new BadSettings(problems);
  const config = withAuth(parsed.data, problems);
  if (problems.length > 0) throw new BadSettings(problems);
  return config;
}

function infoOf(name: SettingName): SettingInfo {
  const found = SETTINGS.find((info) => info.name === name);
  if (found === undefined) throw new Error(`No setting ${name}.`);
  return found;
}

const nameOf = (name: SettingName): string => infoOf(name).env[0] ?? name;

function described(
  name: SettingName,
  given: { value: unknown; source: string } | undefined,
  message: string,
): SettingProblem {
  const info = infoOf(name);
  // An address may hold a password.
  const value = JSON.stringify(given?.value)?.replace(/:\/\/[^/@]*@/g, '://…@');
  const saw = info.secret || given === undefined ? '' : `, not ${value}`;
  return { setting: given?.source ?? nameOf(name), message: `${message}${saw}.` };
}

function* fileValues(
  file: ConfigSources['file'],
  problems: SettingProblem[],
): Generator<[SettingName, unknown]> {
  if (file === null) return;
  let content: unknown;
  try {
    content = parseYaml(file.text) ?? {};
  } catch (error) {
    problems.push({
      setting: file.name,
      message: `is not YAML: ${error instanceof Error ? error.message.split('\n')[0] : error}`,
    });
    return;
  }
  if (typeof content !== 'object' || content === null || Array.isArray(content)) {
    problems.push({ setting: file.name, message: 'has to hold names and values.' });
    return;
  }
  for (const [name, value] of Object.entries(content)) {
    const info = SETTINGS.find((known) => known.name === name);
    if (info !== undefined) yield [info.name, value];
    else
      problems.push({
        setting: `${name} in ${file.name}`,
        message: `is no setting${nearest(
          name,
          SETTINGS.map((known) => known.name),
        )}.`,
      });
  }
}

function* flagValues(
  flags: readonly string[],
  problems: SettingProblem[],
): Generator<[SettingName, unknown, string]> {
  for (let index = 0; index < flags.length; index++) {
    const [flag = '', ...afterEquals] = (flags[index] ?? '').split('=');
    const inline = afterEquals.length > 0 ? afterEquals.join('=') : undefined;
    const info = SETTINGS.find(
      (known) => known.flag === flag || (known.isSwitch && flag === `--no-${known.flag.slice(2)}`),
    );
    if (info === undefined) {
      if (inline === undefined && flags[index + 1]?.startsWith('--') === false) index++;
      problems.push({
        setting: flag,
        message: `is no setting${nearest(
          flag,
          SETTINGS.map((known) => known.flag),
        )}. --help lists them.`,
      });
    } else if (info.secret) {
      if (inline === undefined) index++;
      problems.push({
        setting: flag,
        message:
          'is not taken as a flag, where others could read it; ' +
          `set ${info.env[0]} or the file.`,
      });
    } else if (info.isSwitch && inline === undefined) {
      yield [info.name, flag === info.flag, flag];
    } else if (inline !== undefined) {
      yield [info.name, inline, flag];
    } else {
      const next = flags[index + 1];
      if (next === undefined || next.startsWith('--'))
        problems.push({ setting: flag, message: 'needs a value.' });
      else {
        index++;
        yield [info.name, next, flag];
      }
    }
  }
}

/** " (did you mean ...?)" when a known name is similar, else ''. */
function nearest(name: string, known: readonly string[]): string {
  const plain = (value: string) => value.toLowerCase().replace(/[^a-z]/g, '');
  const wanted = plain(name);
  if (wanted.length < 3) return '';
  const near = known.find(
    (one) => plain(one).startsWith(wanted.slice(0, 4)) || isAnagramNear(plain(one), wanted),
  );
  return near === undefined ? '' : ` (did you mean ${near}?)`;
}

const isAnagramNear = (a: string, b: string): boolean =>
  Math.abs(a.length - b.length) <= 1 && [...a].sort().join('') === [...b].sort().join('');

/** The settings of the language model go together. */
function modelProblems(isGiven: (name: SettingName) => boolean): SettingProblem[] {
  const problems: SettingProblem[] = [];
  for (const [own, url] of [
    ['llm', 'llmUrl'],
    ['embeddings', 'embeddingsUrl'],
  ] as const)
    if (isGiven(own) && isGiven(url))
      problems.push({
        setting: nameOf(own),
        message: `and ${nameOf(url)} exclude one another; set one.`,
      });
  if (isGiven('llmUrl') && !isGiven('llmModel'))
    problems.push({
      setting: 'AIDEN_LLM_MODEL',
      message: 'has to be set with AIDEN_LLM_URL: the name that the server gives its model.',
    });
  for (const name of ['llmModel', 'llmApi'] as const)
    if (isGiven(name) && !isGiven('llmUrl'))
      problems.push({
        setting: nameOf(name),
        message: 'needs AIDEN_LLM_URL, for example http://127.0.0.1:11434/v1.',
      });
  return problems;
}

/** Whether only this machine can reach a server on this host. Dev tokens require it. */
export function isLoopback(host: string): boolean {
  return ['127.0.0.1', '::1', 'localhost'].includes(host);
}

function withAuth(settings: Settings, problems: SettingProblem[]): Config {
  const { host, jwtSecret, jwksUrl, jwtIssuer, jwtAudience } = settings;
  const hasKey = jwtSecret !== undefined || jwksUrl !== undefined;
  const auth = settings.auth ?? (hasKey ? 'jwt' : 'dev');
  if (auth === 'dev' && !isLoopback(host))
    problems.push({
      setting: 'AIDEN_AUTH',
      message:
        `dev is refused while AIDEN_HOST is ${host}, because dev does not verify callers; set ` +
        'AIDEN_AUTH=jwt with AIDEN_JWT_SECRET or AIDEN_JWKS_URL, or listen on 127.0.0.1.',
    });
  if (auth === 'jwt') {
    if (hasKey === false)
      problems.push({
        setting: 'AIDEN_AUTH',
        message: 'jwt needs AIDEN_JWT_SECRET or AIDEN_JWKS_URL.',
      });
    if (jwtSecret !== undefined && jwksUrl !== undefined)
      problems.push({
        setting: 'AIDEN_JWT_SECRET',
        message: 'and AIDEN_JWKS_URL exclude one another; set one.',
      });
    if (jwtIssuer === undefined)
      problems.push({
        setting: 'AIDEN_JWT_ISSUER',
        message: 'has to be set with jwt: the iss of your tokens.',
      });
    if (jwtAudience === undefined)
      problems.push({
        setting: 'AIDEN_JWT_AUDIENCE',
        message: 'has to be set with jwt: the aud of your tokens.',
      });
  }
  if (settings.oidcClientId !== undefined && !URL.canParse(jwtIssuer ?? ''))
    problems.push({
      setting: 'AIDEN_OIDC_CLIENT_ID',
      message: 'needs AIDEN_JWT_ISSUER to be the URL of the OpenID provider.',
    });
  // In dev the start prints its own lines, so the log shows warnings only. Operators read the log.
  return { ...settings, auth, logLevel: settings.logLevel ?? (auth === 'dev' ? 'warn' : 'info') };
}

/** The text of --help: each setting with its flag, environment name, description and default. */
export function helpText(): string {
  const lines = SETTINGS.map((info) => {
    const value = info.isSwitch ? '' : ' <value>';
    const left = info.secret ? '(no flag)' : `${info.flag}${value}`;
    return (
      `  ${left.padEnd(32)} ${(info.env[0] ?? '').padEnd(30)} ` +
      `${info.description}\n${' '.repeat(66)}default: ${info.defaultText}`
    );
  });
  return [
    'npm start -- [flags]        Flags override the environment, then the file (aiden.yaml or ' +
      'AIDEN_CONFIG, names in camel case), then defaults.',
    '',
    ...lines,
    '',
    '  --no-<flag> turns a switch off. AIDEN_STACK=docker|native selects how missing servers ' +
      'are started.',
    '',
  ].join('\n');
}

/**
 * Reads the settings of this process.
 * @throws BadSettings
 */
export function loadConfig(flags: readonly string[]): Config {
  const named = process.env['AIDEN_CONFIG'];
  const name = named ?? 'aiden.yaml';
  if (named !== undefined && !existsSync(named))
    throw new BadSettings([
      { setting: 'AIDEN_CONFIG', message: `names a file that is not there: ${named}.` },
    ]);
  const file = existsSync(name) ? { name, text: readFileSync(name, 'utf8') } : null;
  return readConfig({ flags, env: process.env, file });
}
