import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { malformed, unsupportedType } from '../http-error.ts';
import { withoutSpace } from '../optional-whitespace.ts';
import { readRaw } from './read-body.ts';

/** The most bytes of a JSON body, unless its route sets another limit. */
export const MOST_JSON_BODY_BYTES = 65_536;
const MOST_LEVELS = 32;
const MOST_MEMBERS = 1_000;
/** The values of the parameter `charset`, in lower case, that are accepted. */
const UTF_8_NAMES = new Set(['utf-8', 'utf8', '"utf-8"', '"utf8"']);

const isJson = (header = ''): boolean => {
  const [type, ...parameters] = header.toLowerCase().split(';');
  if (withoutSpace(type ?? '') !== 'application/json') return false;
  return parameters.every((parameter) => {
    const [name, value = ''] = parameter.split('=');
    return withoutSpace(name ?? '') !== 'charset' || UTF_8_NAMES.has(withoutSpace(value));
  });
};

const notText = () => malformed('invalid_encoding', 'The body must be UTF-8 text without lone surrogates.');

const parse = (raw: Buffer): unknown => {
  if (!isUtf8(raw)) throw notText();
  const text = raw.toString();
  try {
    // RFC 8259 section 8.1 lets a parser ignore a byte order mark.
    return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
  } catch {
    throw malformed('invalid_json', 'The body is not valid JSON.');
  }
};

/** Returns the document, if its depth, number of members and texts are valid. Deletes every `__proto__` in it. */
const checkDocument = (document: unknown): unknown => {
  let members = 0;
  const visitText = (text: string) => {
    if (!text.isWellFormed()) throw notText();
  };
  const visitObject = (object: Record<string, unknown>, depth: number) => {
    // If this member were copied into another object, it would set that object's prototype.
    if (Object.hasOwn(object, '__proto__')) Reflect.deleteProperty(object, '__proto__');
    for (const [name, value] of Object.entries(object)) {
      members += 1;
      if (members > MOST_MEMBERS)
        throw malformed('too_many_members', `The body may have at most ${MOST_MEMBERS} members.`);
      visitText(name);
      visit(value, depth);
    }
  };
  const visit = (value: unknown, depth: number): void => {
    if (typeof value === 'string') visitText(value);
    if (typeof value !== 'object' || value === null) return;
    if (depth === MOST_LEVELS)
      throw malformed('too_deep', `The body may have at most ${MOST_LEVELS} levels of nesting.`);
    if (Array.isArray(value)) for (const item of value) visit(item, depth + 1);
    else visitObject(value as Record<string, unknown>, depth + 1);
  };
  visit(document, 0);
  return document;
};

/**
 * Reads a JSON body: at most `longest` bytes, 32 levels, 1,000 members, UTF-8. Throws 400, 413, 415, and 500 if a parser of the
 * embedding app has read the body and stored nothing of it.
 */
export const readJson = async (req: IncomingMessage, longest = MOST_JSON_BODY_BYTES): Promise<unknown> => {
  if (!isJson(req.headers['content-type'])) throw unsupportedType('application/json');
  return checkDocument(parse(await readRaw(req, longest, { asJson: true })));
};
