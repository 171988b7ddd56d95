/**
 * One input that another system met, and the value that is right for it. `source` is the public
 * report, `owner/repo#number`; `own` marks a case of the same kind that we added ourselves.
 */
export interface ForeignCase<Input, Right> {
  readonly title: string;
  readonly source: string;
  readonly input: Input;
  readonly right: Right;
}

/** The form of `source`. */
export const SOURCE = /^(?:own|[\w.-]+\/[\w.-]+#\d+)$/;
