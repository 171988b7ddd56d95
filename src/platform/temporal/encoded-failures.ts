import { DefaultFailureConverter } from '@temporalio/common';

/**
 * Puts messages and stack traces of failures into a payload, so that the payload codec encrypts
 * them. The SDK loads this file by its path, in workflows and beside them.
 */
export const failureConverter = new DefaultFailureConverter({ encodeCommonAttributes: true });
