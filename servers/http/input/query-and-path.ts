import { invalid } from '../../../core/index.ts';
import type { JsonSchema } from '../../../core/schema.ts';

const INTEGER = /^-?\d{1,16}$/;

const decode = (text: string): string => {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    throw invalid('invalid_request', 'The query must be percent-encoded UTF-8.');
  }
};

/** Parses a query string. Throws `invalid_request` if a parameter is repeated or is not percent-encoded UTF-8. */
export const readQuery = (text: string): Readonly<Record<string, string>> => {
  const values = new Map<string, string>();
  for (const part of text.split('&')) {
    if (part === '') continue;
    const equals = part.indexOf('=');
    const name = decode(equals < 0 ? part : part.slice(0, equals));
    if (values.has(name)) throw invalid('invalid_request', 'A query parameter occurs more than once.');
    values.set(name, equals < 0 ? '' : decode(part.slice(equals + 1)));
  }
  return Object.fromEntries(values);
};

const coerceText = (text: string, type: unknown): unknown => {
  if ((type === 'integer' || type === 'number') && INTEGER.test(text)) {
    const number = Number(text);
    // Beyond 2^53 the number may differ from the text.
    return Number.isSafeInteger(number) ? number : text;
  }
  if (type === 'boolean' && (text === 'true' || text === 'false')) return text === 'true';
  return text;
};

/**
 * Converts query and path values to the types of their schema. Numbers must be integers: no parameter is a fraction. A value that
 * cannot be converted stays text, which the schema then refuses.
 */
export const coerce = (
  schema: JsonSchema,
  values: Readonly<Record<string, string>>,
): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(values).map(([name, text]) => [name, coerceText(text, schema.properties?.[name]?.type)]),
  );
