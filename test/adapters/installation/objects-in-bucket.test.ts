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
import { comparable, makeMover } from '../../support/transferred-installation.ts';

const PATH = 'a/avatar_1.png';

describe('An installation whose objects are in a bucket', () => {
  const folder = useTempFolder();
  let s3: StrictS3;
  beforeEach(async () => {
    s3 = await openStrictS3();
    for (const name of ['here', 'there', 'back']) mkdirSync(join(folder(), name));
  });
  afterEach(() => s3.close());

  const inFiles = (name: string) => makeMover(folder(), { DATA_DIR: name });
  const inBucket = (name: string, more = {}) =>
    makeMover(folder(), { DATA_DIR: name, ...s3Settings(s3), ...more });
  const file = (name: string) => join(folder(), name);
  const parts = (upgrades: boolean) => ({
    clock: { now: () => Date.now() },
    log: makeRecordingLog(),
    upgrades,
  });

  /** An account with its avatar. */
  const furnish = async (mover: ReturnType<typeof inFiles>) => {
    const place = await findStore(mover.config(), parts(true));
    const { ports } = await place.open();
    await ports.accounts.add({ ...sampleAccount('a'), avatar: PATH });
    await ports.objects.put(PATH, Buffer.from('a picture'));
    await place.close();
  };

  it('takes over what was in files, and gives it back', async () => {
    await furnish(inFiles('here'));
    await inFiles('here').exportTo(file('one.jsonl'));
    await inBucket('there').importFrom(file('one.jsonl'));
    expect(s3.stored.get(`pictures/${PATH}`)?.bytes.toString()).to.equal('a picture');
    expect(existsSync(join(folder(), 'there/objects'))).to.equal(false);
    await inBucket('there').exportTo(file('two.jsonl'));
    expect(comparable(file('two.jsonl'))).to.deep.equal(comparable(file('one.jsonl')));
    await inFiles('back').importFrom(file('two.jsonl'));
    expect(existsSync(join(folder(), 'back/objects', PATH))).to.equal(true);
  });

  it('is not imported while the bucket is down, and goes on when it is back', async () => {
    await furnish(inFiles('here'));
    await inFiles('here').exportTo(file('one.jsonl'));
    s3.fault = (response) => response.destroy();
    const refused = await rejectionOf(() => inBucket('there').importFrom(file('one.jsonl')));
    expect(refused).to.include({ code: 'store_unavailable' });
    s3.fault = undefined;
    await inBucket('there').importFrom(file('one.jsonl'));
    expect([...s3.stored.keys()]).to.include(`pictures/${PATH}`);
  });

  it('is backed up without them, and the backup names the bucket', async () => {
    await furnish(inBucket('here'));
    // Of a time before the bucket.
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

  for (const [what, more, line] of [
    ['is not there', { OBJECTS_URL: 's3://another' }, 'OBJECTS_URL: there is no such bucket'],
    [
      'refuses us',
      { AWS_SECRET_ACCESS_KEY: 'another' },
      'OBJECTS_URL: no credentials were found, or they are not valid',
    ],
  ] as const) {
    it(`makes no store where the bucket ${what}, and says so without the value`, async () => {
      const { config } = inBucket('here', more);
      const refused = await rejectionOf(() => findStore(config(), parts(true)));
      expect(refused).to.include({ name: 'ConfigError', message: line });
      expect(existsSync(join(folder(), 'here/gatehouse.db'))).to.equal(false);
    });
  }

  it('is started where the bucket is down, and worked on by commands that ask it nothing', async () => {
    s3.fault = (response) => response.destroy();
    for (const upgrades of [true, false]) {
      const place = await findStore(inBucket('here').config(), parts(upgrades));
      expect((await place.open()).areObjectsUp()).to.equal(true);
      await place.close();
    }
    expect(s3.requests).to.have.length(1);
  });
});
