import { expect } from 'chai';
import { makeWriteMessage } from '../../core/accounts/mail/messages.ts';
import type { Mailer, Message } from '../../core/accounts/ports.ts';
import { DEFAULT_COLOUR } from '../../core/branding/index.ts';
import type { ReceivedMail } from '../support/read-mail.ts';

/** A mailer, the mails that its receiver has received, and a way to make the receiver fail. */
export interface MailerBench {
  readonly mailer: Mailer;
  received(): Promise<readonly ReceivedMail[]>;
  fail(): Promise<void>;
  end(): Promise<void>;
}

const BRANDING = {
  ...{ productName: 'Zażółć', brandColour: DEFAULT_COLOUR },
  ...{ supportUrl: null, termsUrl: null, privacyUrl: null },
};

export const sampleMessage = (differences: Partial<Message> = {}): Message => ({
  id: '019b3f5e-7a00-7123-8456-0123456789ab',
  to: 'someone@example.com',
  ...makeWriteMessage(BRANDING)({
    template: 'verify',
    language: 'pl',
    facts: { minutes: '15' },
    code: '012345',
  }),
  ...differences,
});

/** The rules of a mailer. `open` makes a mailer that sends from the given address. */
export const mailerContract = (name: string, open: (from: string) => Promise<MailerBench>): void => {
  describe(`${name} as a mailer`, () => {
    let opened: MailerBench | undefined;
    const start = async (from = 'Łąka <no-reply@sender.example>') => {
      opened = await open(from);
      return opened;
    };
    afterEach(async () => {
      await opened?.end();
      opened = undefined;
    });

    const onlyMail = async ({ received }: MailerBench): Promise<ReceivedMail> => {
      const mails = await received();
      expect(mails).to.have.length(1);
      const [mail] = mails;
      if (mail === undefined) throw new Error('No mail was received.');
      return mail;
    };

    it('sends sender, recipient, subject and both texts, with letters of any language', async () => {
      const bench = await start();
      const message = sampleMessage();
      expect(await bench.mailer.send(message)).to.deep.equal({ outcome: 'sent' });
      const { headers, parts, text, html } = await onlyMail(bench);
      expect(headers).to.include({
        from: 'Łąka <no-reply@sender.example>',
        to: 'someone@example.com',
        subject: 'Zażółć: kod weryfikacyjny',
      });
      expect(parts).to.deep.equal(['text/plain', 'text/html']);
      expect(text.trimEnd()).to.equal(message.text.trimEnd());
      expect(html.trimEnd()).to.equal(message.html.trimEnd());
    });

    it('sends the images that the HTML shows', async () => {
      const bench = await start();
      const bytes = Uint8Array.from({ length: 300 }, (_, at) => at % 256);
      await bench.mailer.send(sampleMessage({ images: [{ cid: 'logo', type: 'image/png', bytes }] }));
      const { images, parts } = await onlyMail(bench);
      expect(images).to.deep.equal({ logo: Buffer.from(bytes).toString('base64') });
      expect(parts).to.deep.equal(['text/plain', 'text/html']);
    });

    it('sets headers for the language and for automatic mail', async () => {
      const bench = await start();
      await bench.mailer.send(sampleMessage());
      expect((await onlyMail(bench)).headers).to.include({
        'content-language': 'pl',
        'auto-submitted': 'auto-generated',
      });
    });

    it('keeps the Message-ID of a mail at each attempt, and uses another for another mail', async () => {
      const bench = await start();
      await bench.mailer.send(sampleMessage());
      await bench.mailer.send(sampleMessage());
      await bench.mailer.send(sampleMessage({ id: '019b3f5e-7a00-7123-8456-0123456789ac' }));
      const ids = (await bench.received()).map(({ headers }) => headers['message-id']);
      expect(ids[0]).to.match(/^<[a-z0-9-]{36}@sender\.example>$/);
      expect(new Set(ids).size).to.equal(2);
      expect(ids[1]).to.equal(ids[0]);
    });

    it('sends from a bare address', async () => {
      const bench = await start('no-reply@sender.example');
      expect(await bench.mailer.send(sampleMessage())).to.deep.equal({ outcome: 'sent' });
      expect((await onlyMail(bench)).headers.from).to.equal('no-reply@sender.example');
    });

    for (const end of ['\r\n', '\n', '\r']) {
      it(`adds no header for ${JSON.stringify(end)} in a subject, a name or an address`, async () => {
        const hostile = `${end}Bcc: evil@evil.example${end}X-Evil: 1${end}${end}<b>evil</b>`;
        const bench = await start(`Łąka${end}X-Evil: 1 <no-reply@sender.example>`);
        await bench.mailer.send(sampleMessage({ subject: `Code${hostile}`, language: `pl${hostile}` }));
        await bench.mailer.send(sampleMessage({ to: `someone@example.com${hostile}` }));
        for (const { headers, text } of await bench.received()) {
          expect(headers).to.not.have.any.keys('bcc', 'x-evil', 'cc');
          expect(text).to.not.contain('evil');
          expect(headers.subject).to.not.contain('\n');
          expect(Object.values(headers).join('')).to.not.contain('\r');
        }
      });
    }

    it('sends many mails at once', async () => {
      const bench = await start();
      const ids = Array.from({ length: 20 }, (_, at) => `019b3f5e-7a00-7123-8456-0123456789${at + 10}`);
      const outcomes = await Promise.all(ids.map((id) => bench.mailer.send(sampleMessage({ id }))));
      expect(outcomes).to.deep.equal(ids.map(() => ({ outcome: 'sent' })));
      expect(new Set((await bench.received()).map(({ headers }) => headers['message-id'])).size).to.equal(20);
    });

    it('returns `again` with a short failure code while the receiver is down', async () => {
      const bench = await start();
      await bench.fail();
      const delivery = await bench.mailer.send(sampleMessage());
      expect(delivery).to.include({ outcome: 'again', after: null });
      expect(delivery)
        .to.have.property('failure')
        .that.matches(/^[a-z_]{1,20}$/);
    });
  });
};
