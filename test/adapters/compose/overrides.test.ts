import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { guardOverrides } from '../../../adapters/compose/overrides.ts';
import { compose, type OwnParts } from '../../../adapters/compose.ts';
import { readConfig } from '../../../adapters/config.ts';
import { composeInMemory } from '../../../adapters/memory.ts';
import type { AttemptsStore, Kms, Limiter, Mailer, MailTexts, Message } from '../../../core/index.ts';
import { budgetOf } from '../../../core/rate-limits.ts';
import { rejectionOf } from '../../contracts/rejection.ts';
import { useFakeTime } from '../../support/fake-time.ts';
import { makeRecordingLog } from '../../support/recording-log.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { until } from '../../support/until.ts';
import { adaCredentials, signUp } from '../memory/sign-up.ts';

const CALLER = { address: '192.0.2.1', client: '192.0.2.1', userAgent: null, requestId: null, languages: '' };

const unused = async () => {
  throw new Error('not called');
};
const unusedAttempts: AttemptsStore = {
  find: unused,
  add: unused,
  addInTurn: unused,
  most: unused,
  remove: unused,
  removeUnder: unused,
  sweep: unused,
};

/** An instance of a class, whose methods are on its prototype. */
class OwnKms implements Kms {
  readonly prefix = 'own:';
  async seal(plain: Uint8Array) {
    return `${this.prefix}${Buffer.from(plain).toString('base64')}`;
  }
  async open(sealed: string) {
    return Buffer.from(sealed.slice(this.prefix.length), 'base64');
  }
  keyOf(sealed: string) {
    return sealed.startsWith(this.prefix) ? 'one' : undefined;
  }
  async current() {
    return 'one';
  }
}

describe('The overrides of an app', () => {
  const folder = useTempFolder();
  const withOverrides = async <T>(
    overrides: OwnParts,
    use: (gatehouse: Awaited<ReturnType<typeof compose>>) => Promise<T>,
  ) => {
    const gatehouse = await compose(readConfig({ LOG_LEVEL: 'silent' }, folder()), overrides);
    try {
      return await use(gatehouse);
    } finally {
      await gatehouse.close();
    }
  };

  it('seal data keys by a custom KMS without a master key file, also after a restart', async () => {
    const dek = Buffer.alloc(32, 7).toString('base64');
    for (const start of [1, 2]) {
      await withOverrides({ kms: new OwnKms() }, async ({ files, rotateMasterKey }) => {
        const { dekEnc } = await files.wrapKey({ dek });
        expect(dekEnc, `start ${start}`).to.include('.own:');
        expect(await files.unwrapKey({ dekEnc })).to.deep.equal({ dek });
        expect(await rotateMasterKey()).to.equal('one');
      });
    }
    expect(existsSync(join(folder(), 'data/keys/master.json'))).to.equal(false);
  });

  it('replace the rate limiter', async () => {
    const keys: string[] = [];
    const limiter: Limiter = {
      take: async (bucket, key) => {
        keys.push(`${bucket.name} ${key}`);
        return budgetOf(bucket, 1, 1_000);
      },
    };
    await withOverrides({ limiter }, async (gatehouse) => {
      const bucket = { name: 'tries', limit: 2, seconds: 1 };
      expect(await gatehouse.limiter.take(bucket, 'ada')).to.include({ allowed: true, remaining: 1 });
    });
    expect(keys).to.deep.equal(['tries ada']);
  });

  it('replace ports of the store by their current or former names', async () => {
    const full: AttemptsStore['find'] = async () => ({ count: 1_000, firstAt: Date.now() });
    for (const name of ['attempts', 'tries'] as const) {
      const attempts = { ...unusedAttempts, find: full };
      await withOverrides({ store: { [name]: attempts } }, async ({ accounts }) => {
        const signIn = accounts.logIn({ email: 'ada@example.com', password: 'a wrong password' }, CALLER);
        expect(await rejectionOf(() => signIn)).to.include({ code: 'login_held' });
      });
    }
  });

  it('replace the text of one mail and the frame of all, and keep the other texts', async () => {
    const mailTexts: MailTexts = {
      find: (mail, language) =>
        mail === 'verify' && language === 'en'
          ? {
              text: ({ code }) => ({ subject: `Code\r\nBcc: eve@example.com`, text: `It is ${code}` }),
              html: null,
            }
          : undefined,
      frame: (_facts, body) => `<p>Ours</p>${body}`,
      logo: null,
    };
    const sent: Message[] = [];
    const mailer: Mailer = {
      send: async (message) => {
        sent.push(message);
        return { outcome: 'sent' };
      },
    };
    await withOverrides({ mailTexts, mailer }, async ({ accounts, settle }) => {
      for (const languages of ['en', 'pl'])
        await accounts.register(
          { email: `${languages}@example.com`, password: 'correct horse battery' },
          { ...CALLER, languages },
        );
      await settle();
    });
    const [en, pl] = sent.toSorted((a, b) => a.to.localeCompare(b.to));
    expect(en?.text).to.match(/^It is \d{6}$/);
    expect(en).to.include({ subject: 'Code Bcc: eve@example.com' });
    expect(en?.html)
      .to.match(/^<p>Ours<\/p>/)
      .and.include('Enter this code');
    expect(pl?.text).to.include('Dzień dobry');
  });

  it('may include a log that throws: no call fails, and the process log records the error', async () => {
    const fail = () => {
      throw new Error('The disk is full.');
    };
    const log = { info: fail, warn: fail, error: async () => fail() };
    await withOverrides({ log }, async (gatehouse) => {
      const { accounts, settle } = gatehouse;
      await accounts.register(adaCredentials, { ...CALLER, languages: null });
      await settle();
      for (const level of ['info', 'warn', 'error'] as const) gatehouse.log[level]('test.line');
      expect((await accounts.operate.stats()).total).to.equal(1);
    });
    const app = await composeInMemory({ log });
    await signUp(app);
    app.log.error('test.line');
    await app.close();

    const processLog = makeRecordingLog();
    guardOverrides({ log }, processLog).log?.error('test.line');
    await until(() => processLog.lines.length > 0);
    const [line] = processLog.lines;
    expect(line).to.include({ level: 'error', event: 'log.failed' });
    expect(line?.fields).to.include({ reason: 'test.line' }).and.to.have.property('error');
  });

  it('are refused if a method is missing or not a function', async () => {
    const refusalOf = (overrides: object) =>
      rejectionOf(() => withOverrides(overrides as OwnParts, async () => undefined));
    const code = 'invalid_request';
    expect(await refusalOf({ mailTexts: { find: 1 } })).to.include({
      code,
      message: "'find' must be a function.",
    });
    const providers = { list: [], begin: () => undefined, identify: () => undefined };
    expect(await refusalOf({ providers }))
      .to.include({ code })
      .and.to.have.property('message')
      .that.includes('issuerOf');
  });

  it('are refused with their name if unknown', async () => {
    const overrides = JSON.parse('{"hasher":{}}') as OwnParts;
    const error = await rejectionOf(() => withOverrides(overrides, async () => undefined));
    expect(error).to.include({ kind: 'invalid', code: 'invalid_request' });
    expect(error).to.have.property('message').that.includes('hasher').and.includes('limiter');
    expect(error).to.have.property('message').that.includes('observed').and.does.not.include('onlyExisting');
  });
});

describe('A custom mailer and event publisher', () => {
  const time = useFakeTime();
  const message: Message = {
    ...{ id: 'one', to: adaCredentials.email, subject: 'Code', text: 'It is 123456', html: '' },
    ...{ language: 'en', images: [] },
  };

  it('fail after 30 seconds without an answer', async () => {
    const hang = () => new Promise<never>(() => {});
    const { mailer, events } = guardOverrides(
      { mailer: { send: hang }, events: { publish: hang } },
      makeRecordingLog(),
    );
    const calls = [
      mailer?.send(message),
      events?.publish({ id: 'one', at: 0, type: 'user.created', userId: 'ada', sessionId: null }),
    ];
    const outcomes = Promise.allSettled(calls);
    time.advance(30_000);
    expect((await outcomes).map(({ status }) => status)).to.deep.equal(['rejected', 'rejected']);
  });
});
