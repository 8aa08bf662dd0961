import type { Accounts, AskEmailChange, ConfirmEmailChange, UndoEmailChange } from '../../core/index.ts';
import { ok } from '../http/answer.ts';
import { type AnyRoute, route } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import { emailChangedAnswer, registeredAnswer, successAnswer } from './answers/account.ts';
import { staleAnswer } from './answers/fresh.ts';
import { email, typedCode } from './fields.ts';
import { signedIn } from './signed-in.ts';

const SIX_DIGITS = 'The six digits from the mail; blanks and dashes do not matter';

const askBody = schemaOf<AskEmailChange>()({
  type: 'object',
  properties: { email: { ...email, description: 'The new email address' } },
  required: ['email'],
});

const confirmBody = schemaOf<ConfirmEmailChange>()({
  type: 'object',
  // A code of another kind is a wrong one: 401.
  properties: { code: { ...typedCode, description: SIX_DIGITS, examples: ['493021'] } },
  required: ['code'],
});

const undoBody = schemaOf<UndoEmailChange>()({
  type: 'object',
  properties: { email: { ...email, description: 'The email address before the change' }, code: typedCode },
  required: ['email', 'code'],
});

const WRONG_CODE = { description: 'The code is wrong, void or expired.', errors: ['invalid_code'] };
const TAKEN = { description: 'Another account has verified this email.', errors: ['email_taken'] };
const HELD = { description: 'Too many wrong codes.', errors: ['verification_held'] };

/** Change of the email, and the way back. */
export const emailRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'POST',
    path: '/api/auth/email',
    summary: 'Ask for another email: a code goes to it, a notice to the present one',
    access: 'bearer',
    bucket: 'resend',
    countsAccount: true,
    body: askBody,
    answers: {
      200: {
        description: 'A code is on its way, unless another account has verified this email.',
        schema: registeredAnswer,
      },
      400: { description: 'The email breaks a rule.', errors: ['invalid_email'] },
      403: staleAnswer(),
      409: { description: 'The account has this email already.', errors: ['same_email'] },
      429: {
        description: 'Five times today, or three changes can be taken back.',
        errors: ['email_change_held'],
      },
    },
    run: async ({ body, who, caller, admitAccount }) => {
      await admitAccount(accounts.allowanceKey(body.email));
      return ok(await accounts.askEmailChange(who, body, caller));
    },
  }),
  signedIn({
    method: 'POST',
    path: '/api/auth/email/confirm',
    summary: 'Change the email by the code from the new one; other sessions end',
    access: 'bearer',
    bucket: 'verify',
    body: confirmBody,
    answers: {
      200: { description: 'The account has the new email.', schema: emailChangedAnswer },
      401: WRONG_CODE,
      409: TAKEN,
      429: HELD,
    },
    run: async ({ body, who, caller }) => ok(await accounts.confirmEmailChange(who, body, caller)),
  }),
  signedIn({
    method: 'DELETE',
    path: '/api/auth/email',
    summary: 'Void the change that was asked for',
    access: 'bearer',
    bucket: 'default',
    answers: { 200: { description: 'Nothing waits for a code any more.', schema: successAnswer } },
    run: async ({ who }) => ok(await accounts.cancelEmailChange(who)),
  }),
  route({
    method: 'POST',
    path: '/api/auth/email/undo',
    summary: 'Take a change of email back by the code that was mailed to the old one',
    access: 'open',
    bucket: 'verify',
    body: undoBody,
    answers: {
      200: { description: 'The account has the old email, and no session.', schema: successAnswer },
      400: { description: 'The email breaks a rule.', errors: ['invalid_email'] },
      401: WRONG_CODE,
      409: TAKEN,
      429: HELD,
    },
    // Not counted by account: a taker would use up what the owner has.
    run: async ({ body, caller }) => ok(await accounts.undoEmailChange(body, caller)),
  }),
];
