import { type DestinationStream, pino } from 'pino';
import { Refusal } from '../../common/refusal.ts';
import { ToolFault } from '../../common/tool-fault.ts';
import { scrub } from './scrub.ts';

export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error';

/**
 * The only fields of a log entry besides its message. Inputs, variables, headers and results are
 * not in this list, so they can't be logged by mistake. Ids are opaque.
 */
export interface LogFields {
  readonly requestId?: string;
  readonly userId?: string;
  readonly operation?: string;
  readonly code?: string;
  readonly status?: number;
  readonly ms?: number;
  readonly statements?: number;
  readonly runId?: string;
  readonly stepId?: string;
  readonly workerId?: string;
  readonly taskQueue?: string;
  readonly count?: number;
  readonly port?: number;
  readonly address?: string;
  readonly version?: string;
  /** Scrubbed like all fields: name, message, stack, cause. */
  readonly error?: unknown;
}

const ALLOWED = new Set<string>([
  'requestId',
  'userId',
  'operation',
  'code',
  'status',
  'ms',
  'statements',
  'runId',
  'stepId',
  'workerId',
  'taskQueue',
  'count',
  'port',
  'address',
  'version',
  'error',
] satisfies (keyof LogFields)[]);

/**
 * Writes one line of JSON per event. The message is constant; variable data goes into the fields.
 */
export type Log = {
  readonly [Level in Exclude<LogLevel, 'trace'>]: (message: string, fields?: LogFields) => void;
};

/**
 * @param level the lowest level that is written; `silent` writes nothing
 * @param destination default: standard error
 * @param file gets entries of level info too, where `level` is higher
 */
export function openLog(
  level: LogLevel | 'silent',
  destination: DestinationStream = pino.destination(2),
  file?: DestinationStream,
): Log {
  const hasFile = file !== undefined && level !== 'silent';
  const fileLevel = level === 'trace' || level === 'debug' ? level : 'info';
  const options = {
    level: hasFile ? fileLevel : level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  const logger = pino(
    options,
    hasFile
      ? pino.multistream([
          { level, stream: destination },
          { level: fileLevel, stream: file },
        ])
      : destination,
  );
  const at =
    (name: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (!logger.isLevelEnabled(name)) return;
      const allowed = Object.fromEntries(
        Object.entries(fields).filter(([field]) => ALLOWED.has(field)),
      );
      logger[name](scrub(withoutNames(allowed)) as object, String(scrub(message)));
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}

/**
 * Errors for users quote names of their Tools and Processes, and values. A log outlives a deletion
 * of the user's data, so it gets their codes, places and stacks only. Messages of TOOL_FAILED stay:
 * they are those of a server that did not answer.
 */
function withoutNames(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { error } = fields;
  return error instanceof Error ? { ...fields, error: discreet(error) } : { ...fields };
}

function discreet(error: Error): unknown {
  const { name } = error;
  const cause = error.cause instanceof Error ? { cause: discreet(error.cause) } : {};
  if (error instanceof Refusal) {
    const problems = error.problems.map(({ code, path }) => ({ code, path }));
    return { name, problems, stack: framesOf(error), ...cause };
  }
  if (error instanceof ToolFault) {
    const { code, message } = error;
    const words = code === 'TOOL_FAILED' ? { message } : {};
    return { name, code, ...words, stack: framesOf(error), ...cause };
  }
  if ('code' in error && error.code === BROKEN_CONSTRAINT)
    return { name, code: error.code, stack: framesOf(error), ...cause };
  if (error.cause === undefined) return error;
  return { ...error, name, message: error.message, stack: error.stack, ...cause };
}

/** Its message has the value that is taken. */
const BROKEN_CONSTRAINT = 'Neo.ClientError.Schema.ConstraintValidationFailed';

/** The stack without the message before it. */
function framesOf({ stack = '' }: Error): string {
  const at = stack.search(/\n\s+at /);
  return at < 0 ? '' : stack.slice(at + 1);
}
