import { gzipSync } from 'node:zlib';
import { CANARY } from './wrong-values.ts';

const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;
const members = (count: number) =>
  JSON.stringify(
    Object.fromEntries(
      Array(count)
        .fill(0)
        .map((_, n) => [n, n]),
    ),
  );

/** An invalid body, and headers that replace the usual headers. */
export interface BadRequest {
  readonly body?: string | Buffer;
  readonly headers?: object;
}

/** Bodies that are refused before any field is checked, with the expected status and code. */
export const BAD_BODIES: Readonly<
  Record<string, BadRequest & { readonly answer: readonly [number, string] }>
> = {
  'text that is not JSON': { body: `{"password":"${CANARY}`, answer: [400, 'invalid_json'] },
  'JavaScript that is not JSON': { body: `{password:'${CANARY}'}`, answer: [400, 'invalid_json'] },
  'two documents': { body: '{}{}', answer: [400, 'invalid_json'] },
  'a list': { body: `["${CANARY}"]`, answer: [400, 'invalid_request'] },
  'a text': { body: `"${CANARY}"`, answer: [400, 'invalid_request'] },
  null: { body: 'null', answer: [400, 'invalid_request'] },
  '40 levels': { body: nested(40), answer: [400, 'too_deep'] },
  '50,000 levels in brackets': { body: '['.repeat(50_000), answer: [400, 'invalid_json'] },
  '1,001 members': { body: members(1_001), answer: [400, 'too_many_members'] },
  'bytes that are not UTF-8': {
    body: Buffer.from('{"email":"\xff\xfe"}', 'latin1'),
    answer: [400, 'invalid_encoding'],
  },
  'a lone surrogate': { body: '{"email":"\\ud800"}', answer: [400, 'invalid_encoding'] },
  'a gzip bomb': {
    body: gzipSync(Buffer.alloc(20 * 1024 * 1024, ' ')),
    headers: { 'Content-Encoding': 'gzip' },
    answer: [413, 'too_large'],
  },
  'broken gzip': {
    body: Buffer.from('not gzip'),
    headers: { 'Content-Encoding': 'gzip' },
    answer: [400, 'invalid_encoding'],
  },
  'an unknown coding': {
    body: '{}',
    headers: { 'Content-Encoding': 'br' },
    answer: [415, 'unsupported_encoding'],
  },
  'a form': {
    body: `email=${CANARY}`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    answer: [415, 'unsupported_media_type'],
  },
  'another charset': {
    body: '{}',
    headers: { 'Content-Type': 'application/json; charset=utf-16' },
    answer: [415, 'unsupported_media_type'],
  },
};
