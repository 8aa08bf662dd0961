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

/** The acknowledged calls of the clients of a round. */
interface Ledger {
  readonly owner: string;
  readonly registered: string[];
  readonly created: string[];
  readonly removed: string[];
  /** The numbers of the last acknowledged and of the last sent display name. */
  named: number;
  naming: number;
}

describe('A service whose MongoDB is killed under load', function () {
  this.timeout(300_000 + rounds * 30_000);
  const on = useServiceOnMongo();
  const files = () => makeClient(on().service.metadataUrl);

  /** Sends calls one after the other and records the acknowledged calls; ignores 503. */
  const useAll = async (user: User, ledger: Ledger, removable: readonly string[], isOver: () => boolean) => {
    const { service } = on();
    const lastFailure = (): string => {
      const error = service.log.lines.findLast(({ event }) => event === 'http.failed')?.fields.error;
      return error instanceof Error ? `${error.stack} ${JSON.stringify(error)}` : '';
    };
    const work = async (
      done: number,
      call: (place: number) => Promise<Reply>,
      record: (reply: Reply, place: number) => void,
    ) => {
      for (let place = 0; !isOver(); place += 1) {
        const reply = await call(place);
        expect(reply.status, `${JSON.stringify(reply.body)} ${lastFailure()}`).to.be.oneOf([done, 503]);
        if (reply.status === done) record(reply, place);
      }
    };
    const register = (place: number) =>
      service.post('/api/auth/register', {
        email: `${ledger.owner}-${place}@example.com`,
        password: PASSWORD,
      });
    const rename = (place: number) => {
      ledger.naming = place;
      const body = { displayName: `Name ${place}` };
      return service.request('PATCH', '/api/auth/me', { body, token: user.token });
    };
    const remove = async (place: number): Promise<Reply> => {
      const id = removable[place];
      return id === undefined ? files().list('nobody') : files().remove(id);
    };
    await Promise.all([
      work(201, register, ({ body }) => ledger.registered.push(String(body.email))),
      work(200, rename, (_, place) => {
        ledger.named = place;
      }),
      work(
        200,
        () => files().create({ user: ledger.owner }),
        ({ body }) => ledger.created.push(String(body.id)),
      ),
      work(200, remove, (_, place) => ledger.removed.push(...removable.slice(place, place + 1))),
    ]);
  };

  const check = async (user: User, ledger: Ledger) => {
    const { service } = on();
    await race(ledger.registered.length, async (place) => {
      const email = ledger.registered[place] ?? '';
      const code = await service.codeFor(email);
      const { status } = await service.post('/api/auth/verify-email', { email, code, password: PASSWORD });
      expect(status, email).to.equal(200);
    });
    expect(idsOf(await files().list(ledger.owner))).to.include.members(ledger.created);
    for (const id of ledger.removed) expect((await files().read(id)).status, id).to.equal(404);
    const { body } = await service.request('GET', '/api/auth/me', { token: user.token });
    const place = Number(String(body.user?.displayName).slice('Name '.length));
    expect(place).to.be.within(ledger.named, ledger.naming);
  };

  it('keeps everything it acknowledged, and recovers by itself', async () => {
    const { mongo, service } = on();
    for (let round = 1; round <= rounds; round += 1) {
      const owner = `owner${round}`;
      const user = await service.signUp();
      const removable = await files().createSome(`${owner}-before`, REMOVABLE);
      const ledger: Ledger = { owner, registered: [], created: [], removed: [], named: 0, naming: 0 };
      let isOver = false;
      const clients = useAll(user, ledger, removable, () => isOver);
      await until(() => ledger.registered.length > 2 && ledger.created.length > 2 && ledger.named > 2);
      await pause(Math.random() * 500);
      await mongo.kill();
      const { length } = ledger.created;
      await mongo.start();
      // The service recovers while the clients keep calling.
      await until(() => ledger.created.length > length);
      isOver = true;
      await clients;
      await check(user, ledger);
    }
  });
});
