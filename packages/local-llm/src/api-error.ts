/** An error in OpenAI's form: 4xx for invalid requests, 5xx for temporary failures. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly code: string;
  readonly param: string | null;
  /** For the header Retry-After; null: none. */
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    code: string,
    message: string,
    param: string | null = null,
    retryAfterSeconds: number | null = null,
  ) {
    super(message);
    this.retryAfterSeconds = retryAfterSeconds;
    this.status = status;
    this.code = code;
    this.param = param;
  }
}

export function errorBody(error: ApiError): object {
  const type = error.status >= 500 ? 'server_error' : 'invalid_request_error';
  return { error: { message: error.message, type, param: error.param, code: error.code } };
}
