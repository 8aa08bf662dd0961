import { existsSync, mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeFileObjects } from '../../../../adapters/objects/object-store.ts';
import { useRecords } from '../../../support/records.ts';
import { type User, useService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { folderOf, picture, setAvatar, show, storedFor, upload } from './avatars.ts';

const HOUR = 3_600_000;

describe('What avatars leave behind', () => {
  const service = useService();
  const records = useRecords(service);
  const folder = () => join(service().folder, 'objects');
  const store = () => makeFileObjects({ folder: folder(), log: service().log });
  const sweep = () => service().composition.accounts.background.sweepAvatars();

  const age = (path: string, milliseconds: number) => {
    const time = (Date.now() - milliseconds) / 1_000;
    utimesSync(join(folder(), path), time, time);
  };
  /** Stores an object as a process that then dies before it records it. */
  const leave = async (user: Pick<User, 'id'>, name: string, milliseconds: number): Promise<string> => {
    const path = `${user.id}/${name}`;
    expect(await store().put(path, picture)).to.equal(true);
    age(path, milliseconds);
    return path;
  };

  /** Puts a file where the folder is, so that every use of it fails; gives what undoes that. */
  const takeAway = (taken: string) => {
    renameSync(taken, `${taken}-away`);
    writeFileSync(taken, '');
    return () => {
      rmSync(taken);
      renameSync(`${taken}-away`, taken);
    };
  };
  const relayFailed = ({ id }: User) =>
    until(() =>
      service().log.lines.some(({ event, fields }) => event === 'relay.failed' && fields.userId === id),
    );

  it('goes with the account', async () => {
    const [gone, other] = [await service().signUp(), await service().signUp()];
    await setAvatar(service(), gone);
    await leave(gone, 'avatar_1.png', 0);
    const kept = await setAvatar(service(), other);
    const { password, token } = gone;
    expect((await service().post('/api/auth/delete-account', { password }, { token })).status).to.equal(200);
    await until(() => !existsSync(folderOf(service(), gone)));
    expect(await storedFor(service(), other)).to.deep.equal([kept]);
    expect((await show(service(), gone)).status).to.equal(401);
  });

  it('goes with the account even when the disk refuses at first', async () => {
    const user = await service().signUp();
    await setAvatar(service(), user);
    const giveBack = takeAway(folder());
    const { password, token } = user;
    expect((await service().post('/api/auth/delete-account', { password }, { token })).status).to.equal(200);
    await relayFailed(user);
    giveBack();
    await until(() => !existsSync(folderOf(service(), user)));
  });

  it('is swept when it is old and no account shows it', async () => {
    const [user, without] = [await service().signUp(), await service().signUp()];
    const live = await setAvatar(service(), user);
    age(live, 2 * HOUR);
    await leave(user, 'avatar_1.png', HOUR + 60_000);
    const young = await leave(user, 'avatar_2.png', HOUR - 60_000);
    await leave(without, 'avatar_3.jpg', 2 * HOUR);
    await leave({ id: '0199a0a0-0000-7000-8000-000000000000' }, 'avatar_4.gif', 2 * HOUR);
    const draft = `${user.id}/avatar_5.png.0123456789ab.tmp`;
    writeFileSync(join(folder(), draft), 'half of a picture');
    age(draft, 2 * HOUR);

    expect(await sweep()).to.equal(4);
    expect(await storedFor(service(), user)).to.have.members([live, young]);
    expect(await storedFor(service(), without)).to.deep.equal([]);
    expect((await show(service(), user)).bytes).to.deep.equal(picture);
    expect(await sweep()).to.equal(0);

    service().clock.advance(5 * 60_000);
    expect(await sweep()).to.equal(1);
    expect(await storedFor(service(), user)).to.deep.equal([live]);
  });

  it('is nothing where nobody has an avatar', async () => {
    renameSync(folder(), `${folder()}-away`);
    expect(await sweep()).to.equal(0);
    mkdirSync(folder());
    expect(await sweep()).to.equal(0);
    rmSync(folder(), { recursive: true });
    renameSync(`${folder()}-away`, folder());
  });

  describe('on a disk that refuses', () => {
    it('is nothing: the upload is 503, says nothing of the inside, and the one before stays', async () => {
      const user = await service().signUp();
      const path = await setAvatar(service(), user);
      const giveBack = takeAway(folderOf(service(), user));

      const refused = await upload(service(), user, picture);
      expect([refused.status, refused.body.code]).to.deep.equal([503, 'store_unavailable']);
      expect(Number(refused.headers.get('retry-after'))).to.be.within(1, 60);
      expect(JSON.stringify(refused.body)).not.to.match(/EEXIST|ENOTDIR|objects|\//);
      const shown = await show(service(), user);
      expect(shown.status).to.equal(503);
      expect(shown.headers.get('content-type')).to.match(/^application\/json/);
      const profile = await service().request('GET', '/api/auth/me', { token: user.token });
      expect(profile.body.user?.avatar).to.equal(path);

      giveBack();
      expect((await show(service(), user)).bytes).to.deep.equal(picture);
      expect((await upload(service(), user, picture)).status).to.equal(200);
    });

    it('is removed later', async () => {
      const user = await service().signUp();
      await setAvatar(service(), user);
      const giveBack = takeAway(folderOf(service(), user));
      const removed = await service().request('DELETE', '/api/avatar', { token: user.token });
      expect(removed.status).to.equal(200);
      expect((await show(service(), user)).status).to.equal(404);
      await relayFailed(user);

      giveBack();
      await until(async () => (await records().accountOf(user.email)).pending.length === 0);
      expect(await storedFor(service(), user)).to.deep.equal([]);
    });
  });
});
