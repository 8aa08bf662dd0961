import { expect } from 'chai';
import { makeReadOnce } from '../../../../core/accounts/sign-in/read-once.ts';
import { sampleAccount } from '../../../contracts/samples.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { caller, openPorts } from '../open-core.ts';

describe('An account that one request asks for twice', () => {
  const folder = useTempFolder();
  let opened: ReturnType<typeof openPorts>;
  beforeEach(async () => {
    opened = openPorts(folder());
    await opened.ports.accounts.add(sampleAccount('ada', { email: 'ada@example.com' }));
  });
  afterEach(() => opened.close());

  /** The name that each look gives after somebody changed it since the first. */
  const nameAfterChange = async (
    look: (readOnce: ReturnType<typeof makeReadOnce>) => Promise<{ displayName: string | null } | undefined>,
  ) => {
    const { accounts } = opened.ports;
    const readOnce = makeReadOnce({ accounts });
    const account = await readOnce.first('ada@example.com', caller);
    if (account === undefined) throw new Error('There is no account.');
    await accounts.save({ ...account, displayName: 'changed' });
    return (await look(readOnce))?.displayName;
  };

  it('is the second time what was read the first time', async () => {
    const name = await nameAfterChange((readOnce) => readOnce.again('ada@example.com', caller));
    expect(name).not.to.equal('changed');
  });

  it('is read anew for another request, for another email, and the third time', async () => {
    const another = await nameAfterChange((readOnce) => readOnce.again('ada@example.com', { ...caller }));
    expect(another).to.equal('changed');
    expect(await nameAfterChange((readOnce) => readOnce.again('bob@example.com', caller))).to.equal(
      undefined,
    );
    const third = await nameAfterChange(async (readOnce) => {
      await readOnce.again('ada@example.com', caller);
      return readOnce.again('ada@example.com', caller);
    });
    expect(third).to.equal('changed');
  });
});
