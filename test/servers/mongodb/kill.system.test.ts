import { setTimeout as pause } from 'node:timers/promises';
import { expect } from 'chai';
import { race } from '../../contracts/race.ts';
import type { Reply, User } from '../../support/service.ts';
import { until } from '../../support/until.ts';
import { idsOf, makeClient } from '../metadata/client.ts';
import { useServiceOnMongo } from './behind-proxy.ts';

const rounds = process.env.LONG === undefined ? 2 : 10;
const PASSWORD = 'correct horse battery';
const REMOVABLE = 30;

/** What the clients of a round know for sure. */
interface Known {
  readonly owner: string;
  readonly registered: string[];
  readonly created: string[];
  readonly removed: string[];
  /** The place of the last display name that was acknowledged, and of the last that was sent. */
  named: number;
  naming: number;
}

describe('A service whose MongoDB is killed under load', function () {
  this.timeout(300_000 + rounds * 30_000);
  const on = useServiceOnMongo();
  const files = () => makeClient(on().service.metadataUrl);

  /** Calls on, one call after the other, and notes what is acknowledged; what is unavailable is left alone. */
  const useAll = async (user: User, known: Known, removable: readonly string[], isOver: () => boolean) => {
    const { service } = on();
    const lastFailure = (): string => {
      const error = service.log.lines.findLast(({ event }) => event === 'http.failed')?.fields.error;
      return error instanceof Error ? `${error.stack} ${JSON.stringify(error)}` : '';
    };
    const work = async (
      done: number,
      call: (place: number) => Promise<Reply>,
      note: (reply: Reply, place: number) => void,
    ) => {
      for (let place = 0; !isOver(); place += 1) {
        const reply = await call(place);
        expect(reply.status, `${JSON.stringify(reply.body)} ${lastFailure()}`).to.be.oneOf([done, 503]);
        if (reply.status === done) note(reply, place);
      }
    };
    const register = (place: number) =>
      service.post('/api/auth/register', {
        email: `${known.owner}-${place}@example.com`,
        password: PASSWORD,
      });
    const rename = (place: number) => {
      known.naming = place;
      const body = { displayName: `Name ${place}` };
      return service.request('PATCH', '/api/auth/me', { body, token: user.token });
    };
    const remove = async (place: number): Promise<Reply> => {
      const id = removable[place];
      return id === undefined ? files().list('nobody') : files().remove(id);
    };
    await Promise.all([
      work(201, register, ({ body }) => known.registered.push(String(body.email))),
      work(200, rename, (_, place) => {
        known.named = place;
      }),
      work(
        200,
        () => files().create({ user: known.owner }),
        ({ body }) => known.created.push(String(body.id)),
      ),
      work(200, remove, (_, place) => known.removed.push(...removable.slice(place, place + 1))),
    ]);
  };

  const check = async (user: User, known: Known) => {
    const { service } = on();
    await race(known.registered.length, async (place) => {
      const email = known.registered[place] ?? '';
      const code = await service.codeFor(email);
      const { status } = await service.post('/api/auth/verify-email', { email, code, password: PASSWORD });
      expect(status, email).to.equal(200);
    });
    expect(idsOf(await files().list(known.owner))).to.include.members(known.created);
    for (const id of known.removed) expect((await files().read(id)).status, id).to.equal(404);
    const { body } = await service.request('GET', '/api/auth/me', { token: user.token });
    const place = Number(String(body.user?.displayName).slice('Name '.length));
    expect(place).to.be.within(known.named, known.naming);
  };

  it('has lost nothing that it acknowledged, and goes on by itself', async () => {
    const { mongo, service } = on();
    for (let round = 1; round <= rounds; round += 1) {
      const owner = `owner${round}`;
      const user = await service.signUp();
      const removable = await files().createSome(`${owner}-before`, REMOVABLE);
      const known: Known = { owner, registered: [], created: [], removed: [], named: 0, naming: 0 };
      let isOver = false;
      const using = useAll(user, known, removable, () => isOver);
      await until(() => known.registered.length > 2 && known.created.length > 2 && known.named > 2);
      await pause(Math.random() * 500);
      await mongo.kill();
      const { length } = known.created;
      await mongo.start();
      // By itself: the clients just go on.
      await until(() => known.created.length > length);
      isOver = true;
      await using;
      await check(user, known);
    }
  });
});
