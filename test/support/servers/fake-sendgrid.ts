import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ReceivedMail } from '../read-mail.ts';
import { unawaited } from '../unawaited.ts';

/** The part of a v3 Mail Send call that tests read. */
interface MailSend {
  readonly from: { readonly email: string; readonly name?: string };
  readonly subject: string;
  readonly personalizations: readonly { readonly to: readonly { readonly email: string }[] }[];
  readonly content: readonly { readonly type: string; readonly value: string }[];
  readonly attachments?: readonly {
    readonly content: string;
    readonly content_id: string;
    readonly disposition: string;
  }[];
  readonly headers: Readonly<Record<string, string>>;
  readonly custom_args: Readonly<Record<string, string>>;
  readonly tracking_settings: Readonly<Record<string, Readonly<Record<string, boolean>>>>;
}

export interface SendGridCall {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly mail: MailSend;
}

export interface FakeSendGrid {
  readonly url: string;
  readonly calls: readonly SendGridCall[];
  /** Answers the next call in place of 202. */
  next(answer: (response: ServerResponse) => void): void;
  close(): Promise<void>;
}

/** The mail that the provider would send for a call. */
export const asReceived = ({ mail }: SendGridCall): ReceivedMail => {
  const { from, subject, personalizations, content, headers, attachments } = mail;
  const of = (type: string) => content.find((part) => part.type === type)?.value ?? '';
  const lowerCaseHeaders = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return {
    headers: {
      ...lowerCaseHeaders,
      from: from.name === undefined ? from.email : `${from.name} <${from.email}>`,
      to: personalizations.flatMap(({ to }) => to.map(({ email }) => email)).join(', '),
      subject,
    },
    parts: content.map(({ type }) => type),
    text: of('text/plain'),
    html: of('text/html'),
    images: Object.fromEntries(
      (attachments ?? [])
        .filter(({ disposition }) => disposition === 'inline')
        .map(({ content_id, content: bytes }) => [content_id, bytes]),
    ),
  };
};

/** Answers like SendGrid's API, or as a test says. */
export const openFakeSendGrid = async (): Promise<FakeSendGrid> => {
  const calls: SendGridCall[] = [];
  const answers: ((response: ServerResponse) => void)[] = [];
  const server = createServer(
    unawaited(async (request: IncomingMessage, response: ServerResponse) => {
      const { method = '', url: path = '', headers } = request;
      calls.push({ method, path, headers, mail: (await json(request)) as MailSend });
      const answer = answers.shift() ?? ((to: ServerResponse) => to.writeHead(202).end());
      answer(response);
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    next: (answer) => void answers.push(answer),
    async close() {
      if (!server.listening) return;
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
};
