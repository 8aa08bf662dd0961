import { expect } from 'chai';
import type { SMTPServerOptions } from 'smtp-server';
import { makeSmtpMailer, type SmtpMailer } from '../../../adapters/mailers/smtp.ts';
import type { Delivery } from '../../../core/accounts/ports.ts';
import { mailerContract, sampleMessage } from '../../contracts/mailer.ts';
import { readMail } from '../../support/read-mail.ts';
import {
  openRawServer,
  openSmtpMailbox,
  reply,
  type SmtpMailbox,
} from '../../support/servers/smtp-mailbox.ts';
import { until } from '../../support/until.ts';

const FROM = 'no-reply@sender.example';

mailerContract('an SMTP server', async (from) => {
  const mailbox = await openSmtpMailbox();
  const mailer = makeSmtpMailer({ url: mailbox.url, from });
  return {
    mailer,
    received: async () => mailbox.mails.map(({ raw }) => readMail(raw)),
    fail: () => mailbox.close(),
    async end() {
      mailer.close();
      await mailbox.close();
    },
  };
});

describe('The SMTP mailer', () => {
  const cleanups: (() => unknown)[] = [];
  afterEach(async () => {
    for (const end of cleanups.splice(0).reverse()) await end();
  });

  const connect = (url: string, plain = false): SmtpMailer => {
    const mailer = makeSmtpMailer({ url, from: FROM, plain });
    cleanups.push(() => mailer.close());
    return mailer;
  };
  const open = async (
    options: SMTPServerOptions = {},
  ): Promise<{ mailer: SmtpMailer; mailbox: SmtpMailbox }> => {
    const mailbox = await openSmtpMailbox(options);
    cleanups.push(() => mailbox.close());
    return { mailer: connect(mailbox.url), mailbox };
  };
  const again = (failure: string): Delivery => ({ outcome: 'again', after: null, failure });
  const refused = (failure: string): Delivery => ({ outcome: 'refused', failure });

  const verdicts: readonly [string, SMTPServerOptions, Delivery][] = [
    ['an unknown recipient', { onRcptTo: (_a, _s, done) => done(reply(550)) }, refused('recipient_refused')],
    ['a busy recipient', { onRcptTo: (_a, _s, done) => done(reply(450)) }, again('deferred')],
    ['a refused sender', { onMailFrom: (_a, _s, done) => done(reply(553)) }, again('sender_refused')],
    ['a missing login', { onMailFrom: (_a, _s, done) => done(reply(530)) }, again('auth')],
    ['a wrong order of commands', { onRcptTo: (_a, _s, done) => done(reply(503)) }, again('deferred')],
    [
      'a refused mail',
      { onData: (stream, _s, done) => void stream.resume().on('end', () => done(reply(554))) },
      refused('message_refused'),
    ],
    [
      'a full disk of the server',
      { onData: (stream, _s, done) => void stream.resume().on('end', () => done(reply(452))) },
      again('deferred'),
    ],
    [
      'a server that refuses connections',
      { onConnect: (_s, done) => done(reply(554)) },
      again('unreachable'),
    ],
    ['a server that is shutting down', { onConnect: (_s, done) => done(reply(421)) }, again('deferred')],
  ];
  for (const [label, options, expected] of verdicts) {
    it(`returns ${JSON.stringify(expected)} for ${label}`, async () => {
      const { mailer } = await open(options);
      expect(await mailer.send(sampleMessage())).to.deep.equal(expected);
    });
  }

  it('sends the next mail after a refused one', async () => {
    const { mailer, mailbox } = await open({
      onRcptTo: ({ address }, _session, done) => done(address.startsWith('gone@') ? reply(550) : null),
    });
    expect(await mailer.send(sampleMessage({ to: 'gone@example.com' }))).to.include({ outcome: 'refused' });
    expect(await mailer.send(sampleMessage())).to.deep.equal({ outcome: 'sent' });
    expect(mailbox.mails.map(({ recipients }) => recipients)).to.deep.equal([['someone@example.com']]);
  });

  it('sends nothing to a recipient injected into the address', async () => {
    const { mailer, mailbox } = await open();
    for (const to of [
      'a@x.example, evil@evil.example',
      'a@x.example\r\nRCPT TO:<evil@evil.example>',
      'a@x.example>',
    ]) {
      await mailer.send(sampleMessage({ to }));
    }
    expect(mailbox.mails.flatMap(({ recipients }) => recipients)).to.not.include('evil@evil.example');
  });

  it('reuses its connection, and opens another after the server has closed it', async () => {
    const { mailer, mailbox } = await open({ socketTimeout: 3_000 });
    await mailer.send(sampleMessage());
    await mailer.send(sampleMessage());
    expect(mailbox.connections.made).to.equal(1);
    await until(() => mailbox.connections.open === 0);
    expect(await mailer.send(sampleMessage())).to.deep.equal({ outcome: 'sent' });
    expect(mailbox.mails).to.have.length(3);
  });

  it('signs in with the user and password of the URL', async () => {
    const logins: unknown[] = [];
    const { mailbox } = await open({
      disabledCommands: ['STARTTLS'],
      onAuth({ username, password }, _session, done) {
        logins.push([username, password]);
        done(null, password === 'right' ? { user: 'one' } : {});
      },
    });
    const as = (login: string) => connect(mailbox.url.replace('//', `//${login}@`));
    expect(await as('us%40er:right').send(sampleMessage())).to.deep.equal({ outcome: 'sent' });
    expect(await as('us%40er:wrong').send(sampleMessage())).to.deep.equal(again('auth'));
    expect(logins).to.deep.equal([
      ['us@er', 'right'],
      ['us@er', 'wrong'],
    ]);
  });

  describe('to another machine', () => {
    /** A server without TLS; on Linux and macOS `0.0.0.0` reaches this machine, but is not a loopback address. */
    const openPlain = async () => {
      const logins: unknown[] = [];
      const { mailbox } = await open({
        disabledCommands: ['STARTTLS'],
        onAuth({ username }, _session, done) {
          logins.push(username);
          done(null, { user: username });
        },
      });
      return { mailbox, logins, url: mailbox.url.replace('127.0.0.1', 'user:word@0.0.0.0') };
    };

    it('sends neither login nor mail without TLS, whatever the URL contains', async () => {
      const { mailbox, logins, url } = await openPlain();
      const overrules = [
        'requireTLS=false',
        'ignoreTLS=true',
        'opportunisticTLS=true',
        'secured=true',
        'host=127.0.0.1',
      ];
      for (const query of ['', ...overrules, overrules.join('&')]) {
        const delivery = await connect(`${url}/?${query}`).send(sampleMessage());
        expect(delivery, query).to.deep.equal(again('tls'));
      }
      const secure = connect(`${url.replace('smtp:', 'smtps:')}?secure=false&secured=true`);
      expect(await secure.send(sampleMessage())).to.include({ outcome: 'again' });
      expect([mailbox.mails, logins]).to.deep.equal([[], []]);
    });

    it('sends both without TLS if allowed', async () => {
      const { mailbox, logins, url } = await openPlain();
      expect(await connect(url, true).send(sampleMessage())).to.deep.equal({ outcome: 'sent' });
      expect([mailbox.mails.length, logins]).to.deep.equal([1, ['user']]);
    });

    it('sends both with STARTTLS', async () => {
      const logins: unknown[] = [];
      const { mailbox } = await open({
        disabledCommands: [],
        onAuth({ username }, { secure }, done) {
          logins.push([username, secure]);
          done(null, { user: username });
        },
      });
      const url = mailbox.url.replace('127.0.0.1', 'user:word@0.0.0.0');
      const mailer = connect(`${url}?tls.rejectUnauthorized=false`);
      expect(await mailer.send(sampleMessage())).to.deep.equal({ outcome: 'sent' });
      expect([mailbox.mails.length, logins]).to.deep.equal([1, [['user', true]]]);
    });
  });

  it('sends nothing to a server with an untrusted certificate', async () => {
    const { mailer, mailbox } = await open({ disabledCommands: ['AUTH'] });
    const delivery = await mailer.send(sampleMessage());
    expect(delivery).to.include({ outcome: 'again' });
    expect(mailbox.mails).to.be.empty;
  });

  it('times out after 5 s if a server sends no greeting or an endless reply', async () => {
    const silent = await openRawServer(() => {});
    const trickling = await openRawServer((socket) => {
      socket.write('220 hello\r\n');
      const timer = setInterval(() => socket.write('250-wait\r\n'), 200);
      socket.on('close', () => clearInterval(timer));
    });
    cleanups.push(silent.close, trickling.close);
    const startedAt = performance.now();
    const answers = await Promise.all(
      [silent, trickling].map(({ port }) => connect(`smtp://127.0.0.1:${port}`).send(sampleMessage())),
    );
    expect(performance.now() - startedAt).to.be.within(3_500, 20_000);
    expect(answers).to.deep.equal([again('timeout'), again('timeout')]);
  });

  it('returns `again` if the connection breaks', async () => {
    const breaking = await openRawServer((socket) => {
      socket.write('220 hello\r\n');
      socket.once('data', () => socket.resetAndDestroy());
    });
    cleanups.push(breaking.close);
    const mailer = connect(`smtp://127.0.0.1:${breaking.port}`);
    expect(await mailer.send(sampleMessage())).to.deep.equal(again('unreachable'));
  });

  it('ends its connections on close, and sends nothing afterwards', async () => {
    const { mailer, mailbox } = await open();
    await mailer.send(sampleMessage());
    mailer.close();
    mailer.close();
    await until(() => mailbox.connections.open === 0);
    expect(await mailer.send(sampleMessage())).to.deep.equal(again('closed'));
  });
});
