import { createRequire } from 'node:module';
import type sendgrid from '@sendgrid/mail';
import { headerText, mailHeaders } from '../../core/accounts/mail/mail-format.ts';
import type { Delivery, Mailer, Message } from '../../core/accounts/ports.ts';
import { traceHeaders } from '../calls/trace-headers.ts';
import { judgeFailure } from './judge-failure.ts';

/** Milliseconds for one call. */
const DEADLINE = 5_000;

/** The package's class; its published types know the one shared object only, which is not ours to set up. */
interface MailService extends Pick<typeof sendgrid, 'send'> {
  readonly client: {
    setDefaultRequest(values: Readonly<Record<string, unknown>>): unknown;
    setDefaultHeader(name: string, value: string): unknown;
  };
}

const open = (apiKey: string, baseUrl: string): MailService => {
  const require = createRequire(import.meta.url);
  const { MailService }: { MailService: new () => MailService } = require('@sendgrid/mail');
  const service = new MailService();
  service.client.setDefaultRequest({ baseUrl, timeout: DEADLINE, maxRedirects: 0, maxContentLength: 65_536 });
  service.client.setDefaultHeader('Authorization', `Bearer ${apiKey}`);
  return service;
};

const OFF = { enable: false };

const asMail = (message: Message, from: string) => ({
  from: headerText(from),
  to: { email: headerText(message.to) },
  subject: headerText(message.subject),
  text: message.text,
  html: message.html,
  headers: mailHeaders(message, from),
  ...(message.images.length > 0 && {
    attachments: message.images.map(({ cid, type, bytes }) => ({
      content: Buffer.from(bytes).toString('base64'),
      filename: `${cid}.png`,
      type,
      disposition: 'inline',
      // The package passes attachments on as they are.
      content_id: cid,
    })),
  }),
  // Comes back with each event about the mail, and tells a repetition.
  customArgs: { message_id: message.id },
  // They would put links into the mail, and through them tell who reads it.
  trackingSettings: {
    clickTracking: { enable: false, enableText: false },
    openTracking: OFF,
    subscriptionTracking: OFF,
    ganalytics: OFF,
  },
  hideWarnings: true,
});

/** Sends through SendGrid's v3 Mail Send call. `baseUrl` replaces the public address. */
export const makeSendGridMailer = (given: {
  readonly apiKey: string;
  readonly baseUrl?: string;
  readonly from: string;
}): Mailer => {
  const { apiKey, baseUrl = 'https://api.sendgrid.com/', from } = given;
  let service: MailService | undefined;

  return {
    async send(message): Promise<Delivery> {
      let timer: NodeJS.Timeout | undefined;
      try {
        service ??= open(apiKey, baseUrl);
        // Read by `send` before it gives its promise; headers of the call itself would stand in the mail.
        for (const [name, value] of Object.entries(traceHeaders()))
          service.client.setDefaultHeader(name, value);
        // The client's own time-out begins anew with every byte that comes.
        const late = new Promise<Delivery>((resolve) => {
          timer = setTimeout(resolve, DEADLINE, { outcome: 'again', after: null, failure: 'timeout' });
        });
        const call = service.send(asMail(message, from)).then((): Delivery => ({ outcome: 'sent' }));
        return await Promise.race([call, late]);
      } catch (error) {
        return judgeFailure(error, Date.now());
      } finally {
        clearTimeout(timer);
      }
    },
  };
};
