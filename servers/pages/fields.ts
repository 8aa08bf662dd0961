import { schemaOf } from '../http/schema.ts';

export const fileParams = schemaOf<{ readonly file: string }>()({
  type: 'object',
  properties: { file: { type: 'string', maxLength: 64, description: 'As the page names it' } },
  required: ['file'],
});

export const pageQuery = schemaOf<{ readonly ui_locales?: string }>()({
  type: 'object',
  properties: { ui_locales: { type: 'string', maxLength: 100, description: 'Languages, the best first' } },
});
