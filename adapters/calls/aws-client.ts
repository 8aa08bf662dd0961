import { traceHeaders } from './trace-headers.ts';

/** What every client of AWS is made with. Null: found in the usual places of AWS clients. */
export interface AwsAccess {
  readonly region: string | null;
  readonly credentials: {
    readonly accessKeyId: string;
    readonly secretAccessKey: string;
    readonly sessionToken: string | null;
  } | null;
  /** Null: the public one of the region. */
  readonly endpoint: string | null;
}

/** Neither the settings nor the usual places of AWS clients name a region. */
export class MissingRegion extends Error {
  override readonly name = 'MissingRegion';
}

/** The configuration of a client. The tries are counted and spaced by `makeCalls`. */
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

/** Runs before a request is signed, since the signature covers the headers. */
export const carryTrace =
  <Step extends { readonly request: unknown }, Result>(next: (step: Step) => Promise<Result>) =>
  (step: Step): Promise<Result> => {
    if (hasHeaders(step.request)) Object.assign(step.request.headers, traceHeaders());
    return next(step);
  };

/** Throws `MissingRegion`. */
export const requireRegion = async (client: {
  readonly config: { region(): Promise<string> };
}): Promise<void> => {
  await client.config.region().catch(() => {
    throw new MissingRegion();
  });
};
