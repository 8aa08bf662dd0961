import { userInfo } from 'node:os';
import { expect } from 'chai';
import { useService } from '../support/service.ts';
import { documentsOf, runCommand } from './run-command.ts';

describe('The audited operator of a command', () => {
  const service = useService();
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runCommand(service().folder, args, { env: { DATA_DIR: service().folder, ...env } });
  const listOperators = async (action: string) =>
    documentsOf(await run(['audit', 'list', '--action', action, '--json'])).map(({ person }) => person);

  it('is the value of --as, else the user of sudo, else the login name', async () => {
    const { email } = await service().signUp();
    await run(['users', 'unlock', email, '--as', 'Zoë']);
    await run(['users', 'unlock', email, '--as', 'Zoë'], { SUDO_USER: 'grace' });
    await run(['users', 'unlock', email], { SUDO_USER: 'grace' });
    await run(['users', 'unlock', email], { SUDO_USER: '' });
    expect(await listOperators('user.unlocked')).to.deep.equal(['Zoë', 'Zoë', 'grace', userInfo().username]);
  });

  it('must be printable, or the command exits with 2 and changes nothing', async () => {
    const { email } = await service().signUp();
    const { status, stderr } = await run(['users', 'ban', email, '--reason', 'spam', '--as', ' ']);
    expect(status).to.equal(2);
    expect(stderr).to.include('1 to 64 printable characters');
    expect(await listOperators('user.banned')).to.deep.equal([]);
  });
});
