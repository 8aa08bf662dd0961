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
import { ada, signUp } from '../memory/sign-up.ts';

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

/** Methods of a class, as an app may bring them. */
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

describe('Parts of an app’s own', () => {
  const folder = useTempFolder();
  const withParts = async <T>(
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

  it('seal data keys, with no key file of ours, at the second start as well', async () => {
    const dek = Buffer.alloc(32, 7).toString('base64');
    for (const start of [1, 2]) {
      await withParts({ kms: new OwnKms() }, async ({ files, rotateMasterKey }) => {
        const { dekEnc } = await files.wrapKey({ dek });
        expect(dekEnc, `start ${start}`).to.include('.own:');
        expect(await files.unwrapKey({ dekEnc })).to.deep.equal({ dek });
        expect(await rotateMasterKey()).to.equal('one');
      });
    }
    expect(existsSync(join(folder(), 'data/keys/master.json'))).to.equal(false);
  });

  it('count what is limited', async () => {
    const keys: string[] = [];
    const limiter: Limiter = {
      take: async (bucket, key) => {
        keys.push(`${bucket.name} ${key}`);
        return budgetOf(bucket, 1, 1_000);
      },
    };
    await withParts({ limiter }, async (gatehouse) => {
      const bucket = { name: 'tries', limit: 2, seconds: 1 };
      expect(await gatehouse.limiter.take(bucket, 'ada')).to.include({ allowed: true, remaining: 1 });
    });
    expect(keys).to.deep.equal(['tries ada']);
  });

  it('are ports of the store under their names, or under those that they had before', async () => {
    const full: AttemptsStore['find'] = async () => ({ count: 1_000, firstAt: Date.now() });
    for (const name of ['attempts', 'tries'] as const) {
      const attempts = { ...unusedAttempts, find: full };
      await withParts({ store: { [name]: attempts } }, async ({ accounts }) => {
        const signIn = accounts.logIn({ email: 'ada@example.com', password: 'a wrong password' }, CALLER);
        expect(await rejectionOf(() => signIn)).to.include({ code: 'login_held' });
      });
    }
  });

  it('write the mails, in one form or both, and leave the others as they are', async () => {
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
    await withParts({ mailTexts, mailer }, async ({ accounts, settle }) => {
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

  it('may have a log that fails, which neither fails a call nor ends the process', async () => {
    const fail = () => {
      throw new Error('The disk is full.');
    };
    const log = { info: fail, warn: fail, error: async () => fail() };
    await withParts({ log }, async (gatehouse) => {
      const { accounts, settle } = gatehouse;
      await accounts.register(ada, { ...CALLER, languages: null });
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

  it('are refused where they are not what they must be', async () => {
    const refusalOf = (overrides: object) =>
      rejectionOf(() => withParts(overrides as OwnParts, async () => undefined));
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

  it('are refused by name when nothing would ask them', async () => {
    const overrides = JSON.parse('{"hasher":{}}') as OwnParts;
    const error = await rejectionOf(() => withParts(overrides, async () => undefined));
    expect(error).to.include({ kind: 'invalid', code: 'invalid_request' });
    expect(error).to.have.property('message').that.includes('hasher').and.includes('limiter');
    expect(error).to.have.property('message').that.includes('observed').and.does.not.include('onlyExisting');
  });
});

describe('A mailer and a listener of an app’s own', () => {
  const time = useFakeTime();
  const message: Message = {
    ...{ id: 'one', to: ada.email, subject: 'Code', text: 'It is 123456', html: '' },
    ...{ language: 'en', images: [] },
  };

  it('count as failed when they do not answer, so that the product can close', async () => {
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
