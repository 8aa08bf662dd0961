import { expect } from 'chai';
import { unavailable } from '../../../../core/errors.ts';
import { createAccounts, type HashOptions } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { sampleAccount } from '../../../contracts/samples.ts';
import { caller, openPorts } from '../open-core.ts';

describe('A sign-in whose hash cannot be checked for now', () => {
  let core: ReturnType<typeof openPorts>;
  beforeEach(() => {
    core = openPorts();
  });

  it('is unavailable and counts as no wrong attempt, so that it locks nobody out', async () => {
    let isMissing = true;
    const accounts = createAccounts({
      ...core.ports,
      hasher: {
        ...core.ports.hasher,
        verify: async () => {
          if (isMissing) throw unavailable('hashing_failed', 'Passwords cannot be checked now; try again.');
          return { isCorrect: true, isOutdated: false };
        },
      },
    });
    await accounts.open();
    await core.ports.accounts.add(sampleAccount('ada', { verified: true, passwordHash: '$2b$10$…' }));
    const logIn = () => accounts.logIn({ email: 'ada@example.com', password: 'correct horse' }, caller);
    for (let count = 0; count < 101; count += 1)
      expect(await rejectionOf(logIn)).to.include({ kind: 'unavailable', code: 'hashing_failed' });
    isMissing = false;
    expect(await logIn()).to.have.property('token');
  });

  it('gives the hasher the password as it was typed, too', async () => {
    const passwords: (readonly [string, string | undefined])[] = [];
    const accounts = createAccounts({
      ...core.ports,
      hasher: {
        ...core.ports.hasher,
        verify: async (password: string, _: string | null, { typed }: HashOptions) => {
          passwords.push([password, typed]);
          return { isCorrect: true, isOutdated: false };
        },
      },
    });
    await accounts.open();
    await core.ports.accounts.add(sampleAccount('ada', { verified: true, passwordHash: '$2b$10$…' }));
    await accounts.logIn({ email: 'ada@example.com', password: 'ﬁve ½ horses' }, caller);
    expect(passwords).to.deep.equal([['five 1⁄2 horses', 'ﬁve ½ horses']]);
  });
});
