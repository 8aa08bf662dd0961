import { deleteAccountInput } from '../../core/accounts/profile/delete-account.ts';
import { profileAnswer, updateProfileInput } from '../../core/accounts/profile/profile.ts';
import { security } from '../../core/accounts/profile/security-overview.ts';
import { success } from '../../core/answer-schemas.ts';
import type { Accounts } from '../../core/index.ts';
import { ok } from '../http/response-body.ts';
import { type AnyRoute, signedIn } from '../http/route.ts';
import { proofResponses, staleResponse } from './proof-responses.ts';

/** The caller's own account: the profile and the deletion (spec section 4.1), and the list of its sign-in methods. */
export const profileRoutes = (accounts: Accounts): readonly AnyRoute[] => [
  signedIn({
    method: 'GET',
    path: '/api/auth/me',
    summary: 'The caller’s profile',
    access: 'bearer_restricted',
    answers: { 200: { description: 'The user.', schema: profileAnswer } },
    run: async ({ principal }) => ok(accounts.showProfile(principal)),
  }),
  signedIn({
    method: 'PATCH',
    path: '/api/auth/me',
    summary: 'Change the display name or the language of mails; absent members stay as they are',
    body: updateProfileInput,
    example: { body: { displayName: 'Ada Lovelace', language: 'en' } },
    answers: {
      200: { description: 'The user as changed.', schema: profileAnswer },
      400: { description: 'The name breaks a rule.', errors: ['invalid_display_name'] },
    },
    run: async ({ body, principal }) => ok(await accounts.updateProfile(principal, body)),
  }),
  signedIn({
    method: 'GET',
    path: '/api/auth/security',
    summary: 'The caller’s sign-in methods: password, second factor, passkeys and identities',
    answers: { 200: { description: 'The sign-in methods.', schema: security } },
    run: async ({ principal }) => ok(await accounts.showSecurity(principal)),
  }),
  signedIn({
    method: 'POST',
    path: '/api/auth/delete-account',
    summary: 'Delete the account and all that belongs to it, for good',
    access: 'bearer_restricted',
    bucket: 'password',
    session: 'ends',
    body: deleteAccountInput,
    example: { body: { password: 'correct horse battery' } },
    answers: {
      200: { description: 'The account is deleted.', schema: success },
      ...proofResponses,
      403: staleResponse(),
      409: {
        description: 'At least one founder must remain who can enter the operators’ console.',
        errors: ['last_founder'],
      },
    },
    run: async ({ body, principal, caller }) => ok(await accounts.deleteAccount(principal, body, caller)),
  }),
];
