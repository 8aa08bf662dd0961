import { constant, object, type TypeOf, text } from './schema.ts';

// What inputs and answers of several features share. The examples tell one story: Ada buys a plan and sets a domain.

export const TRUE = constant(true);

export const TIME = text({
  format: 'date-time',
  description: 'ISO 8601 in UTC',
  examples: ['2026-11-21T18:00:00.000Z'],
});

export const USER_ID = text({ format: 'uuid', examples: ['0199a0b1-5c3e-7d42-9f10-6b2c8e4a7d31'] });

export const message = (example: string) =>
  text({ description: 'For people; the wording may change', examples: [example] });

/** A token that a client received in an answer and sends back unchanged. */
export const token = (description: string) =>
  text({ minLength: 1, maxLength: 4_096, examples: ['c2VjcmV0'], description });

/** An answer that only says that the call succeeded. */
export const success = object({ success: TRUE }, { title: 'Success' });
export type Success = TypeOf<typeof success>;

export const onlyMessage = object({ message: message('Done.') });
export type OnlyMessage = TypeOf<typeof onlyMessage>;
