import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { findStore } from '../../../adapters/choose-store.ts';
import { backupStore, restoreStore } from '../../../adapters/installation.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { sampleAccount } from '../../contracts/samples.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { openStrictS3, type StrictS3, s3Settings } from '../../support/servers/aws/strict-s3.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { comparable, makeTransfer } from '../../support/transferred-installation.ts';

const PATH = 'a/avatar_1.png';

describe('An installation with objects in a bucket', () => {
  const folder = useTempFolder();
  let s3: StrictS3;
  beforeEach(async () => {
    s3 = await openStrictS3();
    for (const name of ['here', 'there', 'back']) mkdirSync(join(folder(), name));
  });
  afterEach(() => s3.close());

  const inFiles = (name: string) => makeTransfer(folder(), { DATA_DIR: name });
  const inBucket = (name: string, more = {}) =>
    makeTransfer(folder(), { DATA_DIR: name, ...s3Settings(s3), ...more });
  const file = (name: string) => join(folder(), name);
  const deps = (isServer: boolean) => ({
    clock: { now: () => Date.now() },
    log: makeRecordingLog(),
    isServer,
  });

  /** Adds an account with an avatar. */
  const addAvatar = async (mover: ReturnType<typeof inFiles>) => {
    const store = await findStore(mover.config(), deps(true));
    const { ports } = await store.open();
    await ports.accounts.add({ ...sampleAccount('a'), avatar: PATH });
    await ports.objects.put(PATH, Buffer.from('a picture'));
    await store.close();
  };

  it('imports objects from files and exports them to files again', async () => {
    await addAvatar(inFiles('here'));
    await inFiles('here').exportTo(file('one.jsonl'));
    await inBucket('there').importFrom(file('one.jsonl'));
    expect(s3.stored.get(`pictures/${PATH}`)?.bytes.toString()).to.equal('a picture');
    expect(existsSync(join(folder(), 'there/objects'))).to.equal(false);
    await inBucket('there').exportTo(file('two.jsonl'));
    expect(comparable(file('two.jsonl'))).to.deep.equal(comparable(file('one.jsonl')));
    await inFiles('back').importFrom(file('two.jsonl'));
    expect(existsSync(join(folder(), 'back/objects', PATH))).to.equal(true);
  });

  it('cannot be imported while the bucket is down, and can be afterwards', async () => {
    await addAvatar(inFiles('here'));
    await inFiles('here').exportTo(file('one.jsonl'));
    s3.fault = (response) => response.destroy();
    const error = await rejectionOf(() => inBucket('there').importFrom(file('one.jsonl')));
    expect(error).to.include({ code: 'store_unavailable' });
    s3.fault = undefined;
    await inBucket('there').importFrom(file('one.jsonl'));
    expect([...s3.stored.keys()]).to.include(`pictures/${PATH}`);
  });

  it('is backed up without objects, and the report names the bucket', async () => {
    await addAvatar(inBucket('here'));
    // A leftover from the time before the bucket.
    mkdirSync(join(folder(), 'here/objects/a'), { recursive: true });
    writeFileSync(join(folder(), 'here/objects/a/avatar_0.png'), 'old');
    const report = await backupStore(inBucket('here').config(), file('backup.tar'));
    expect([report.objects, report.leftOut.bucket]).to.deep.equal([0, 's3://test-avatars/pictures']);
    const names = spawnSync('tar', ['tf', file('backup.tar')], { encoding: 'utf8' }).stdout;
    expect(names).to.not.include('objects/');
    const restored = await restoreStore(inBucket('there').config(), file('backup.tar'));
    expect([restored.objects, restored.leftOut.bucket]).to.deep.equal([0, 's3://test-avatars/pictures']);
    const { leftOut } = await backupStore(inFiles('there').config(), file('other.tar'));
    expect(leftOut.bucket).to.equal(null);
  });

  for (const [label, more, line] of [
    ['does not exist', { OBJECTS_URL: 's3://another' }, 'OBJECTS_URL: there is no such bucket'],
    [
      'refuses the credentials',
      { AWS_SECRET_ACCESS_KEY: 'another' },
      'OBJECTS_URL: no credentials were found, or they are not valid',
    ],
  ] as const) {
    it(`is refused without a store if the bucket ${label}`, async () => {
      const { config } = inBucket('here', more);
      const error = await rejectionOf(() => findStore(config(), deps(true)));
      expect(error).to.include({ name: 'ConfigError', message: line });
      expect(existsSync(join(folder(), 'here/gatehouse.db'))).to.equal(false);
    });
  }

  it('starts while the bucket is down, and commands send the bucket no request', async () => {
    s3.fault = (response) => response.destroy();
    for (const isServer of [true, false]) {
      const store = await findStore(inBucket('here').config(), deps(isServer));
      expect((await store.open()).areObjectsUp()).to.equal(true);
      await store.close();
    }
    expect(s3.requests).to.have.length(1);
  });
});
