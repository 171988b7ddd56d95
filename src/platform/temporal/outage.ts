import { isGrpcServiceError, ServiceError } from '@temporalio/client';

// Of gRPC: DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED, UNAVAILABLE.
const AWAY_CODES = [4, 8, 14];

/** Whether Temporal was away or overwhelmed, so that the same call may well succeed later. */
export function isTemporalOutage(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause) && AWAY_CODES.includes(cause.code);
}
