import { createHash, createHmac } from 'node:crypto';
import type { ReceivedRequest } from '../strict-server.ts';

const sha256 = (text: string | Uint8Array) => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();

const AUTHORIZATION =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, SignedHeaders=([a-z0-9;-]+), Signature=([0-9a-f]{64})$/;
const SKEW = 300_000;

/** `20261121T153000Z` in epoch milliseconds. */
const timeOf = (stamp: string) =>
  Date.parse(stamp.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'));

/**
 * Checks a request's signature by the algorithm of "Signature Version 4 for API requests" in the AWS IAM user guide.
 * Returns the error's name, or undefined for a valid signature.
 */
export const wrongSignature = (
  request: ReceivedRequest,
  expected: {
    readonly id: string;
    readonly secret: string;
    readonly token?: string;
    readonly region: string;
    readonly service?: string;
    /** Headers that must be signed beside the host and the time. */
    readonly headers?: readonly string[];
  },
): string | undefined => {
  const { headers } = request;
  const match = AUTHORIZATION.exec(headers.authorization ?? '');
  if (match === null) return 'IncompleteSignature';
  const { service: expectedService = 'kms', headers: extraHeaders = ['x-amz-target'] } = expected;
  const [, id, day = '', region, service, names = '', signature] = match;
  if (id !== expected.id) return 'UnrecognizedClientException';
  if (region !== expected.region || service !== expectedService) return 'InvalidSignatureException';
  if (headers['x-amz-security-token'] !== expected.token) return 'UnrecognizedClientException';

  const stamp = String(headers['x-amz-date']);
  if (!stamp.startsWith(day) || !(Math.abs(timeOf(stamp) - Date.now()) < SKEW))
    return 'InvalidSignatureException';
  const signed = names.split(';');
  const needed = ['host', 'x-amz-date', ...extraHeaders];
  if (expected.token !== undefined) needed.push('x-amz-security-token');
  const isSorted = [...signed].sort().join(';') === names;
  if (!isSorted || needed.some((name) => !signed.includes(name))) return 'InvalidSignatureException';

  const lines = signed.map((name) => `${name}:${String(headers[name]).trim().replace(/ +/g, ' ')}\n`);
  const [path = '', query = ''] = request.path.split('?');
  const parameters = query.split('&').sort().join('&');
  const content = sha256(request.bytes);
  const canonical = [request.method, path, parameters, lines.join(''), names, content].join('\n');
  const scope = `${day}/${region}/${service}/aws4_request`;
  const toSign = ['AWS4-HMAC-SHA256', stamp, scope, sha256(canonical)].join('\n');
  const key = [day, region, service, 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${expected.secret}`);
  return hmac(key, toSign).toString('hex') === signature ? undefined : 'InvalidSignatureException';
};
