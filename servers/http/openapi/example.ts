import type { Schema } from '../schema.ts';

/** Builds an example value from the examples in the schema. For a request it has only the required members. */
export const exampleOf = (schema: Schema, included: 'all' | 'required' = 'all'): unknown => {
  if (schema.examples !== undefined) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if ('enum' in schema) return schema.enum?.[0];
  if ('oneOf' in schema && schema.oneOf !== undefined)
    return schema.oneOf[0] && exampleOf(schema.oneOf[0], included);
  if (schema.type === 'array') return [exampleOf(schema.items, included)];
  if (schema.type !== 'object') return null;
  const members = Object.entries(schema.properties ?? {}).filter(
    ([name]) => included === 'all' || schema.required?.includes(name),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, exampleOf(member, included)]));
};
