import { object, optional, text } from '../../core/schema.ts';

export const fileParams = object({
  file: text({ maxLength: 64, description: 'The name of the file, as the page has it' }),
});

// `return_to`, `state` and `code_challenge` are an app's request. `checkAuthorizationQuery` has narrower rules for it, with an
// error code for each member, so the wide bounds here do not refuse it first.
export const pageQuery = object({
  ui_locales: optional(text({ maxLength: 100, description: 'Languages, the best first' })),
  return_to: optional(text({ maxLength: 4_096, description: 'One of `SIGN_IN_REDIRECTS`, as text' })),
  state: optional(
    text({ maxLength: 4_096, description: 'A value of the app, which comes back with the code' }),
  ),
  code_challenge: optional(text({ maxLength: 512, description: 'SHA-256 of the app’s verifier' })),
});

/** The refusal of `checkAuthorizationQuery`. */
export const MALFORMED_REQUEST = {
  description: 'The app’s authorization request is malformed.',
  errors: ['invalid_return_to', 'invalid_state', 'invalid_challenge'],
} as const;
