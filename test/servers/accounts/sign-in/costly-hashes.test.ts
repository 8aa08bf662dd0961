import { expect } from 'chai';
import { openRecords } from '../../../support/records.ts';
import { type User, useService } from '../../../support/service.ts';

const OTHERS = 12;
const SALT_AND_KEY = 'AAECAwQFBgcICQoLDA0ODw$bq5iVNbXc/7Lwk3jD02rpJlyE4nUBnD17SOnrG42buM';

/** Hashes that take seconds, and longer than a login waits for its turn. */
const COSTLY = {
  native: `$scrypt$ln=18,r=8,p=6$${SALT_AND_KEY}`,
  portable: `$scrypt$ln=16,r=8,p=7$${SALT_AND_KEY}`,
};

for (const [hasher, workers] of [
  ['native', '2'],
  ['portable', '1'],
] as const) {
  describe(`Logins while two imported hashes take seconds (HASHER=${hasher}, HASH_WORKERS=${workers})`, () => {
    const service = useService({
      HASHER: hasher,
      HASH_WORKERS: workers,
      SCRYPT: 'ln=10,r=8,p=1',
      TRUSTED_PROXIES: '127.0.0.1',
    });

    const logIn = async ({ email, password }: User, address: string) => {
      const headers = { 'X-Forwarded-For': address };
      return (await service().post('/api/auth/login', { email, password }, { headers })).status;
    };

    it(`lets ${OTHERS} of ${OTHERS} other people in`, async () => {
      const attackers = [await service().signUp(), await service().signUp()];
      const others: User[] = [];
      while (others.length < OTHERS) others.push(await service().signUp());
      const records = openRecords(service());
      for (const { email } of attackers) await records.change(email, { passwordHash: COSTLY[hasher] });
      await records.close();

      let areOthersIn = false;
      const attack = attackers.map(async (user, place) => {
        // Again and again: however slow the machine is, each of the others comes in beside it.
        do await logIn(user, `198.51.100.${place + 1}`);
        while (!areOthersIn);
      });
      const statuses: number[] = [];
      for (const [place, user] of others.entries())
        statuses.push(await logIn(user, `203.0.113.${place + 1}`));
      areOthersIn = true;
      await Promise.all(attack);
      expect(statuses).to.deep.equal(Array.from({ length: OTHERS }, () => 200));
    });
  });
}
