import { expect } from 'chai';
import { unavailable } from '../../../../core/errors.ts';
import { createAccounts, type HashOptions } from '../../../../core/index.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { sampleAccount } from '../../../contracts/samples.ts';
import { caller, openPorts } from '../open-core.ts';

describe('Password verification at sign-in', () => {
  let core: ReturnType<typeof openPorts>;
  beforeEach(() => {
    core = openPorts();
  });

  it('fails with `hashing_failed` if the hasher fails, without a count of a wrong password', async () => {
    let isFailing = true;
    const accounts = createAccounts({
      ...core.ports,
      hasher: {
        ...core.ports.hasher,
        verify: async () => {
          if (isFailing) throw unavailable('hashing_failed', 'Passwords cannot be checked now; try again.');
          return { isCorrect: true, isOutdated: false };
        },
      },
    });
    await accounts.open();
    await core.ports.accounts.add(sampleAccount('ada', { verified: true, passwordHash: '$2b$10$…' }));
    const logIn = () => accounts.logIn({ email: 'ada@example.com', password: 'correct horse' }, caller);
    for (let count = 0; count < 101; count += 1)
      expect(await rejectionOf(logIn)).to.include({ kind: 'unavailable', code: 'hashing_failed' });
    isFailing = false;
    expect(await logIn()).to.have.property('token');
  });

  it('passes the password to the hasher both normalized and as typed', async () => {
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
