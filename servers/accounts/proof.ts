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
  429: { description: 'Too many wrong attempts.', errors: ['login_held', 'two_factor_held'] },
} as const;
