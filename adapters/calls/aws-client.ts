import { FailedAttempt } from './failed-attempt.ts';
import { traceHeaders } from './trace-headers.ts';

/** Options of every AWS client. Null: the client looks in the usual places (profile, container, machine). */
export interface AwsAccess {
  readonly region: string | null;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken: string | null;
  } | null;
  /** Null: the public endpoint of the region. */
  readonly endpoint: string | null;
}

/** Neither the settings nor the usual places of AWS clients name a region. */
export class MissingRegion extends Error {
  override readonly name = 'MissingRegion';
}

/** The configuration of a client. It makes one attempt, since `makeServiceCalls` repeats calls. */
export const awsClientConfig = ({ region, credentials, endpoint }: AwsAccess) => ({
  maxAttempts: 1,
  ...(region === null ? {} : { region }),
  ...(endpoint === null ? {} : { endpoint }),
  ...(credentials === null
    ? {}
    : {
        credentials: {
          accessKeyId: credentials.accessKeyId,
          secretAccessKey: credentials.secretAccessKey,
          ...(credentials.sessionToken === null ? {} : { sessionToken: credentials.sessionToken }),
        },
      }),
});

const hasHeaders = (request: unknown): request is { readonly headers: Record<string, string> } =>
  typeof request === 'object' && request !== null && 'headers' in request;

/** A middleware of AWS clients. It adds the trace headers before a request is signed, since the signature covers the headers. */
export const carryTrace =
  <Step extends { readonly request: unknown }, Result>(next: (step: Step) => Promise<Result>) =>
  (step: Step): Promise<Result> => {
    if (hasHeaders(step.request)) Object.assign(step.request.headers, traceHeaders());
    return next(step);
  };

/** Throws `MissingRegion` if the client finds no region. */
export const requireRegion = async (client: {
  readonly config: { region(): Promise<string> };
}): Promise<void> => {
  await client.config.region().catch(() => {
    throw new MissingRegion();
  });
};

const member = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** The name and message of an error of an AWS client, and the HTTP status of the response (NaN without a response). */
export const answerIn = (error: unknown) => ({
  name: String(member(error, 'name')),
  message: String(member(error, 'message')),
  status: Number(member(member(error, '$metadata'), 'httpStatusCode')),
});

/** Classifies an error of an AWS client that is common to all services. Nothing of its text is passed on. */
export const judgeAwsFailure = (error: unknown): FailedAttempt => {
  const { name, status } = answerIn(error);
  if (status === 429) return new FailedAttempt('passing', 'throttled');
  if (status >= 500) return new FailedAttempt('passing', 'failed');
  // The client has corrected its clock by the response and signs the next attempt with it.
  if (member(member(error, '$metadata'), 'clockSkewCorrected') === true)
    return new FailedAttempt('passing', 'rejected');
  if (name === 'CredentialsProviderError') return new FailedAttempt('lasting', 'credentials');
  if (status >= 300) return new FailedAttempt('lasting', 'rejected');
  return new FailedAttempt('passing', status >= 200 ? 'garbled' : 'unreachable');
};
