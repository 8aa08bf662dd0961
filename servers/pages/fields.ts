import { schemaOf } from '../http/schema.ts';
import type { AuthorizationQuery } from './way-back.ts';

export const fileParams = schemaOf<{ readonly file: string }>()({
  type: 'object',
  properties: { file: { type: 'string', maxLength: 64, description: 'As the page names it' } },
  required: ['file'],
});

// These bounds only refuse what no rule could accept: `checkAuthorizationQuery` has the rules.
export const pageQuery = schemaOf<{ readonly ui_locales?: string } & AuthorizationQuery>()({
  type: 'object',
  properties: {
    ui_locales: { type: 'string', maxLength: 100, description: 'Languages, the best first' },
    return_to: { type: 'string', maxLength: 4_096, description: 'One of `SIGN_IN_REDIRECTS`, as text' },
    state: { type: 'string', maxLength: 4_096, description: 'The app’s own; it comes back with the code' },
    code_challenge: { type: 'string', maxLength: 512, description: 'SHA-256 of the app’s verifier' },
  },
});
