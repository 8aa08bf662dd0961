import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { previewMails, sendTestMail } from '../../../adapters/compose.ts';
import { readConfig } from '../../../adapters/config.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

describe('Mails with sample facts', () => {
  const folder = useTempFolder();
  const config = () => readConfig({ DATA_DIR: folder() }, folder());

  it('are sent to the normalised address, marked as tests, and refused for a malformed one', async () => {
    await sendTestMail(config(), ' Ada@Example.com', {});
    const [name = '', ...others] = readdirSync(join(folder(), 'mail'));
    const mail = readFileSync(join(folder(), 'mail', name), 'utf8');
    expect(others).to.deep.equal([]);
    expect(mail)
      .to.match(/^To: ada@example\.com\r?$/m)
      .and.match(/^Subject: \[Test\] /m);
    for (const malformed of ['not-an-address', '', 'a@b@c', 'ada@example.com\r\nBcc: eve@example.com'])
      expect(await rejectionOf(() => sendTestMail(config(), malformed, {}))).to.include({
        code: 'invalid_email',
      });
    const unknown = await rejectionOf(() => sendTestMail(config(), 'ada@example.com', { template: 'none' }));
    expect(unknown).to.include({ code: 'unknown_template' });
    expect(readdirSync(join(folder(), 'mail'))).to.deep.equal([name]);
  });

  it('are written to a folder with an index that links each mail', () => {
    const outFolder = join(folder(), 'out');
    const names = previewMails(config(), outFolder, { language: 'pl' });
    const index = readFileSync(join(outFolder, 'index.html'), 'utf8');
    expect(names).to.include.members(['verify.pl', 'passkey-added.pl', 'identity-linked.pl']);
    for (const name of names) expect(index).to.include(`href="${name}.html"`).and.include(`"${name}.txt"`);
    expect(readdirSync(outFolder)).to.have.length(2 * names.length + 1);
  });

  it('are refused if the folder cannot be created', function () {
    if (!existsSync('/proc/self')) this.skip();
    expect(() => previewMails(config(), '/proc/gatehouse/out', {})).to.throw('ENOENT');
  });
});
