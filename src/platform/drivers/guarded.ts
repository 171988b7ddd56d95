import type { Json } from '../../common/json.ts';
import { PROBE_MS_MAX } from '../../common/limits.ts';
import { ToolFault, type Usage } from '../../common/tool-fault.ts';
import type { DriverTarget, Probe } from './driver.ts';
import { redactSecret, type SecretRedactor } from './redact-secret.ts';

/**
 * Runs a driver's work. Results and faults are redacted, an abort becomes CANCELLED, and any other
 * error becomes a ToolFault with its message only: its cause may contain headers and URLs.
 */
export async function guarded<T>(
  { target, signal }: { readonly target: DriverTarget; readonly signal: AbortSignal },
  work: (redactor: SecretRedactor) => Promise<T>,
): Promise<T> {
  const redactor = redactSecret(target.secret?.value, pairOf(target));
  try {
    if (signal.aborted) throw new Error('The call was stopped before it began.');
    return redactor.json((await work(redactor)) as Json) as T;
  } catch (error) {
    throw faultOf(error, redactor, signal);
  }
}

function faultOf(error: unknown, redactor: SecretRedactor, signal: AbortSignal): ToolFault {
  const usage: Usage | null = error instanceof ToolFault ? error.usage : null;
  if (signal.aborted) return new ToolFault('CANCELLED', 'The call was stopped.', { usage });
  if (error instanceof ToolFault)
    return new ToolFault(error.code, redactor.text(error.message), {
      retryable: error.retryable,
      retryAfterMs: error.retryAfterMs,
      details: redactor.json(error.details),
      usage,
    });
  const message = error instanceof Error ? error.message : String(error);
  return new ToolFault('TOOL_FAILED', redactor.text(message));
}

/** Runs a probe within PROBE_MS_MAX. Any failure means `down`, with its message. */
export async function probed(
  target: DriverTarget,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Probe>,
): Promise<Probe> {
  const redactor = redactSecret(target.secret?.value, pairOf(target));
  const limit = AbortSignal.any([signal, AbortSignal.timeout(PROBE_MS_MAX)]);
  const late = new Promise<never>((_resolve, reject) => {
    const stop = () => reject(new Error(`No answer within ${PROBE_MS_MAX / 1_000} s.`));
    if (limit.aborted) stop();
    else limit.addEventListener('abort', stop, { once: true });
  });
  try {
    const probe = await Promise.race([work(limit), late]);
    const { errorMessage, tools } = probe;
    return {
      ...probe,
      errorMessage: errorMessage === null ? null : redactor.text(errorMessage),
      ...(tools === undefined ? {} : { tools: tools.map((name) => redactor.text(name)) }),
    };
  } catch (error) {
    const message = error instanceof Error && error.message !== '' ? error.message : String(error);
    return { status: 'down', errorMessage: redactor.text(message) };
  }
}

function pairOf({ secret, connectionParams }: DriverTarget): string | null {
  const username = connectionParams['username'];
  return secret !== null && typeof username === 'string' ? `${username}:${secret.value}` : null;
}
