import { makePolarProvider, type PolarProvider } from '../../../adapters/polar/provider.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { PRODUCTS } from '../../support/servers/polar-events.ts';
import { POLAR_TOKEN } from '../../support/servers/strict-polar.ts';
import type { Fault } from '../../support/servers/strict-server.ts';

export const USER = '01890a5d-ac96-774b-bcce-b302099a8057';
export const BUYER = { userId: USER, email: 'ada@example.com', name: 'Ada', address: '192.0.2.1' };

export const PAGES = {
  success: 'https://app.example/success?c={CHECKOUT_ID}',
  back: 'https://app.example/billing',
};

/** Opens the adapter on a server that behaves like Polar. */
export const openPolar = (
  url: string,
  overrides: Partial<Parameters<typeof makePolarProvider>[0]> = {},
): PolarProvider =>
  makePolarProvider({
    ...{ url, accessToken: POLAR_TOKEN, products: PRODUCTS, webhookSecrets: [] },
    ...{ successUrl: () => PAGES.success, returnUrl: () => PAGES.back, log: makeRecordingLog() },
    ...overrides,
  });

/** A fault that answers with a page or with JSON. */
export const reply =
  (status: number, body: unknown = {}, headers: Record<string, string> = {}): Fault =>
  (response) =>
    response
      .writeHead(status, { 'Content-Type': 'application/json', ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
