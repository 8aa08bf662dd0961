import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { openTestService } from '../../support/service.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { documentsOf, runCommand, startCommand } from '../run-command.ts';
import { AUTH0_HASHES, EXPORTS, HASH_CONFIG } from './samples.ts';

describe('users import --from', () => {
  const folder = useTempFolder();
  const write = (name: string, text: string): string => {
    writeFileSync(join(folder(), name), text);
    return join(folder(), name);
  };
  const settings = () => ({ DATA_DIR: folder(), SCRYPT: 'ln=15,r=8,p=3' });
  const run = (...args: readonly string[]) =>
    runCommand(folder(), ['users', 'import', ...args], { env: settings() });
  /** Creates a store to import into. */
  const createStore = async () => (await openTestService({}, folder())).close();

  it('counts imported users and fields that were not imported, and reports bad users by number', async () => {
    await createStore();
    const hashes = ['--hash-config', write('config', HASH_CONFIG)];
    const more = '{"localId":"phone","phoneNumber":"+48600100200"}';
    const file = write('users.json', (EXPORTS.firebase ?? '').replace(/\]\s*\}$/, `,${more}]}`));
    const dry = await run('--from', 'firebase', file, ...hashes, '--dry-run');
    expect([dry.status, dry.stdout]).to.deep.equal([1, '']);
    expect(dry.stderr.trim().split('\n')).to.deep.equal([
      'User 3: It has no email; Gatehouse identifies users by their email.',
      '2 would be added, 0 existed already, 1 bad. Not imported, with the number of users: phoneNumber (1), customAttributes (1).',
    ]);
    const result = await run('--from', 'firebase', file, ...hashes, '--json');
    expect(documentsOf(result)).to.deep.equal([
      {
        dryRun: false,
        added: 2,
        skipped: 0,
        bad: 1,
        dearer: 0,
        leftOut: { phoneNumber: 1, customAttributes: 1 },
      },
    ]);
  });

  it('refuses hashes whose package is missing, and names the command that installs it', async () => {
    await createStore();
    const hook = `export const resolve = (name, context, next) => next(name === 'hash-wasm' ? 'none-such' : name, context);`;
    const asModule = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
    const hide = asModule(
      `import { register } from 'node:module'; register(${JSON.stringify(asModule(hook))});`,
    );
    const passwords = ['--passwords', write('hashes', AUTH0_HASHES)];
    const file = write('users.json', EXPORTS.auth0 ?? '');
    const env = { ...settings(), NODE_OPTIONS: `--import=${hide}` };
    const args = ['users', 'import', '--from', 'auth0', file, ...passwords];
    const result = await startCommand(folder(), args, { env });
    expect(result.stderr).to.include(
      'User 1: passwordHash needs a package that is not installed (npm install --save-prod hash-wasm).',
    );
    expect(result.stderr).to.include('1 added, 0 existed already, 1 bad.');
    const again = await run('--from', 'auth0', file, ...passwords);
    expect([again.status, again.stderr]).to.satisfy(
      ([status, stderr]: [number, string]) =>
        status === 0 && stderr.startsWith('1 added, 1 existed already, 0 bad.'),
    );
  });

  it('exits with 2 if a needed file or option is missing, or the product or the export is unknown', async () => {
    const file = write('users.json', EXPORTS.firebase ?? '');
    for (const args of [
      ['--from', 'firebase', file],
      ['--from', 'passport', file],
      ['--without-passwords', file],
      ['--from', 'firebase', '--without-passwords', write('other', 'no export')],
    ]) {
      const { status, stderr } = await run(...args);
      expect(status, stderr).to.equal(2);
    }
  });
});
