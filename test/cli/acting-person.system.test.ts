import { userInfo } from 'node:os';
import { expect } from 'chai';
import { useService } from '../support/service.ts';
import { documentsOf, runCommand } from './run-command.ts';

describe('A command that changes something', () => {
  const service = useService();
  const run = (args: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    runCommand(service().folder, args, { env: { DATA_DIR: service().folder, ...env } });
  const people = async (action: string) =>
    documentsOf(await run(['audit', 'list', '--action', action, '--json'])).map(({ person }) => person);

  it('is audited with the name it is given, else that of who used sudo, else the login name', async () => {
    const { email } = await service().signUp();
    await run(['users', 'unlock', email, '--as', 'Zoë']);
    await run(['users', 'unlock', email, '--as', 'Zoë'], { SUDO_USER: 'grace' });
    await run(['users', 'unlock', email], { SUDO_USER: 'grace' });
    await run(['users', 'unlock', email], { SUDO_USER: '' });
    expect(await people('user.unlocked')).to.deep.equal(['Zoë', 'Zoë', 'grace', userInfo().username]);
  });

  it('does nothing for a name that the log does not take', async () => {
    const { email } = await service().signUp();
    const { status, stderr } = await run(['users', 'ban', email, '--reason', 'spam', '--as', ' ']);
    expect(status).to.equal(2);
    expect(stderr).to.include('1 to 64 printable characters');
    expect(await people('user.banned')).to.deep.equal([]);
  });
});
