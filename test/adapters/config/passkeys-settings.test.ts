import { expect } from 'chai';
import { readConfig } from '../../../adapters/config.ts';
import { PRODUCTION, problemsOf } from './bad-settings.ts';

type Env = Readonly<Record<string, string>>;

const ON = { PASSKEYS: 'on' };
const HASH = `android:apk-key-hash:${'a'.repeat(43)}`;
const AT = { ...ON, PUBLIC_URL: 'https://accounts.example.com' };

const NEEDS_NAME = 'PASSKEY_RP_ID must be set with PASSKEYS=on, where PUBLIC_URL has no host name.';
const NEEDS_ORIGIN =
  'PASSKEY_ORIGINS must be set with PASSKEYS=on, where PUBLIC_URL is neither https nor http://localhost.';
const NO_NAME = 'PASSKEY_RP_ID must be a host name in small letters, and no IP address.';
const NO_ORIGIN =
  'PASSKEY_ORIGINS must be at most 20 different origins separated by commas: https://HOST, http://localhost:PORT or android:apk-key-hash:HASH.';

const BAD: readonly (readonly [Env, readonly string[]])[] = [
  [{ PASSKEYS: 'yes' }, ['PASSKEYS must be on or off.']],
  [ON, [NEEDS_NAME, NEEDS_ORIGIN]],
  [{ ...ON, PUBLIC_URL: 'http://192.0.2.1:3000' }, [NEEDS_NAME, NEEDS_ORIGIN]],
  [{ ...ON, PUBLIC_URL: 'https://[2001:db8::1]' }, [NEEDS_NAME, NEEDS_ORIGIN]],
  [{ ...ON, PUBLIC_URL: 'http://accounts.test' }, [NEEDS_ORIGIN]],
  ...[
    '192.0.2.1',
    '2001:db8::1',
    'Example.com',
    'https://example.com',
    'example.com.',
    'a..b',
    '-a.b',
    ' ',
  ].map((name) => [{ ...AT, PASSKEY_RP_ID: name }, [NO_NAME]] as const),
  ...[
    'http://example.com',
    'https://example.com/',
    'https://*.example.com',
    'https://a.b,https://a.b',
    'http://localhost.evil',
    'android:apk-key-hash:short',
    'null',
  ].map((origins) => [{ ...AT, PASSKEY_ORIGINS: origins }, [NO_ORIGIN]] as const),
];

describe('The settings of passkeys', () => {
  const passkeys = (env: Env) => readConfig(env, null).passkeys;

  it('are off by default', () => {
    expect(passkeys({})).to.equal(null);
    expect(passkeys({ PASSKEY_RP_ID: 'example.com', PASSKEY_ORIGINS: 'https://example.com' })).to.equal(null);
  });

  it('take RP ID and origin from PUBLIC_URL', () => {
    expect(passkeys(AT)).to.deep.equal({
      id: 'accounts.example.com',
      origins: ['https://accounts.example.com'],
    });
    const local = { id: 'localhost', origins: ['http://localhost:3000'] };
    expect(passkeys({ ...ON, PUBLIC_URL: 'http://localhost:3000' })).to.deep.equal(local);
    expect(passkeys({ ...ON, HOST: 'localhost' })).to.deep.equal(local);
  });

  it('accept other origins, including those of apps', () => {
    const origins = ['https://app.example.com', 'https://example.org:8443', 'http://localhost:5173', HASH];
    expect(
      passkeys({ ...ON, PASSKEY_RP_ID: 'example.com', PASSKEY_ORIGINS: origins.join(', ') }),
    ).to.deep.equal({ id: 'example.com', origins });
  });

  for (const [env, problems] of BAD)
    it(`refuse ${JSON.stringify(env).slice(0, 90)}`, () => {
      expect(problemsOf(env)).to.deep.equal(problems);
    });

  it('refuse http origins in production if PASSKEYS is on', () => {
    const linesOf = (env: Env) =>
      problemsOf({ ...PRODUCTION, PASSKEY_ORIGINS: 'http://localhost:3000', ...env }).filter((line) =>
        line.includes('PASSKEY'),
      );
    expect(linesOf(ON)).to.deep.equal(['PASSKEY_ORIGINS must have https origins alone in production.']);
    expect(linesOf({})).to.deep.equal([]);
  });
});
