/** The next thing to do about an error of a run or a step, by its code. */
const ADVICE: Readonly<Record<string, string>> = {
  INPUT_INVALID:
    'The inputs do not fit the Tool’s schema. Compare them with the schema on the Tool’s ' +
    'page, mend the step or the context, then retry.',
  OUTPUT_INVALID:
    'The Tool answered in another form than its schema says. Try the Tool alone on its page; ' +
    'mend its schema or its prompt.',
  STEP_TIMEOUT:
    'The step took longer than its timeout. Raise the timeout, or retry if the service was slow.',
  RUN_TIMEOUT:
    'The run took longer than it was given. Start it with more time, or retry from this step.',
  RECURSION_LIMIT:
    'Processes call each other too deeply. Look for a circle, or raise maxRecursionDepth.',
  TARGET_DISABLED:
    'The Tool, its Service or the Process is disabled. Enable it in the Catalog, then retry.',
  TARGET_UNHEALTHY:
    'The Service does not answer. Check it in the Catalog; retry when it is healthy.',
  TOOL_FAILED:
    'The call itself failed. The message is the service’s own; try the Tool alone on its page.',
  SECRET_UNAVAILABLE:
    'The Secret cannot be used here. Check its origins and its owner in the Catalog.',
  CONDITION_FAILED:
    'The condition of the step could not be evaluated. Mend it in the Process, then retry.',
  TEMPLATE_FAILED: 'The output template could not be rendered. Mend it in the Process, then retry.',
  REJECTED: 'A person rejected this step. Retry to ask again.',
  EGRESS_DENIED: 'The address is private and not allowed. An operator allows it in the settings.',
  BUDGET_EXCEEDED: 'The run’s budget is used up. Raise the budget, or start it with a larger one.',
  INTERNAL:
    'A fault of Aiden itself. The log of the Workers has its cause; tell the operator the id ' +
    'of the run.',
  PAYLOAD_TOO_LARGE: 'The value is larger than allowed. Let the step return less.',
};

export function adviceFor(code: string): string | null {
  return Object.hasOwn(ADVICE, code) ? (ADVICE[code] ?? null) : null;
}
