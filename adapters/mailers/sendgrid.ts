import { createRequire } from 'node:module';
import type sendgrid from '@sendgrid/mail';
import { headerText, mailHeaders } from '../../core/accounts/mail/mail-format.ts';
import type { Delivery, Mailer, Message } from '../../core/accounts/ports.ts';
import { inTime } from '../calls/in-time.ts';
import { retryAfter } from '../calls/retry-after.ts';
import { traceHeaders } from '../calls/trace-headers.ts';
import { isRecord } from '../files/json.ts';

/**
 * The response in an error, if there was one. The package's own errors have the status in `code`. A redirect fails in its HTTP
 * client, whose error has a text in `code` and the status in the response.
 */
const answerOf = (error: unknown) => {
  const { code, response } = isRecord(error) ? error : {};
  const { status, headers } = isRecord(response) ? response : {};
  return {
    code,
    status: [code, status].find((value) => typeof value === 'number'),
    header(name: string): string | undefined {
      const value = isRecord(headers) ? headers[name] : undefined;
      return typeof value === 'string' ? value : undefined;
    },
  };
};

/** The milliseconds until `X-RateLimit-Reset`, a time in Unix seconds; null without a valid time. */
const rateLimitReset = (value: string | undefined, now: number): number | null =>
  value !== undefined && /^\d+$/.test(value.trim()) ? Math.max(0, Number(value) * 1_000 - now) : null;

/** Classifies a failed call; only status and waiting time of the response are read. */
const judgeFailure = (error: unknown, now: number): Delivery => {
  const { code, status, header } = answerOf(error);
  if (status === undefined) {
    const isTimeout = code === 'ECONNABORTED' || code === 'ETIMEDOUT';
    return { outcome: 'again', after: null, failure: isTimeout ? 'timeout' : 'unreachable' };
  }
  const retryAfterMs = retryAfter(header('retry-after'), now);
  if (status === 429) {
    const after = retryAfterMs ?? rateLimitReset(header('x-ratelimit-reset'), now);
    return { outcome: 'again', after, failure: 'throttled' };
  }
  if (status === 408 || status < 400 || status >= 500) {
    return { outcome: 'again', after: retryAfterMs, failure: 'unavailable' };
  }
  // An error of the API key, its rights or the sender, which the operator can mend.
  if (status === 401 || status === 403) return { outcome: 'again', after: retryAfterMs, failure: 'auth' };
  return { outcome: 'refused', failure: 'rejected' };
};

const DEADLINE_MS = 5_000;

/** The package's class. Its published types have only a shared instance, which other code may configure. */
interface MailService extends Pick<typeof sendgrid, 'send'> {
  readonly client: {
    setDefaultRequest(values: Readonly<Record<string, unknown>>): unknown;
    setDefaultHeader(name: string, value: string): unknown;
  };
}

/** One service for each mail: its client sends the trace headers, since headers of a message would become part of the mail. */
const open = (apiKey: string, baseUrl: string): MailService => {
  // By `require`, since Node.js reads each file of an imported CommonJS package twice.
  const require = createRequire(import.meta.url);
  const { MailService }: { MailService: new () => MailService } = require('@sendgrid/mail');
  const service = new MailService();
  service.client.setDefaultRequest({
    baseUrl,
    timeout: DEADLINE_MS,
    maxRedirects: 0,
    maxContentLength: 65_536,
  });
  const headers = { Authorization: `Bearer ${apiKey}`, ...traceHeaders() };
  for (const [name, value] of Object.entries(headers)) service.client.setDefaultHeader(name, value);
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
      // The API's name: the package passes attachments on unchanged.
      content_id: cid,
    })),
  }),
  // Returned with each event about the mail; identifies repetitions.
  customArgs: { message_id: message.id },
  // Tracking would add links to the mail that reveal who reads it.
  trackingSettings: {
    clickTracking: { enable: false, enableText: false },
    openTracking: OFF,
    subscriptionTracking: OFF,
    ganalytics: OFF,
  },
  hideWarnings: true,
});

/** Sends through SendGrid's v3 Mail Send call. `baseUrl` replaces the public address. */
export const makeSendGridMailer = (options: {
  readonly apiKey: string;
  readonly baseUrl?: string;
  readonly from: string;
}): Mailer => {
  const { apiKey, baseUrl = 'https://api.sendgrid.com/', from } = options;

  return {
    async send(message): Promise<Delivery> {
      try {
        const service = open(apiKey, baseUrl);
        // The client's own timeout restarts with every received byte.
        const late = () => Object.assign(new Error(), { code: 'ETIMEDOUT' });
        await inTime(DEADLINE_MS, service.send(asMail(message, from)), late);
        return { outcome: 'sent' };
      } catch (error) {
        return judgeFailure(error, Date.now());
      }
    },
  };
};
