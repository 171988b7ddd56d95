const FAILURE =
  /^(ApplicationFailure|ActivityFailure|ChildWorkflowFailure|CancelledFailure|TerminatedFailure|TimeoutFailure|TemporalFailure)\b/;

/**
 * A failure for the log: kind, type and frames. Its words are recorded for the owner of the run,
 * and quote names of Tools and Processes; a log outlives a deletion of the user's data. A failure
 * from a workflow's sandbox is a plain Error, whose stack alone names its kind. Other errors are
 * returned.
 */
export function withoutWords(error: unknown): unknown {
  if (typeof error !== 'object' || error === null) return error;
  const { stack, type, cause, name } = error as Readonly<Record<string, unknown>>;
  const head = typeof stack === 'string' ? stack : '';
  const kind = FAILURE.exec(head)?.[1] ?? (FAILURE.test(String(name)) ? String(name) : null);
  if (kind === null) return error;
  const frames = head.search(/\n\s+at /);
  return {
    name: kind,
    ...(typeof type === 'string' ? { code: type } : {}),
    stack: frames < 0 ? '' : head.slice(frames + 1),
    ...(cause === undefined ? {} : { cause: withoutWords(cause) }),
  };
}
