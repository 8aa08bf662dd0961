import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { makeFileMailer } from '../../../adapters/mailers/mail-files.ts';
import { makeWriteMessage } from '../../../core/accounts/mail/messages.ts';
import { mailerContract, sampleMessage } from '../../contracts/mailer.ts';
import { readMail } from '../../support/read-mail.ts';
import { useTempFolder } from '../../support/temp-folder.ts';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

describe('The file mailer', () => {
  const temp = useTempFolder();
  const folder = () => join(temp(), 'data', 'mail');
  const open = (from = 'no-reply@sender.example', clock = { now: () => NOW }) =>
    makeFileMailer({ folder: folder(), from, clock });
  const texts = async () => {
    const names = (await readdir(folder())).sort();
    return Promise.all(names.map((name) => readFile(join(folder(), name), 'utf8')));
  };

  mailerContract('a folder of files', async (from) => ({
    mailer: open(from),
    received: async () => (await texts()).map(readMail),
    async fail() {
      await rm(join(temp(), 'data'), { recursive: true, force: true });
      await writeFile(join(temp(), 'data'), 'a file where the folder should be');
    },
    end: async () => {},
  }));

  it('writes mails that other users of the machine cannot read', async () => {
    await open().send(sampleMessage());
    const [name = ''] = await readdir(folder());
    expect(name).to.match(/^[0-9a-f-]+\.eml$/);
    expect((await stat(folder())).mode & 0o777).to.equal(0o700);
    expect((await stat(join(folder(), name))).mode & 0o777).to.equal(0o600);
  });

  it('names files in sending order, within one millisecond and after the clock is set back', async () => {
    const times = [NOW, NOW, NOW + 1, NOW - 5_000, NOW + 2];
    const mailer = open('no-reply@sender.example', { now: () => times.shift() ?? 0 });
    for (const subject of ['1', '2', '3', '4', '5']) await mailer.send(sampleMessage({ subject }));
    expect((await texts()).map((text) => readMail(text).headers.subject)).to.deep.equal([
      '1',
      '2',
      '3',
      '4',
      '5',
    ]);
  });

  it('names files in sending order if the clock is set back before a restart', async () => {
    const subjects = ['1', '2', '3', '4', '5'];
    await open().send(sampleMessage({ subject: '1' }));
    await open().send(sampleMessage({ subject: '2' }));
    const restarted = open(undefined, { now: () => NOW - 5_000 });
    await Promise.all(['3', '4'].map((subject) => restarted.send(sampleMessage({ subject }))));
    await writeFile(join(folder(), 'zz-notes.txt'), 'no mail');
    await open(undefined, { now: () => NOW - 5_000 }).send(sampleMessage({ subject: '5' }));
    const mails = (await texts()).slice(0, -1);
    expect(mails.map((text) => readMail(text).headers.subject)).to.deep.equal(subjects);
  });

  it('names files of two processes in order of time', async () => {
    let now = NOW;
    const [first, second] = [open(undefined, { now: () => now }), open(undefined, { now: () => now })];
    for (const [mailer, subject] of [
      [first, '1'],
      [second, '2'],
      [first, '3'],
      [second, '4'],
    ] as const) {
      now += 1;
      await mailer.send(sampleMessage({ subject }));
    }
    expect((await texts()).map((text) => readMail(text).headers.subject)).to.deep.equal(['1', '2', '3', '4']);
  });

  it('never exposes a partial mail to readers of the folder', async () => {
    const mailer = open();
    await mailer.send(sampleMessage());
    const length = (await texts())[0]?.length;
    let sending = true;
    const work = Promise.all(Array.from({ length: 30 }, () => mailer.send(sampleMessage()))).finally(() => {
      sending = false;
    });
    // The number of checks depends on the machine; the last check ensures that all mails were read.
    const checkMails = async (): Promise<number> => {
      const names = (await readdir(folder())).filter((name) => !name.startsWith('.'));
      for (const name of names) {
        expect(await readFile(join(folder(), name), 'utf8')).to.have.length(length ?? 0);
      }
      return names.length;
    };
    while (sending) await checkMails();
    await work;
    expect(await checkMails()).to.equal(31);
    expect(await readdir(folder())).to.have.length(31);
  });

  it('recreates its folder after a removal', async () => {
    const mailer = open();
    await mailer.send(sampleMessage());
    await rm(folder(), { recursive: true });
    expect(await mailer.send(sampleMessage())).to.deep.equal({ outcome: 'sent' });
  });

  it('writes mails whose only six consecutive digits are those of the code', async () => {
    const facts = { minutes: '15', replacedAt: '2026-01-02T03:04:05.678Z' };
    const links = { supportUrl: null, termsUrl: null, privacyUrl: null };
    const write = makeWriteMessage({ productName: 'Gatehouse', brandColour: '#112233', ...links });
    const written = write({ template: 'verify', language: 'en', facts, code: '987654' });
    await open().send(sampleMessage(written));
    const [raw = ''] = await texts();
    expect(raw).to.contain('\n    987654\n').and.contain('Date: Fri, 02 Jan 2026 03:04:05 +0000\n');
    expect(raw.match(/\d{6,}/g)).to.deep.equal(['987654', '987654']);
  });
});
