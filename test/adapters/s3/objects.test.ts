import { expect } from 'chai';
import { FailedAttempt } from '../../../adapters/calls/failed-attempt.ts';
import { openS3Objects } from '../../../adapters/s3/object-store.ts';
import { objectStoreContract } from '../../contracts/object-store.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { AWS_TEST } from '../../support/servers/aws/strict-aws-kms.ts';
import { bucketAt, openStrictS3, type StrictS3 } from '../../support/servers/aws/strict-s3.ts';
import type { Fault } from '../../support/servers/strict-server.ts';
import { useBucket } from './use-bucket.ts';

/** Milliseconds, far longer than any call on a busy machine. */
const LONG_MS = { attempt: 60_000, call: 120_000 };

objectStoreContract('A bucket', async () => {
  const s3 = await openStrictS3();
  s3.pageSize = 7;
  const store = await openS3Objects({ ...bucketAt(s3), deadlines: LONG_MS, log: makeRecordingLog() });
  return {
    store,
    close: async () => {
      store.close();
      await s3.close();
    },
  };
});

describe('A bucket', () => {
  const content = Buffer.from('content of a picture');
  const { bucket, log, open, openTried, expectUnavailable } = useBucket();
  let s3: StrictS3;
  beforeEach(() => {
    s3 = bucket();
  });
  const keys = () => [...s3.stored.keys()].sort();
  const reasons = () => log.lines.map(({ event, fields }) => [event, fields.reason]);
  /** Executes the request and loses the answer. */
  const loseAnswer: Fault = (response, work) => {
    work();
    response.destroy();
  };

  it('is checked before the first write, and not at the start', async () => {
    const store = await open();
    expect(s3.requests).to.have.length(0);
    await store.find('user/name.png');
    expect(s3.requests).to.have.length(1);
    await store.put('user/name.png', content);
    await store.put('user/other.png', content);
    expect(s3.requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`).slice(1)).to.deep.equal([
      'PUT /test-avatars/pictures/conditional-write',
      'PUT /test-avatars/pictures/conditional-write',
      'PUT /test-avatars/pictures/user/name.png',
      'PUT /test-avatars/pictures/user/other.png',
    ]);
    await (await open()).put('user/third.png', content);
    expect(s3.requests).to.have.length(7);
  });

  it('is checked once before concurrent first writes', async () => {
    const store = await open();
    const paths = Array.from({ length: 20 }, (_, place) => `user/name${place}.png`);
    await Promise.all(paths.map((path) => store.put(path, content)));
    expect(s3.requests.filter(({ path }) => path.includes('conditional-write'))).to.have.length(2);
    expect(s3.requests).to.have.length(22);
  });

  it('has keys below its prefix, or at the top level without a prefix', async () => {
    await (await open()).put('user/name.png', content);
    const wholeBucket = await open({ prefix: '' });
    await wholeBucket.put('user/name.png', content);
    expect(keys()).to.deep.equal([
      'conditional-write',
      'pictures/conditional-write',
      'pictures/user/name.png',
      'user/name.png',
    ]);
    await wholeBucket.removeAll('user');
    expect(keys()).to.include('pictures/user/name.png').and.not.include('user/name.png');
  });

  it('does not list foreign objects', async () => {
    const store = await open();
    await store.put('user/name.png', content);
    for (const key of [
      'pictures/README',
      'pictures/user/deeper/name.png',
      'pictures2/user/name.png',
      'logo.png',
    ])
      s3.stored.set(key, { bytes: content, mark: '', storedAt: 0 });
    const paths: string[] = [];
    for await (const { path } of store.list()) paths.push(path);
    expect(paths).to.deep.equal(['user/name.png']);
  });

  describe('after a lost answer', () => {
    it('recognises its own write', async () => {
      const store = await openTried();
      s3.faults.push(loseAnswer, loseAnswer);
      expect(await store.put('user/name.png', content)).to.equal(true);
    });

    it('recognises the write of another store', async () => {
      const [first, second] = [await openTried(), await openTried()];
      await second.put('user/name.png', Buffer.from('other'));
      s3.faults.push((response) => response.destroy());
      expect(await first.put('user/name.png', content)).to.equal(false);
      expect(Buffer.from((await first.find('user/name.png')) ?? []).toString()).to.equal('other');
    });

    it('repeats a write whose object was removed meanwhile', async () => {
      const store = await openTried();
      s3.faults.push(loseAnswer, (response, work) => {
        const { status, headers } = work();
        s3.stored.delete('pictures/user/name.png');
        response.writeHead(status, headers).end();
      });
      expect(await store.put('user/name.png', content)).to.equal(true);
      expect(keys()).to.include('pictures/user/name.png');
    });

    it('completes the removal of an object and of all objects of a user', async () => {
      const store = await openTried();
      for (const name of ['a', 'b']) await store.put(`user/${name}.png`, content);
      s3.faults.push(loseAnswer);
      await store.remove('user/a.png');
      s3.faults.push(loseAnswer, loseAnswer);
      await store.removeAll('user');
      expect(keys()).to.deep.equal(['pictures/conditional-write']);
    });
  });

  describe('with unusable settings', () => {
    const answer =
      (status: number, code: string): Fault =>
      (response) =>
        response.writeHead(status).end(`<Error><Code>${code}</Code><Message>m</Message></Error>`);

    for (const [label, settings, reason] of [
      ['does not exist', { bucket: 'another' }, 'no_bucket'],
      [
        'knows no such access key',
        { credentials: { ...AWS_TEST.credentials, accessKeyId: 'AKOTHER' } },
        'credentials',
      ],
      [
        'refuses the signature',
        { credentials: { ...AWS_TEST.credentials, secretAccessKey: 'x' } },
        'credentials',
      ],
    ] as const) {
      it(`fails the check at the start if it ${label}`, async () => {
        const error = await rejectionOf(async () => (await open(settings)).tryOut());
        expect(error).to.be.instanceOf(FailedAttempt).and.include({ reason });
        expect(s3.requests).to.have.length(1);
      });
    }

    for (const [status, code, reason] of [
      [403, 'AccessDenied', 'denied'],
      [403, 'ExpiredToken', 'credentials'],
      [301, 'PermanentRedirect', 'wrong_region'],
      [400, 'AuthorizationHeaderMalformed', 'wrong_region'],
      [501, 'NotImplemented', 'unconditional'],
      [400, 'InvalidRequest', 'rejected'],
    ] as const) {
      it(`fails the check at the start for ${code}, without retries`, async () => {
        s3.fault = answer(status, code);
        const store = await open();
        expect(await rejectionOf(() => store.tryOut())).to.include({ reason });
        await expectUnavailable(() => store.find('user/name.png'));
        expect(s3.requests).to.have.length(2);
        expect(reasons().at(-1)).to.deep.equal(['objects.failed', reason]);
      });
    }

    it('refuses writes if it ignores their conditions', async () => {
      s3.overwrites = true;
      expect(await rejectionOf(async () => (await open()).tryOut())).to.include({ reason: 'unconditional' });
      const store = await open();
      for (const _ of [1, 2]) await expectUnavailable(() => store.put('user/name.png', content));
      expect(keys()).to.deep.equal(['pictures/conditional-write']);
      s3.overwrites = false;
      expect(await store.put('user/name.png', content)).to.equal(true);
    });
  });
});
