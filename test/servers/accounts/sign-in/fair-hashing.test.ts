import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';

const ATTACKERS = 8;

describe('A login during many others', () => {
  // Hashes are made one at a time, and each takes several times as long as a request.
  const service = useService({ TRUSTED_PROXIES: '127.0.0.1', SCRYPT: 'ln=14,r=8,p=1' });

  const logIn = ({ email, password }: User, address: string) =>
    service().post('/api/auth/login', { email, password }, { headers: { 'X-Forwarded-For': address } });

  /** The position in which a login is answered that is sent after all the others. */
  const positionAfter = async (others: readonly (readonly [user: User, address: string])[], own: User) => {
    const order: string[] = [];
    const send = async (name: string, user: User, address: string) => {
      const { status } = await logIn(user, address);
      // On a busy machine some of the others may wait too long for a hash.
      if (name === 'own') expect(status).to.equal(200);
      order.push(name);
    };
    const logins = others.map(([user, address]) => send('attacker', user, address));
    logins.push(send('own', own, '192.0.2.1'));
    await Promise.all(logins);
    return order.indexOf('own') + 1;
  };

  it('is answered before most others if these are for one account', async () => {
    const [victim, own] = [await service().signUp(), await service().signUp()];
    const others = Array.from(
      { length: ATTACKERS },
      (_, place) => [victim, `198.51.100.${place + 1}`] as const,
    );
    expect(await positionAfter(others, own)).to.be.at.most(ATTACKERS / 2);
  });

  it('is answered before most others if these are from one address', async () => {
    const own = await service().signUp();
    const others: (readonly [User, string])[] = [];
    while (others.length < ATTACKERS) others.push([await service().signUp(), '203.0.113.1']);
    expect(await positionAfter(others, own)).to.be.at.most(ATTACKERS / 2);
  });
});
