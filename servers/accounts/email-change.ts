import { codeMailed } from '../../core/accounts/code-mail-limits.ts';
import { askEmailChangeInput } from '../../core/accounts/email-change/ask-email-change.ts';
import {
  confirmEmailChangeInput,
  confirmEmailChangeResult,
} from '../../core/accounts/email-change/confirm-email-change.ts';
import {
  undoEmailChangeInput,
  undoEmailChangeResult,
} from '../../core/accounts/email-change/undo-email-change.ts';
import { success } from '../../core/answer-schemas.ts';
import type { Accounts } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import { type AnyRoute, openRoute, signedIn } from '../http/route.ts';
import { staleResponse } from './proof-responses.ts';

const WRONG_CODE = { description: 'The code is wrong, void or expired.', errors: ['invalid_code'] } as const;
const TAKEN = {
  description:
    'Another account has verified this email, or the deletion of an account that had it can be undone.',
  errors: ['email_taken'],
} as const;
const TOO_MANY_CODES = { description: 'Too many wrong codes.', errors: ['verification_held'] } as const;

/** Change of the email, and its undo. */
export const emailRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'POST',
    path: '/api/auth/email',
    summary: 'Ask for another email: a code goes to it, a notice to the current one',
    bucket: 'resend',
    countsAccount: true,
    body: askEmailChangeInput,
    answers: {
      200: {
        description: 'A code is on its way, unless another account has verified this email.',
        schema: codeMailed,
      },
      400: { description: 'The email breaks a rule.', errors: ['invalid_email'] },
      403: staleResponse(),
      409: { description: 'The account already has this email.', errors: ['same_email'] },
      429: {
        description: 'Five requests today, or three changes that can still be undone.',
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
    bucket: 'verify',
    body: confirmEmailChangeInput,
    answers: {
      200: { description: 'The account has the new email.', schema: confirmEmailChangeResult },
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
    answers: { 200: { description: 'No change is pending any more.', schema: success } },
    run: async ({ principal }) => ok(await accounts.cancelEmailChange(principal)),
  }),
  openRoute({
    method: 'POST',
    path: '/api/auth/email/undo',
    summary: 'Undo a change of email by the code that was mailed to the old one',
    bucket: 'verify',
    body: undoEmailChangeInput,
    answers: {
      200: { description: 'The account has the old email, and no session.', schema: undoEmailChangeResult },
      400: { description: 'The email breaks a rule.', errors: ['invalid_email'] },
      401: WRONG_CODE,
      409: TAKEN,
      429: TOO_MANY_CODES,
    },
    // Not counted by account: an attacker would use up the owner's allowance.
    run: async ({ body, caller }) => ok(await accounts.undoEmailChange(body, caller)),
  }),
];
