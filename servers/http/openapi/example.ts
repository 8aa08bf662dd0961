import type { Schema } from '../schema.ts';

/**
 * A value that the schema describes, put together from the examples of its parts. Where it is for a request, of an
 * object's members only those that are required.
 */
export const exampleOf = (schema: Schema, part: 'all' | 'required' = 'all'): unknown => {
  if (schema.examples !== undefined) return schema.examples[0];
  if ('const' in schema) return schema.const;
  if ('enum' in schema) return schema.enum?.[0];
  if ('oneOf' in schema && schema.oneOf !== undefined)
    return schema.oneOf[0] && exampleOf(schema.oneOf[0], part);
  if (schema.type === 'array') return [exampleOf(schema.items, part)];
  if (schema.type !== 'object') return null;
  const members = Object.entries(schema.properties ?? {}).filter(
    ([name]) => part === 'all' || schema.required?.includes(name),
  );
  return Object.fromEntries(members.map(([name, member]) => [name, exampleOf(member, part)]));
};
