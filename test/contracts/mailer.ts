import { expect } from 'chai';
import { makeWriteMessage } from '../../core/accounts/mail/messages.ts';
import type { Mailer, Message } from '../../core/accounts/ports.ts';
import { DEFAULT_COLOUR } from '../../core/branding/index.ts';
import type { ReceivedMail } from '../support/read-mail.ts';

/** A mailer, what came out at its other end so far, and a way to make that end fail. */
export interface MailerBench {
  readonly mailer: Mailer;
  received(): Promise<readonly ReceivedMail[]>;
  fail(): Promise<void>;
  end(): Promise<void>;
}

const LOOK = {
  ...{ productName: 'Zażółć', brandColour: DEFAULT_COLOUR },
  ...{ supportUrl: null, termsUrl: null, privacyUrl: null },
};

export const sampleMessage = (differences: Partial<Message> = {}): Message => ({
  id: '019b3f5e-7a00-7123-8456-0123456789ab',
  to: 'someone@example.com',
  ...makeWriteMessage(LOOK)({
    template: 'verify',
    language: 'pl',
    facts: { minutes: '15' },
    code: '012345',
  }),
  ...differences,
});

/** What every mailer promises. `open` makes one that sends from the given address. */
export const mailerContract = (name: string, open: (from: string) => Promise<MailerBench>): void => {
  describe(`${name} as a mailer`, () => {
    let bench: MailerBench | undefined;
    const start = async (from = 'Łąka <no-reply@sender.example>') => {
      bench = await open(from);
      return bench;
    };
    afterEach(async () => {
      await bench?.end();
      bench = undefined;
    });

    const only = async ({ received }: MailerBench): Promise<ReceivedMail> => {
      const mails = await received();
      expect(mails).to.have.length(1);
      const [mail] = mails;
      if (mail === undefined) throw new Error('No mail came.');
      return mail;
    };

    it('hands over sender, recipient, subject and both texts, letters of any language included', async () => {
      const open = await start();
      const message = sampleMessage();
      expect(await open.mailer.send(message)).to.deep.equal({ outcome: 'sent' });
      const { headers, parts, text, html } = await only(open);
      expect(headers).to.include({
        from: 'Łąka <no-reply@sender.example>',
        to: 'someone@example.com',
        subject: 'Zażółć: kod weryfikacyjny',
      });
      expect(parts).to.deep.equal(['text/plain', 'text/html']);
      expect(text.trimEnd()).to.equal(message.text.trimEnd());
      expect(html.trimEnd()).to.equal(message.html.trimEnd());
    });

    it('sends the pictures along that the HTML shows', async () => {
      const open = await start();
      const bytes = Uint8Array.from({ length: 300 }, (_, at) => at % 256);
      await open.mailer.send(sampleMessage({ images: [{ cid: 'logo', type: 'image/png', bytes }] }));
      const { images, parts } = await only(open);
      expect(images).to.deep.equal({ logo: Buffer.from(bytes).toString('base64') });
      expect(parts).to.deep.equal(['text/plain', 'text/html']);
    });

    it('says the language, and that no person wrote it', async () => {
      const open = await start();
      await open.mailer.send(sampleMessage());
      expect((await only(open)).headers).to.include({
        'content-language': 'pl',
        'auto-submitted': 'auto-generated',
      });
    });

    it('gives one mail the same Message-ID at each try, and another mail another', async () => {
      const open = await start();
      await open.mailer.send(sampleMessage());
      await open.mailer.send(sampleMessage());
      await open.mailer.send(sampleMessage({ id: '019b3f5e-7a00-7123-8456-0123456789ac' }));
      const ids = (await open.received()).map(({ headers }) => headers['message-id']);
      expect(ids[0]).to.match(/^<[a-z0-9-]{36}@sender\.example>$/);
      expect(new Set(ids).size).to.equal(2);
      expect(ids[1]).to.equal(ids[0]);
    });

    it('sends from a bare address, too', async () => {
      const open = await start('no-reply@sender.example');
      expect(await open.mailer.send(sampleMessage())).to.deep.equal({ outcome: 'sent' });
      expect((await only(open)).headers.from).to.equal('no-reply@sender.example');
    });

    for (const end of ['\r\n', '\n', '\r']) {
      it(`lets no header in by ${JSON.stringify(end)} in a subject, a name or an address`, async () => {
        const hostile = `${end}Bcc: evil@evil.example${end}X-Evil: 1${end}${end}<b>evil</b>`;
        const open = await start(`Łąka${end}X-Evil: 1 <no-reply@sender.example>`);
        await open.mailer.send(sampleMessage({ subject: `Code${hostile}`, language: `pl${hostile}` }));
        await open.mailer.send(sampleMessage({ to: `someone@example.com${hostile}` }));
        for (const { headers, text } of await open.received()) {
          expect(headers).to.not.have.any.keys('bcc', 'x-evil', 'cc');
          expect(text).to.not.contain('evil');
          expect(headers.subject).to.not.contain('\n');
          expect(Object.values(headers).join('')).to.not.contain('\r');
        }
      });
    }

    it('takes many at once', async () => {
      const open = await start();
      const ids = Array.from({ length: 20 }, (_, at) => `019b3f5e-7a00-7123-8456-0123456789${at + 10}`);
      const outcomes = await Promise.all(ids.map((id) => open.mailer.send(sampleMessage({ id }))));
      expect(outcomes).to.deep.equal(ids.map(() => ({ outcome: 'sent' })));
      expect(new Set((await open.received()).map(({ headers }) => headers['message-id'])).size).to.equal(20);
    });

    it('answers `again` with a short word, and does not throw, while the other end is gone', async () => {
      const open = await start();
      await open.fail();
      const delivery = await open.mailer.send(sampleMessage());
      expect(delivery).to.include({ outcome: 'again', after: null });
      expect(delivery)
        .to.have.property('failure')
        .that.matches(/^[a-z_]{1,20}$/);
    });
  });
};
