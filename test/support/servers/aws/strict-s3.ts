import { createHash } from 'node:crypto';
import { type Answer, openStrictServer, type ReceivedRequest, type StrictServer } from '../strict-server.ts';
import { wrongSignature } from './aws-signature.ts';
import { AWS_TEST } from './strict-aws-kms.ts';

interface Stored {
  readonly bytes: Buffer;
  readonly mark: string;
  storedAt: number;
}

export interface StrictS3 extends StrictServer {
  /** The objects in the bucket, by key. */
  readonly stored: Map<string, Stored>;
  /** The number of keys of a page. */
  pageSize: number;
  /** Whether a write replaces an existing object, as in services without conditional writes. */
  overwrites: boolean;
}

const BUCKET = 'test-avatars';

const refuse = (status: number, code: string): Answer => ({
  status,
  headers: { 'Content-Type': 'application/xml' },
  body: `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>Refused.</Message></Error>`,
});

const etagOf = (bytes: Uint8Array) => `"${createHash('md5').update(bytes).digest('hex')}"`;

/** Rounds down to whole seconds, as S3 does. */
const timeOf = (at: number) => new Date(Math.floor(at / 1_000) * 1_000);

/**
 * The five calls of S3 that the product sends, according to its API reference, for one bucket addressed by path. Each
 * request's signature is checked, and every write must be a conditional one.
 */
export const openStrictS3 = async (): Promise<StrictS3> => {
  const stored = new Map<string, Stored>();

  const put = (key: string, { headers, bytes }: ReceivedRequest): Answer => {
    if (headers['if-none-match'] !== '*') return refuse(400, 'InvalidRequest');
    if (stored.has(key) && !s3.overwrites) return refuse(412, 'PreconditionFailed');
    stored.set(key, { bytes, mark: String(headers['x-amz-meta-write']), storedAt: Date.now() });
    return { status: 200, headers: { ETag: etagOf(bytes) } };
  };

  const give = (key: string): Answer => {
    const object = stored.get(key);
    if (object === undefined) return refuse(404, 'NoSuchKey');
    const { bytes, mark, storedAt } = object;
    return {
      status: 200,
      headers: {
        ETag: etagOf(bytes),
        'Content-Length': String(bytes.length),
        'Last-Modified': timeOf(storedAt).toUTCString(),
        'x-amz-meta-write': mark,
      },
      body: bytes,
    };
  };

  const list = (query: URLSearchParams): Answer => {
    const prefix = query.get('prefix') ?? '';
    const after = query.get('continuation-token') ?? '';
    const keys = [...stored.keys()].sort().filter((key) => key.startsWith(prefix) && key > after);
    const page = keys.slice(0, s3.pageSize);
    const isTruncated = page.length < keys.length;
    const contents = page.map((key) => {
      const at = timeOf(stored.get(key)?.storedAt ?? 0).toISOString();
      return `<Contents><Key>${key}</Key><LastModified>${at}</LastModified></Contents>`;
    });
    const next = isTruncated ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : '';
    const body = `<ListBucketResult><IsTruncated>${isTruncated}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`;
    return { status: 200, headers: { 'Content-Type': 'application/xml' }, body };
  };

  const answerTo = (request: ReceivedRequest): Answer => {
    const { accessKeyId: id, secretAccessKey: secret } = AWS_TEST.credentials;
    const expected = {
      id,
      secret,
      region: AWS_TEST.region,
      service: 's3',
      headers: ['x-amz-content-sha256'],
    };
    const wrong = wrongSignature(request, expected);
    if (wrong === 'UnrecognizedClientException') return refuse(403, 'InvalidAccessKeyId');
    if (wrong !== undefined) return refuse(403, 'SignatureDoesNotMatch');
    const { pathname, searchParams } = new URL(request.path, 'http://s3');
    const [, bucket, ...parts] = pathname.split('/');
    const key = parts.join('/');
    if (bucket !== BUCKET) return refuse(404, 'NoSuchBucket');
    if (key === '' && request.method === 'GET' && searchParams.get('list-type') === '2')
      return list(searchParams);
    switch (key === '' ? '' : request.method) {
      case 'PUT':
        return put(key, request);
      case 'GET':
      case 'HEAD':
        return give(key);
      case 'DELETE':
        stored.delete(key);
        return { status: 204 };
      default:
        return refuse(405, 'MethodNotAllowed');
    }
  };

  const s3: StrictS3 = Object.assign(await openStrictServer(answerTo), {
    stored,
    pageSize: 1_000,
    overwrites: false,
  });
  return s3;
};

/** The options of the adapter for this bucket. */
export const bucketAt = ({ url }: Pick<StrictS3, 'url'>) => ({
  ...AWS_TEST,
  endpoint: url,
  bucket: BUCKET,
  prefix: 'pictures',
});

/** The environment variables for this bucket. */
export const s3Settings = ({ url }: Pick<StrictS3, 'url'>): Readonly<Record<string, string>> => ({
  OBJECTS_URL: `s3://${BUCKET}/pictures`,
  S3_ENDPOINT: url,
  S3_REGION: AWS_TEST.region,
  AWS_ACCESS_KEY_ID: AWS_TEST.credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: AWS_TEST.credentials.secretAccessKey,
});
