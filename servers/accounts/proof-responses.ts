import { SECOND_FACTORS, SIGN_IN_METHODS } from '../../core/accounts/sign-in-methods.ts';
import { count, list, oneOf } from '../../core/schema.ts';
import type { AnswerCode } from '../http/http-error.ts';
import type { AnswerDoc } from '../http/route.ts';

/** The refusals of a route that takes a password, and a code if the user has a second factor. */
export const proofResponses = {
  400: {
    description: 'Password or code is missing, or breaks a rule.',
    errors: ['password_required', 'code_required', 'password_too_long', 'password_not_allowed'],
  },
  401: {
    description: 'Password or code is wrong.',
    errors: ['wrong_credentials', 'invalid_two_factor_code'],
  },
  429: {
    description: 'Too many wrong passwords, or too many wrong second factors.',
    errors: ['login_held', 'two_factor_held'],
  },
} as const;

/** The 403 of a route that needs a fresh proof, with further codes of the same status. */
export const staleResponse = (...errors: readonly AnswerCode[]): Omit<AnswerDoc, 'schema'> => ({
  description: 'The last sign-in or proof is too old: see `/api/auth/reauthenticate`.',
  errors: ['fresh_authentication_needed', ...errors],
  details: {
    maxAge: count({
      description: 'With `fresh_authentication_needed`: seconds that a proof stays fresh',
      examples: [600],
    }),
    methods: list(oneOf([...new Set([...SIGN_IN_METHODS, ...SECOND_FACTORS])]), {
      description: 'With `fresh_authentication_needed`: the methods of proof of this account',
    }),
  },
  headers: { 'WWW-Authenticate': 'With `fresh_authentication_needed`, as RFC 9470 says' },
});
