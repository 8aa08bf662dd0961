import { expect } from 'chai';
import { type User, useService } from '../../../support/service.ts';

const ATTACKERS = 8;

describe('A login beside many others', () => {
  // Hashes that take several times what a request does, one at a time.
  const service = useService({ TRUSTED_PROXIES: '127.0.0.1', SCRYPT: 'ln=14,r=8,p=1' });

  const logIn = ({ email, password }: User, address: string) =>
    service().post('/api/auth/login', { email, password }, { headers: { 'X-Forwarded-For': address } });

  /** The place in which a login is answered that comes after all the others. */
  const placeAfter = async (others: readonly (readonly [user: User, address: string])[], own: User) => {
    const answered: string[] = [];
    const ask = async (name: string, user: User, address: string) => {
      const { status } = await logIn(user, address);
      // On a busy machine some of theirs may find no turn in time.
      if (name === 'own') expect(status).to.equal(200);
      answered.push(name);
    };
    const asked = others.map(([user, address]) => ask('attacker', user, address));
    asked.push(ask('own', own, '192.0.2.1'));
    await Promise.all(asked);
    return answered.indexOf('own') + 1;
  };

  it('of one account is answered before most of them', async () => {
    const [victim, own] = [await service().signUp(), await service().signUp()];
    const others = Array.from(
      { length: ATTACKERS },
      (_, place) => [victim, `198.51.100.${place + 1}`] as const,
    );
    expect(await placeAfter(others, own)).to.be.at.most(ATTACKERS / 2);
  });

  it('from one address is answered before most of them', async () => {
    const own = await service().signUp();
    const others: (readonly [User, string])[] = [];
    while (others.length < ATTACKERS) others.push([await service().signUp(), '203.0.113.1']);
    expect(await placeAfter(others, own)).to.be.at.most(ATTACKERS / 2);
  });
});
