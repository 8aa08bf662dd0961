import { expect } from 'chai';
import { MissingRegion } from '../../../adapters/calls/aws-client.ts';
import { type AwsKmsSettings, openAwsKms } from '../../../adapters/kms/aws.ts';
import type { RemoteKms } from '../../../adapters/kms/remote.ts';
import { UnusableKey } from '../../../core/errors.ts';
import { expectInvalidSealed, testKms } from '../../contracts/kms.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { useFakeTime } from '../../support/fake-time.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { AWS_TEST, openStrictAwsKms, type StrictAwsKms } from '../../support/servers/aws/strict-aws-kms.ts';
import { sameBytes } from '../../support/spellings.ts';
import { testKmsFaults } from './faults.ts';

const SECRET = new TextEncoder().encode('secret');
const ARN = `arn:aws:kms:${AWS_TEST.region}:111122223333:key/1234abcd-12ab-34cd-56ef-1234567890ab`;

describe('AWS KMS', () => {
  useFakeTime();
  let server: StrictAwsKms;
  let keyId: string;
  const services: RemoteKms[] = [];
  const open = async (more: Partial<Parameters<typeof openAwsKms>[0]> = {}) => {
    const kms = await openAwsKms({
      ...AWS_TEST,
      keyId,
      endpoint: server.url,
      log: makeRecordingLog(),
      ...more,
    });
    services.push(kms);
    return kms;
  };
  beforeEach(async () => {
    server = await openStrictAwsKms();
    keyId = server.addKey();
  });
  afterEach(async () => {
    for (const kms of services.splice(0)) kms.close();
    await server.close();
  });
  const codeOf = (call: Promise<unknown>): Promise<string> => call.then(String, (error) => error.code);

  testKms('aws', open);

  it('seals in a format that contains the key id as configured', async () => {
    for (const id of [keyId, ARN, 'alias/drop', 'mrk-1234abcd12ab34cd56ef1234567890ab']) {
      server.addKey(id);
      const kms = await open({ keyId: id });
      const sealed = await kms.seal(SECRET, 'c');
      expect(sealed).to.match(
        new RegExp(`^ak1\\.${Buffer.from(id).toString('base64url')}\\.[A-Za-z0-9_-]+$`),
      );
      expect([kms.keyOf(sealed), await kms.current()]).to.deep.equal([id, id]);
      expect(await kms.open(sealed, 'c')).to.deep.equal(SECRET);
    }
  });

  it('sends KMS a digest of the context instead of the context', async () => {
    const kms = await open();
    await kms.open(await kms.seal(SECRET, 'totp:the-user'), 'totp:the-user');
    const contexts = server.requests.map(({ body }) => JSON.parse(body).EncryptionContext);
    const digest = '4d9CaQ_vRnd6CzqZjaxFSu4A62KWR3PxloYM5D5s6R4';
    expect(contexts).to.deep.equal([{ context: digest }, { context: digest }]);
    for (const { body } of server.requests) expect(body).to.not.include('totp');
  });

  it('opens only one spelling of a sealed text', async () => {
    const kms = await open();
    const [form, key = '', body = ''] = (await kms.seal(SECRET, 'c')).split('.');
    const long = Buffer.alloc(6_145, 1).toString('base64url');
    const variants = [
      ...sameBytes(body).map((text) => [form, key, text]),
      ...sameBytes(key).map((text) => [form, text, body]),
      ['ak2', key, body],
      [form, key, body, ''],
      [form, '', body],
      [form, key, ''],
      [form, key, long],
      [form, Buffer.from('a key').toString('base64url'), body],
    ];
    for (const parts of variants) {
      await expectInvalidSealed(kms.open(parts.join('.'), 'c'));
      expect(kms.keyOf(parts.join('.'))).to.equal(undefined);
    }
    expect(server.requests).to.have.length(1);
  });

  it('opens a text of the previously configured key with that key', async () => {
    const sealed = await (await open()).seal(SECRET, 'c');
    const kms = await open({ keyId: server.addKey() });
    expect(await kms.open(sealed, 'c')).to.deep.equal(SECRET);
    expect(kms.keyOf(sealed)).to.equal(keyId);
    expect(kms.keyOf(await kms.seal(SECRET, 'c'))).to.equal(await kms.current());
  });

  it('refuses a text that names an unknown key or a key that did not seal it', async () => {
    const kms = await open();
    const [form, , body] = (await kms.seal(SECRET, 'c')).split('.');
    for (const otherKey of ['1234abcd-12ab-34cd-56ef-000000000000', server.addKey()]) {
      await expectInvalidSealed(
        kms.open([form, Buffer.from(otherKey).toString('base64url'), body].join('.'), 'c'),
      );
    }
    expect(kms.isUp()).to.equal(true);
  });

  for (const [trouble, change] of [
    ['is disabled', { state: 'Disabled' }],
    ['is pending deletion', { state: 'PendingDeletion' }],
    ['may not be used', { allowed: false }],
  ] as const) {
    it(`is unavailable at once if the key ${trouble}`, async () => {
      const kms = await open();
      const sealed = await kms.seal(SECRET, 'c');
      Object.assign(server.keys.get(keyId) ?? {}, change);
      expect(await codeOf(kms.seal(SECRET, 'c'))).to.equal('kms_unavailable');
      expect(await codeOf(kms.open(sealed, 'c'))).to.equal('kms_unavailable');
      expect(server.requests).to.have.length(3);
    });

    it(`stays up if a key that only the text names ${trouble}`, async () => {
      const sealed = await (await open()).seal(SECRET, 'c');
      const kms = await open({ keyId: server.addKey() });
      Object.assign(server.keys.get(keyId) ?? {}, change);
      for (let count = 0; count < 10; count += 1) {
        expect(await rejectionOf(() => kms.open(sealed, 'c'))).to.be.instanceOf(UnusableKey);
      }
      expect(kms.isUp()).to.equal(true);
    });
  }

  it('distinguishes a text of another key from a missing right, and stays up for both', async () => {
    const kms = await open();
    const sealed = await kms.seal(SECRET, 'c');
    for (const [message, code] of [
      ['The ciphertext refers to a customer master key that does not exist.', 'invalid_sealed'],
      ['User: arn:aws:iam::1:user/x is not authorized to perform: kms:Decrypt', 'kms_unavailable'],
    ] as const) {
      const body = JSON.stringify({ __type: 'AccessDeniedException', message });
      for (let count = 0; count < 6; count += 1) {
        server.faults.push((response) => response.writeHead(400).end(body));
        expect(await codeOf(kms.open(sealed, 'c'))).to.equal(code);
      }
    }
    expect(kms.isUp()).to.equal(true);
  });

  it('is unavailable if the configured key does not exist', async () => {
    const kms = await open();
    const sealed = await kms.seal(SECRET, 'c');
    server.keys.clear();
    expect(await codeOf(kms.open(sealed, 'c'))).to.equal('kms_unavailable');
  });

  for (const [label, credentials] of [
    ['secret', { ...AWS_TEST.credentials, secretAccessKey: 'other' }],
    ['id', { ...AWS_TEST.credentials, accessKeyId: 'AKIDOTHER' }],
  ] as const) {
    it(`is unavailable with the wrong access key ${label}`, async () => {
      const log = makeRecordingLog();
      const kms = await open({ credentials, log });
      expect(await codeOf(kms.seal(SECRET, 'c'))).to.equal('kms_unavailable');
      expect(log.lines).to.deep.equal([
        { level: 'warn', event: 'kms.failed', fields: { reason: 'rejected' } },
      ]);
      expect(server.requests).to.have.length(1);
    });
  }

  it('accepts temporary credentials', async () => {
    server.sessionToken = 'FwoGZXIvYXdzEXAMPLE';
    const credentials = { ...AWS_TEST.credentials, sessionToken: server.sessionToken };
    const kms = await open({ credentials });
    expect(await kms.open(await kms.seal(SECRET, 'c'), 'c')).to.deep.equal(SECRET);
    expect(await codeOf((await open()).seal(SECRET, 'c'))).to.equal('kms_unavailable');
  });

  it('uses the region of the key ARN', async () => {
    server.addKey(ARN);
    for (const region of [null, 'us-east-1']) {
      const kms = await open({ keyId: ARN, region });
      expect(await kms.open(await kms.seal(SECRET, 'c'), 'c')).to.deep.equal(SECRET);
    }
  });

  it('stops the start if no region is known', async () => {
    const { AWS_REGION, AWS_CONFIG_FILE } = process.env;
    delete process.env.AWS_REGION;
    process.env.AWS_CONFIG_FILE = '/no/such/file';
    try {
      const error = await open({ region: null }).catch((reason: unknown) => reason);
      expect(error).to.be.instanceOf(MissingRegion);
    } finally {
      delete process.env.AWS_CONFIG_FILE;
      Object.assign(process.env, AWS_REGION && { AWS_REGION }, AWS_CONFIG_FILE && { AWS_CONFIG_FILE });
    }
  });

  it('sends no request at the start, one to seal and one to open', async () => {
    const kms = await open();
    expect(await kms.current()).to.equal(keyId);
    expect(server.requests).to.have.length(0);
    await kms.open(await kms.seal(SECRET, 'c'), 'c');
    expect(server.requests.map(({ headers }) => headers['x-amz-target'])).to.deep.equal([
      'TrentService.Encrypt',
      'TrentService.Decrypt',
    ]);
  });

  it('refuses a plaintext without the expected frame', async () => {
    const kms = await open();
    const sealed = await kms.seal(SECRET, 'c');
    const answer = (plain: string) => JSON.stringify({ Plaintext: plain, KeyId: keyId });
    for (const plain of ['', 'Ag==', 'AgE=']) {
      server.faults.push((response) =>
        response.writeHead(200, { 'Content-Type': 'application/x-amz-json-1.1' }).end(answer(plain)),
      );
      await expectInvalidSealed(kms.open(sealed, 'c'));
    }
  });
});

testKmsFaults('aws', async () => {
  const server = await openStrictAwsKms();
  const settings: AwsKmsSettings = { ...AWS_TEST, keyId: server.addKey(), endpoint: server.url };
  return {
    server,
    open: async (log) => openAwsKms({ ...settings, log }),
    secrets: [AWS_TEST.credentials.secretAccessKey, AWS_TEST.credentials.accessKeyId],
  };
});
