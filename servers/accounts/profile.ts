import type { Accounts, DeleteAccount, UpdateProfile } from '../../core/index.ts';
import { ok } from '../http/answer.ts';
import type { AnyRoute } from '../http/route.ts';
import { schemaOf } from '../http/schema.ts';
import { profileAnswer, successAnswer } from './answers/account.ts';
import { staleAnswer } from './answers/fresh.ts';
import { proofAnswers } from './answers/proof.ts';
import { securityAnswer } from './answers/security.ts';
import { password, verificationCode } from './fields.ts';
import { signedIn } from './signed-in.ts';

const updateBody = schemaOf<UpdateProfile>()({
  type: 'object',
  properties: {
    displayName: {
      type: ['string', 'null'],
      maxLength: 1_000,
      description: 'At most 100 characters; null takes it away',
      examples: ['Ada Lovelace'],
    },
    language: {
      type: 'string',
      enum: ['en', 'pl'],
      description: 'Of mails to the user',
      examples: ['pl'],
    },
  },
});

const deleteBody = schemaOf<DeleteAccount>()({
  type: 'object',
  properties: { password, verificationCode },
});

/** The caller's own account: spec section 4.1, me and delete-account. */
export const profileRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'GET',
    path: '/api/auth/me',
    summary: 'The caller’s profile',
    access: 'bearer_restricted',
    bucket: 'default',
    answers: { 200: { description: 'The user.', schema: profileAnswer } },
    run: async ({ who }) => ok(accounts.showProfile(who)),
  }),
  signedIn({
    method: 'PATCH',
    path: '/api/auth/me',
    summary: 'Change the display name or the language of mails; what is absent stays',
    access: 'bearer',
    bucket: 'default',
    body: updateBody,
    example: { body: { displayName: 'Ada Lovelace', language: 'en' } },
    answers: {
      200: { description: 'The user as changed.', schema: profileAnswer },
      400: { description: 'The name breaks a rule.', errors: ['invalid_display_name'] },
    },
    run: async ({ body, who }) => ok(await accounts.updateProfile(who, body)),
  }),
  signedIn({
    method: 'GET',
    path: '/api/auth/security',
    summary: 'How the caller gets in: password, second factor, passkeys and identities',
    access: 'bearer',
    bucket: 'default',
    answers: { 200: { description: 'What there is.', schema: securityAnswer } },
    run: async ({ who }) => ok(await accounts.showSecurity(who)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/auth/delete-account',
    summary: 'Delete the account and all that belongs to it, for good',
    access: 'bearer_restricted',
    bucket: 'password',
    session: 'ends',
    body: deleteBody,
    example: { body: { password: 'correct horse battery' } },
    answers: {
      200: { description: 'The account is gone.', schema: successAnswer },
      ...proofAnswers,
      403: staleAnswer(),
    },
    run: async ({ body, who, caller }) => ok(await accounts.deleteAccount(who, body, caller)),
  }),
];
