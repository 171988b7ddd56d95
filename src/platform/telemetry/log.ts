import { type DestinationStream, pino } from 'pino';
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
      logger[name](scrub(allowed) as object, String(scrub(message)));
    };
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') };
}
