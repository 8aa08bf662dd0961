import { expect } from 'chai';
import { watchChildren } from '../../../adapters/hashing/started-children.ts';
import { useService } from '../../../support/service.ts';

describe('Passwords with HASHER=portable', () => {
  let watch: ReturnType<typeof watchChildren>;
  before(() => {
    watch = watchChildren();
  });
  const service = useService({ HASHER: 'portable' });
  after(() => watch.stop());

  it('are set and checked without a child process', async () => {
    const { email, password } = await service().signUp({ email: 'ada@example.com' });
    const logIn = async (candidate: string) =>
      (await service().post('/api/auth/login', { email, password: candidate })).status;
    expect([await logIn(password), await logIn(`${password}.`)]).to.deep.equal([200, 401]);
    expect(watch.children).to.deep.equal([]);
  });
});
