import type { Accounts, HandOver, RedeemHandover } from '../../core/index.ts';
import { ok } from '../http/answer.ts';
import { type AnyRoute, route } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import { handoverAnswer, redeemedAnswer } from './answers/login.ts';
import { tripCode, verifier } from './fields.ts';
import { challenge, redirectUri } from './providers/fields.ts';
import { signedIn } from './signed-in.ts';

const handoverBody = schemaOf<HandOver>()({
  type: 'object',
  properties: { returnTo: redirectUri, codeChallenge: challenge },
  required: ['returnTo', 'codeChallenge'],
});

const redeemBody = schemaOf<RedeemHandover>()({
  type: 'object',
  properties: {
    code: {
      ...tripCode,
      description: 'From the address to which the page went back; good once, for a minute',
    },
    codeVerifier: verifier,
    returnTo: redirectUri,
  },
  required: ['code', 'codeVerifier', 'returnTo'],
});

const OFF = { description: 'There are no pages here.', errors: ['not_found'] };

/** How somebody who signed in at the pages comes to be signed in at an app. */
export const handoverRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'POST',
    path: '/api/auth/handover',
    summary: 'A code by which an app begins a session of its own',
    access: 'bearer',
    bucket: 'default',
    body: handoverBody,
    answers: {
      200: { description: 'The code.', schema: handoverAnswer },
      400: {
        description: 'The settings lack the address, or the challenge is none.',
        errors: ['invalid_return_to', 'invalid_challenge'],
      },
      404: OFF,
    },
    run: async ({ body, who, caller }) => ok(await accounts.handOver(who, body, caller)),
  }),
  route({
    method: 'POST',
    path: '/api/auth/handover/redeem',
    summary: 'Log an app in with the code that a page gave it',
    access: 'open',
    bucket: 'verify',
    body: redeemBody,
    answers: {
      200: { description: 'Logged in.', schema: redeemedAnswer },
      401: {
        description:
          'The code is wrong, was used, has expired or belongs to another address or verifier, or the password was changed meanwhile. A second use ends the session of the first.',
        errors: ['invalid_code'],
      },
      404: OFF,
    },
    run: async ({ body, caller }) => ok(await accounts.redeemHandover(body, caller)),
  }),
];
