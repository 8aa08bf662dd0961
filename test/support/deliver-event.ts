import { randomUUID } from 'node:crypto';
import { signDelivery } from '../../adapters/signed-deliveries/signature.ts';
import { PRODUCTS } from './servers/polar-events.ts';
import { POLAR_TOKEN } from './servers/strict-polar.ts';

/** A secret of each kind: of the first the decoded bytes are the key, of the second the bytes of the text. */
export const DECODED_SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
export const CHOSEN_SECRET = 'polar_whs_a-secret-that-somebody-chose';

/** Settings of a service that uses Polar. `url` is the provider's, without `/v1`. */
export const polarSettings = (url: string) => ({
  BILLING: 'polar',
  POLAR_ACCESS_TOKEN: POLAR_TOKEN,
  POLAR_PRODUCTS: JSON.stringify(PRODUCTS),
  POLAR_URL: `${url}/v1`,
  // Nothing listens on this port: prices are converted by the fallback rate.
  NBP_URL: 'http://127.0.0.1:9',
  WEBHOOK_SECRETS: `${CHOSEN_SECRET},${DECODED_SECRET}`,
  SELF_ENTITLEMENT: 'ignore',
});

export interface EventDelivery {
  readonly id?: string;
  readonly body: string;
  /** The age of the signature in milliseconds. */
  readonly age?: number;
  readonly secret?: string;
  /** Headers that replace or complete those of the signature; undefined removes a header. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  /** Sent in place of the signed body. */
  readonly sent?: string | Uint8Array;
}

/** Delivers an event to a service as the provider would. */
export const deliverEvent = async (
  url: string,
  { id = randomUUID(), body, age = 0, secret = DECODED_SECRET, headers = {}, sent = body }: EventDelivery,
) => {
  const signedHeaders = {
    'Content-Type': 'application/json',
    ...signDelivery(secret, { id, body }, Date.now() - age),
    ...headers,
  };
  const response = await fetch(`${url}/api/webhooks/drop`, {
    method: 'POST',
    redirect: 'manual',
    headers: Object.entries(signedHeaders).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ) as [string, string][],
    body: sent as string,
  });
  const answer: Readonly<Record<string, unknown>> = JSON.parse(await response.text());
  return { status: response.status, body: answer, code: answer.code };
};
