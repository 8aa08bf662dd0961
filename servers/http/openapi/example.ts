import type { JsonSchema } from '../../../core/schema.ts';

/** Builds an example value from the examples in the schema. For a request it has only the required members. */
export const exampleOf = (schema: JsonSchema, included: 'all' | 'required' = 'all'): unknown => {
  if (schema.examples !== undefined) return schema.examples[0];
  if (schema.const !== undefined) return schema.const;
  if (schema.enum !== undefined) return schema.enum[0];
  if (schema.oneOf?.[0] !== undefined) return exampleOf(schema.oneOf[0], included);
  if (schema.items !== undefined) return [exampleOf(schema.items, included)];
  if (schema.type !== 'object') return null;
  const members = Object.entries(schema.properties ?? {}).filter(
    ([name]) => included === 'all' || schema.required?.includes(name),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, exampleOf(member, included)]));
};
