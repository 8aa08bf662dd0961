import type { AnswerDoc } from '../../http/route.ts';

/** The 403 of a route that needs a fresh proof, with further codes of the same status. */
export const staleAnswer = (...errors: readonly string[]): Omit<AnswerDoc, 'schema'> => ({
  description: 'The last login or proof is too old: see `/api/auth/reauthenticate`.',
  errors: ['fresh_authentication_needed', ...errors],
  details: {
    maxAge: {
      type: 'integer',
      minimum: 1,
      description: 'With `fresh_authentication_needed`: seconds that a proof stays fresh',
      examples: [600],
    },
    methods: {
      type: 'array',
      description: 'With `fresh_authentication_needed`: what this account can prove by',
      items: { type: 'string', enum: ['password', 'oidc', 'passkey', 'totp', 'recovery'] },
    },
  },
  headers: { 'WWW-Authenticate': 'With `fresh_authentication_needed`, as RFC 9470 says' },
});
