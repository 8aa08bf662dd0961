import type {
  Accounts,
  AskEmailChangeInput,
  ConfirmEmailChangeInput,
  UndoEmailChangeInput,
} from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import { type AnyRoute, route } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import { email, typedCode } from './fields.ts';
import {
  emailChangedResponse,
  registeredResponse,
  successResponse,
  undoneResponse,
} from './responses/account.ts';
import { staleResponse } from './responses/fresh.ts';
import { signedIn } from './signed-in.ts';

const SIX_DIGITS = 'The six digits from the mail; blanks and dashes do not matter';

const askBody = schemaOf<AskEmailChangeInput>()({
  type: 'object',
  properties: { email: { ...email, description: 'The new email address' } },
  required: ['email'],
});

const confirmBody = schemaOf<ConfirmEmailChangeInput>()({
  type: 'object',
  // A code of another kind is a wrong one: 401.
  properties: { code: { ...typedCode, description: SIX_DIGITS, examples: ['493021'] } },
  required: ['code'],
});

const undoBody = schemaOf<UndoEmailChangeInput>()({
  type: 'object',
  properties: { email: { ...email, description: 'The email address before the change' }, code: typedCode },
  required: ['email', 'code'],
});

const WRONG_CODE = { description: 'The code is wrong, void or expired.', errors: ['invalid_code'] };
const TAKEN = { description: 'Another account has verified this email.', errors: ['email_taken'] };
const TOO_MANY_CODES = { description: 'Too many wrong codes.', errors: ['verification_held'] };

/** Change of the email, and its undo. */
export const emailRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'POST',
    path: '/api/auth/email',
    summary: 'Ask for another email: a code goes to it, a notice to the current one',
    access: 'bearer',
    bucket: 'resend',
    countsAccount: true,
    body: askBody,
    answers: {
      200: {
        description: 'A code is on its way, unless another account has verified this email.',
        schema: registeredResponse,
      },
      400: { description: 'The email breaks a rule.', errors: ['invalid_email'] },
      403: staleResponse(),
      409: { description: 'The account already has this email.', errors: ['same_email'] },
      429: {
        description: 'Five changes today, or three that can still be undone.',
        errors: ['email_change_held'],
      },
    },
    run: async ({ body, principal, caller, admitAccount }) =>
      ok(await accounts.askEmailChange(principal, body, caller, admitAccount)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/auth/email/confirm',
    summary: 'Change the email by the code from the new one; other sessions end',
    access: 'bearer',
    bucket: 'verify',
    body: confirmBody,
    answers: {
      200: { description: 'The account has the new email.', schema: emailChangedResponse },
      401: WRONG_CODE,
      409: TAKEN,
      429: TOO_MANY_CODES,
    },
    run: async ({ body, principal, caller }) =>
      ok(await accounts.confirmEmailChange(principal, body, caller)),
  }),
  signedIn({
    method: 'DELETE',
    path: '/api/auth/email',
    summary: 'Cancel the requested change',
    access: 'bearer',
    bucket: 'default',
    answers: { 200: { description: 'No change is pending any more.', schema: successResponse } },
    run: async ({ principal }) => ok(await accounts.cancelEmailChange(principal)),
  }),
  route({
    method: 'POST',
    path: '/api/auth/email/undo',
    summary: 'Undo a change of email by the code that was mailed to the old one',
    access: 'open',
    bucket: 'verify',
    body: undoBody,
    answers: {
      200: { description: 'The account has the old email, and no session.', schema: undoneResponse },
      400: { description: 'The email breaks a rule.', errors: ['invalid_email'] },
      401: WRONG_CODE,
      409: TAKEN,
      429: TOO_MANY_CODES,
    },
    // Not counted by account: an attacker would use up the owner's allowance.
    run: async ({ body, caller }) => ok(await accounts.undoEmailChange(body, caller)),
  }),
];
