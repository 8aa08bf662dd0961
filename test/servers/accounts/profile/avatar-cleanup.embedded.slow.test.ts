import { existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { useRecords } from '../../../support/records.ts';
import { type User, useService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { folderOf, picture, setAvatar, show, storedFor, upload } from './avatars.ts';

describe('What avatars leave behind', () => {
  const service = useService();
  const records = useRecords(service);
  const folder = () => join(service().folder, 'objects');
  const sweep = () => service().composition.accounts.background.sweepAvatars();

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
