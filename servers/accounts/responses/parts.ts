import type { ObjectSchema, StringSchema } from '../../http/schema.ts';

// Parts of several answers. The examples tell one story: Ada buys a plan and sets a domain.

export const userId = {
  type: 'string',
  format: 'uuid',
  examples: ['0199a0b1-5c3e-7d42-9f10-6b2c8e4a7d31'],
} as const satisfies StringSchema;

export const email = {
  type: 'string',
  format: 'email',
  description: 'In canonical form',
  examples: ['ada@example.com'],
} as const satisfies StringSchema;

export const displayName = { type: ['string', 'null'], examples: ['Ada Lovelace'] } as const;

export const avatar = {
  type: ['string', 'null'],
  description: 'The path of an uploaded one, or the address of an external one',
  examples: ['0199a0b1-5c3e-7d42-9f10-6b2c8e4a7d31/avatar_1795284000000.png'],
} as const;

export const time = {
  type: 'string',
  format: 'date-time',
  description: 'ISO 8601 in UTC',
  examples: ['2026-11-21T18:00:00.000Z'],
} as const satisfies StringSchema;

export const message = (example: string) =>
  ({ type: 'string', description: 'For people; may be worded otherwise', examples: [example] }) as const;

/** Always `true`. */
export const isTrue = { type: 'boolean', const: true } as const;

export const service = { type: 'string', examples: ['DROP'] } as const satisfies StringSchema;

export const tier = {
  type: 'string',
  description: 'One of the setting `TIERS`',
  examples: ['pro'],
} as const satisfies StringSchema;

export const flag = (description: string, example = false) =>
  ({ type: 'boolean', description, examples: [example] }) as const;

export const isPremium = flag('Whether the access is a paid one', true);
export const connected = flag('Whether the user is connected to the service', true);

export const count = { type: 'integer', minimum: 0, examples: [2] } as const;

export const success = {
  type: 'object',
  title: 'Success',
  properties: { success: isTrue },
  required: ['success'],
} as const satisfies ObjectSchema;

export const limit = (description: string) =>
  ({
    type: ['number', 'null'],
    description: `${description}; null: the tier’s own`,
    examples: [null],
  }) as const;
