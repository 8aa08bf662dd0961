import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3';
import { expect } from 'chai';
import type { AwsAccess } from '../../../adapters/calls/aws-client.ts';
import { openS3Objects, type S3Objects } from '../../../adapters/s3/object-store.ts';
import { objectStoreContract } from '../../contracts/object-store.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { startMoto } from '../../support/servers/aws/moto.ts';
import { root } from '../../support/tree/root.ts';

const ACCESS = {
  region: 'us-east-1',
  credentials: { accessKeyId: 'test', secretAccessKey: 'test', sessionToken: null },
};

describe('S3 on moto (an independent implementation of its wire format)', () => {
  let moto: Awaited<ReturnType<typeof startMoto>>;
  let count = 0;

  const open = async (bucket: string, more: Partial<AwsAccess> = {}) =>
    openS3Objects({
      ...ACCESS,
      endpoint: moto.url,
      bucket,
      prefix: 'pictures',
      log: makeRecordingLog(),
      ...more,
    });
  /** moto accepts `after` more calls before it enforces rights. */
  const enforceRights = (after: number) =>
    fetch(`${moto.url}/moto-api/reset-auth`, { method: 'POST', body: String(after) });
  const iam = async (Action: string, parameters: Readonly<Record<string, string>>): Promise<string> => {
    const scope = 'Credential=test/20260101/us-east-1/iam/aws4_request';
    const answer = await fetch(moto.url, {
      method: 'POST',
      headers: { Authorization: `AWS4-HMAC-SHA256 ${scope}, SignedHeaders=host, Signature=0` },
      body: new URLSearchParams({ Action, Version: '2010-05-08', ...parameters }),
    });
    return answer.text();
  };
  /** Creates a user with only these rights, and returns the credentials. */
  const makeUser = async (PolicyDocument: string) => {
    count += 1;
    const UserName = `user-${process.pid}-${count}`;
    await iam('CreateUser', { UserName });
    await iam('PutUserPolicy', { UserName, PolicyName: 'rights', PolicyDocument });
    const accessKey = await iam('CreateAccessKey', { UserName });
    const member = (name: string) => new RegExp(`<${name}>(.*?)</${name}>`).exec(accessKey)?.[1] ?? '';
    return {
      accessKeyId: member('AccessKeyId'),
      secretAccessKey: member('SecretAccessKey'),
      sessionToken: null,
    };
  };
  const makeBucket = async () => {
    const { accessKeyId, secretAccessKey } = ACCESS.credentials;
    const client = new S3Client({
      region: ACCESS.region,
      endpoint: moto.url,
      forcePathStyle: true,
      credentials: { accessKeyId, secretAccessKey },
    });
    count += 1;
    const bucket = `avatars-${process.pid}-${count}`;
    await client.send(new CreateBucketCommand({ Bucket: bucket }));
    client.destroy();
    return bucket;
  };

  before(async () => {
    moto = await startMoto();
  });
  after(() => moto?.close());

  objectStoreContract('A bucket on moto', async () => {
    const store = await open(await makeBucket());
    return { store, close: async () => store.close() };
  });

  /** Makes every call of the product, and returns the names of the refused ones. */
  const refusedCalls = async (store: S3Objects): Promise<readonly string[]> => {
    const path = 'user/name.png';
    const list = async () => {
      for await (const _ of store.list());
    };
    const calls: Readonly<Record<string, () => Promise<unknown>>> = {
      tryOut: () => store.tryOut(),
      put: () => store.put(path, Buffer.from('x')),
      find: () => store.find(path),
      list,
      remove: () => store.remove(path),
      removeAll: () => store.removeAll('user'),
    };
    const refused: string[] = [];
    for (const [name, call] of Object.entries(calls)) await call().catch(() => refused.push(name));
    return refused;
  };

  it('works with the rights in docs/settings.md, and not with fewer', async () => {
    const [, text = ''] =
      /```json\n(\{\n {2}"Version".*?)```/s.exec(readFileSync(join(root, 'docs/settings.md'), 'utf8')) ?? [];
    const bucket = await makeBucket();
    const policy = text
      .replaceAll('example-avatars/gatehouse', `${bucket}/pictures`)
      .replaceAll('example-avatars', bucket);
    const actions = [...policy.matchAll(/s3:\w+/g)].map(([action]) => action);
    const keys = new Map<string, Awaited<ReturnType<typeof makeUser>>>();
    for (const without of ['', ...actions])
      keys.set(without, await makeUser(policy.replace(`"${without}"`, '"s3:GetBucketTagging"')));
    const refused: Record<string, readonly string[]> = {};
    await enforceRights(0);
    try {
      for (const [without, credentials] of keys) {
        const store = await open(bucket, { credentials });
        refused[without] = await refusedCalls(store);
        store.close();
      }
    } finally {
      await enforceRights(1_000_000_000);
    }
    expect(refused).to.deep.equal({
      '': [],
      's3:GetObject': ['find'],
      's3:PutObject': ['tryOut', 'put'],
      's3:DeleteObject': ['remove', 'removeAll'],
      's3:ListBucket': ['list', 'removeAll'],
    });
  });

  it('rejects with no_bucket for a missing bucket', async () => {
    const store = await open('no-such-bucket');
    expect(await rejectionOf(() => store.tryOut())).to.include({ reason: 'no_bucket' });
    store.close();
  });
});
