import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { type Config, readConfig, settingNames } from '../../../adapters/config.ts';
import { useTempFolder } from '../../support/temp-folder.ts';
import { BAD_ANYWHERE, BAD_IN_PRODUCTION, PRODUCTION, problemsOf } from './bad-settings.ts';

const SECRET = 'h7G2k9L4m1N6b3V8c5X0z7A2s9D4f1Q6';
const OTHER_SECRET = 'w5E0r7T2y9U4i1O6p3J8h5F0d7S2a9K4';

describe('Settings', () => {
  const folder = useTempFolder();
  const write = (name: string, text: string) => {
    const path = join(folder(), name);
    writeFileSync(path, text);
    return path;
  };
  const linesOf = (env: Readonly<Record<string, string>>) => problemsOf(env, folder());
  const production = () => ({
    ...PRODUCTION,
    SIGNING_KEYS_FILE: write('signing.json', '{}'),
    MASTER_KEYS_FILE: write('master.json', '{}'),
  });

  describe('that are invalid', () => {
    const show = (settings: object) => JSON.stringify(settings).slice(0, 100);
    const expectOneLineWithoutValues = (
      settings: Readonly<Record<string, string>>,
      line: RegExp,
      lines: readonly string[],
    ) => {
      expect(lines).to.have.length(1);
      expect(lines[0]).to.match(line);
      for (const value of Object.values(settings)) {
        if (value.length > 6 && value !== 'sandbox') expect(lines.join()).to.not.contain(value);
      }
    };

    for (const [settings, line] of BAD_ANYWHERE) {
      it(`stop the start with one line: ${show(settings)}`, () => {
        expectOneLineWithoutValues(settings, line, linesOf(settings));
      });
    }
    for (const [settings, line] of BAD_IN_PRODUCTION) {
      it(`stop the start with one line in production: ${show(settings)}`, () => {
        expectOneLineWithoutValues(settings, line, linesOf({ ...production(), ...settings }));
      });
    }

    it('are reported all at once, in the order of the documentation', () => {
      const lines = linesOf({ NODE_ENV: 'production', WORKERS: 'many', ACCOUNTS_PORT: 'x' });
      expect(lines.map((line) => line.split(' ')[0])).to.deep.equal(
        [
          'ACCOUNTS_PORT',
          'PUBLIC_URL',
          'SENDGRID_API_KEY',
          'MAIL_FROM',
          'INTERNAL_SECRET',
          'SIGNING_KEYS_FILE',
          'HASH_KEY',
          'MASTER_KEYS_FILE',
          'BILLING',
          'WORKERS',
        ].sort((first, second) => settingNames.indexOf(first) - settingNames.indexOf(second)),
      );
    });
  });

  describe('that are valid', () => {
    it('have defaults for local use', () => {
      const config = readConfig({}, folder());
      expect(config).to.deep.include({
        production: false,
        host: '127.0.0.1',
        loopback: true,
        accountsPort: 3000,
        metadataPort: 3001,
        publicUrl: 'http://127.0.0.1:3000',
        dataDir: join(folder(), 'data'),
        internalSecrets: { madeIn: join(folder(), 'data/internal-secret') },
        signingKeys: { path: join(folder(), 'data/keys/signing.json'), made: true },
        selfEntitlement: 'trust',
        metaAuth: 'none',
        scrypt: { ln: 15, r: 8, p: 3 },
        rateLimits: {
          ...{ register: 10, verify: 5, resend: 3, login: 30, password: 30, health: 50 },
          ...{ default: 300, acts: 30, pages: 600 },
        },
        tiers: ['free', 'pro-lite', 'pro', 'enterprise'],
      });
      expect(config.mail.provider).to.equal('files');
      expect(config.warnings.join()).to.contain('SELF_ENTITLEMENT');
    });

    it('allow the origins of websites, web views in apps and browser extensions in CORS_ORIGINS', () => {
      const origins = ['https://app.example.com', 'capacitor://localhost', 'chrome-extension://abcdefgh'];
      expect(readConfig({ CORS_ORIGINS: origins.join() }, folder()).corsOrigins).to.deep.equal(origins);
    });

    it('have stricter defaults on a public host and with a shared database', () => {
      const open = readConfig({ HOST: '::' }, folder());
      expect([open.selfEntitlement, open.metaAuth, open.publicUrl]).to.deep.equal([
        'ignore',
        'secret',
        'http://[::]:3000',
      ]);
      for (const store of [
        { MONGODB_URL: 'mongodb://one,two:27018/drop' },
        { POSTGRES_URL: 'postgres://one,two:5433/drop' },
      ]) {
        const shared = readConfig(store, folder());
        expect([shared.selfEntitlement, shared.metaAuth]).to.deep.equal(['ignore', 'none']);
        expect(shared.warnings.join()).to.contain('REDIS_URL');
      }
      for (const HOST of ['localhost', '127.8.0.1', '::1']) {
        expect(readConfig({ HOST }, folder()).loopback, HOST).to.equal(true);
      }
    });

    it('warn if mail may be sent without TLS', () => {
      const mail = { SMTP_URL: 'smtp://mail.example', MAIL_FROM: 'ops@example.com' };
      const countWarnings = (more: Record<string, string>) =>
        readConfig({ ...mail, ...more }, folder()).warnings.filter((line) => line.includes('SMTP_PLAIN'))
          .length;
      expect([countWarnings({}), countWarnings({ SMTP_PLAIN: 'allow' })]).to.deep.equal([0, 1]);
    });

    it('leave the public URL open if the port is 0', () => {
      expect(readConfig({ ACCOUNTS_PORT: '0' }, folder()).publicUrl).to.equal(null);
      const set = readConfig({ ACCOUNTS_PORT: '0', PUBLIC_URL: 'https://A.example.com/' }, folder());
      expect(set.publicUrl).to.equal('https://a.example.com');
    });

    it('allow production on the embedded store without a warning', () => {
      const config = readConfig(production(), folder());
      expect(config.production).to.equal(true);
      expect(config.mail).to.include({ provider: 'sendgrid', from: 'ops@example.com' });
      expect([config.selfEntitlement, config.metaAuth]).to.deep.equal(['ignore', 'secret']);
      expect(config.warnings).to.deep.equal([]);
      for (const SCRYPT of ['ln=16,r=8,p=2', 'ln=17,r=8,p=1'])
        readConfig({ ...production(), SCRYPT }, folder());
    });

    it('contain the settings of the chosen providers', () => {
      const POLAR_PRODUCTS = '{"pro":{"monthly":"p1","yearly":"p2"}}';
      const polar = {
        BILLING: 'polar',
        POLAR_ACCESS_TOKEN: 'polar_oat_1',
        POLAR_PRODUCTS,
        WEBHOOK_SECRETS: SECRET,
      };
      const vault = {
        KMS: 'vault',
        VAULT_ADDR: 'http://v:8200/',
        VAULT_TOKEN: 'hvs.1',
        VAULT_TRANSIT_KEY: 'drop',
      };
      const config = readConfig({ ...polar, ...vault, POLAR_SERVER: 'sandbox' }, folder());
      expect(config.billing).to.deep.equal({
        provider: 'polar',
        accessToken: 'polar_oat_1',
        url: 'https://sandbox-api.polar.sh/v1',
        products: { pro: { monthly: 'p1', yearly: 'p2' } },
        webhookSecrets: [SECRET],
      });
      expect(config.kms).to.deep.equal({
        kind: 'vault',
        address: 'http://v:8200',
        token: 'hvs.1',
        transitKey: 'drop',
      });
    });

    it('read AWS keys from the usual variables, and prefer the KMS endpoint to the general one', () => {
      const aws = { KMS: 'aws', AWS_KMS_KEY_ID: 'alias/drop', AWS_DEFAULT_REGION: 'eu-west-1' };
      expect(readConfig(aws, folder()).kms).to.include({
        kind: 'aws',
        keyId: 'alias/drop',
        region: 'eu-west-1',
        endpoint: null,
        credentials: null,
      });
      const more = {
        AWS_REGION: 'eu-central-1',
        AWS_ENDPOINT_URL: 'http://all:1',
        AWS_ENDPOINT_URL_KMS: 'http://kms:1/',
        AWS_ACCESS_KEY_ID: 'AKID1',
        AWS_SECRET_ACCESS_KEY: 'word/1',
      };
      const config = readConfig({ ...aws, ...more }, folder());
      expect(config.kms).to.deep.include({
        region: 'eu-central-1',
        endpoint: 'http://kms:1',
        credentials: { accessKeyId: 'AKID1', secretAccessKey: 'word/1', sessionToken: null },
      });
      expect(JSON.stringify(config.shown)).to.not.match(/AKID1|word\/1/);
    });

    it('accept two secrets separated by a comma', () => {
      const config = readConfig({ INTERNAL_SECRET: `${SECRET}, ${OTHER_SECRET}` }, folder());
      expect(config.internalSecrets).to.deep.equal({ values: [SECRET, OTHER_SECRET] });
    });

    it('accept signing secrets of 24 to 64 bytes', () => {
      const linesFor = (bytes: number) => {
        const key = Buffer.from(Array.from({ length: bytes }, (_, place) => place + 1));
        return linesOf({ WEBHOOK_URLS: `https://app.example.com/hooks whsec_${key.toString('base64')}` });
      };
      for (const bytes of [24, 32, 62, 63, 64]) expect(linesFor(bytes), `${bytes}`).to.deep.equal([]);
      for (const bytes of [23, 65, 66, 67]) {
        expect(linesFor(bytes), `${bytes}`).to.have.length(1);
        expect(linesFor(bytes)[0]).to.match(/^WEBHOOK_URLS must be .* 24 to 64 random bytes in Base64\.$/);
      }
    });

    it('warn of names that resemble a setting', () => {
      const { warnings } = readConfig(
        { ACCOUNT_PORT: '1', HOME: '/', PATH: '/', INTERNAL_SECRETS: 'x' },
        folder(),
      );
      expect(warnings.filter((line) => line.includes('did you mean'))).to.deep.equal([
        'ACCOUNT_PORT is not a setting; did you mean ACCOUNTS_PORT?',
        'INTERNAL_SECRETS is not a setting; did you mean INTERNAL_SECRET?',
      ]);
    });
  });

  describe('from files', () => {
    it('are read from .env with quotes, comments and CRLF, and the environment takes precedence', () => {
      write(
        '.env',
        '\uFEFF# mine\r\nMETADATA_PORT=4001 # here\r\nACCOUNTS_PORT=4000\r\nPRODUCT_NAME="Drop it"\r\nWORKERS=\r\n',
      );
      const config = readConfig({ ACCOUNTS_PORT: '5000' }, folder());
      expect([config.accountsPort, config.metadataPort, config.productName, config.workers]).to.deep.equal([
        5000,
        4001,
        'Drop it',
        1,
      ]);
    });

    it('are refused if .env is malformed', () => {
      write('.env', `one two\nINTERNAL_SECRET=${SECRET}\n`);
      expect(linesOf({})).to.deep.equal(['.env must hold lines of the form NAME=value and comments.']);
    });

    it('may span lines within quotes in .env', () => {
      write(
        '.env',
        '  export TIERS="free,pro"\n\nPOLAR_PRODUCTS=\'{\n  "pro": {"monthly": "p1"}\n}\'\nWORKERS = 2\n',
      );
      const config = readConfig({}, folder());
      expect([config.tiers, config.workers]).to.deep.equal([['free', 'pro'], 2]);
    });

    it('are refused if .env is a folder', () => {
      mkdirSync(join(folder(), '.env'));
      expect(linesOf({})).to.deep.equal(['.env must be a file that can be read.']);
    });

    it('read a secret from the file of NAME_FILE without its final line break', () => {
      write('secret', `${SECRET}\r\n`);
      const config = readConfig({ INTERNAL_SECRET_FILE: 'secret' }, folder());
      expect(config.internalSecrets).to.deep.equal({ values: [SECRET] });
    });

    it('name the file setting if the content of the file is invalid', () => {
      const INTERNAL_SECRET_FILE = write('secret', 'short\n');
      expect(linesOf({ INTERNAL_SECRET_FILE })[0]).to.match(
        /^What INTERNAL_SECRET_FILE names must be one or two/,
      );
    });

    it('refuse a secret beside its file, unless the environment overrides .env', () => {
      const HASH_KEY_FILE = write('key', SECRET);
      expect(linesOf({ HASH_KEY: OTHER_SECRET, HASH_KEY_FILE })).to.deep.equal([
        'HASH_KEY must not be set together with HASH_KEY_FILE.',
      ]);
      write('.env', `HASH_KEY=${OTHER_SECRET}\n`);
      expect(readConfig({ HASH_KEY_FILE }, folder()).hashKeys).to.deep.equal({ values: [SECRET] });
    });
  });

  it('are shown with their effective values and without secrets', () => {
    const hidden = {
      SMTP_URL: 'smtp://u:letmein@mail.example',
      REDIS_URL: 'redis://:sesame@r.example',
      HASH_KEY: SECRET,
    };
    const config: Config = readConfig(
      { ...hidden, MAIL_FROM: 'Ops <ops@example.com>', WORKERS: '3' },
      folder(),
    );
    const { shown } = config;
    expect(shown).to.include({
      WORKERS: 3,
      REDIS_URL: 'set, not shown',
      SMTP_PLAIN: 'not set',
      MAIL_FROM: 'Ops <ops@example.com>',
    });
    expect(shown).to.include({ INTERNAL_SECRET: `made in ${join(folder(), 'data/internal-secret')}` });
    expect(JSON.stringify(shown)).to.not.match(/letmein|sesame|h7G2/);
  });
});
