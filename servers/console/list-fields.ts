import type { StringSchema } from '../http/schema.ts';

// Shared fields of the console's lists.

export const cursor = {
  type: 'string',
  maxLength: 1_500,
  description: 'From the answer before',
} as const satisfies StringSchema;

export const limit = {
  type: 'integer',
  minimum: 1,
  description: 'The most entries of one answer: 50 when absent; more than 200 counts as 200',
} as const;

/** Of an answer. */
export const nextCursor = {
  type: 'string',
  description: 'There while more may follow: for the next page',
  examples: ['MTc5NTI4NDAwMDAwMA.c2VjcmV0'],
} as const satisfies StringSchema;

export const searchedTo = (searchedUntil: string) =>
  ({
    type: 'string',
    description: `There when the search gave up after 5,000 of them: ${searchedUntil}. The cursor goes on behind it`,
    examples: ['2026-11-21T18:00:00.000Z'],
  }) as const satisfies StringSchema;
