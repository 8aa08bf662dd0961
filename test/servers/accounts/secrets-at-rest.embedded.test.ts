import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect } from 'chai';
import { Secret } from 'otpauth';
import { useService } from '../../support/service.ts';
import { logIn, signUpWithFactor } from './second-factor/factor.ts';

/** Files with secrets of the service itself, and none of a user. */
const KEY_FILES = ['internal-secret', 'keys'];

describe('A service that handles the secrets of a user', () => {
  const service = useService();
  const secrets: Record<string, string> = {};
  let email = '';
  before(async () => {
    const { user, app } = await signUpWithFactor(service());
    const { body: challenge } = await logIn(service(), user);
    const { body: login } = await logIn(service(), user, { verificationCode: app.fresh() });
    await logIn(service(), user, { verificationCode: app.recoveryCodes[0] ?? '' });
    const { body: refreshed } = await service().post('/api/auth/refresh', {
      refreshToken: user.refreshToken,
    });
    await service().post('/api/auth/password-reset', { email: user.email });
    const pending = await service().signUp();
    const { body: setup } = await service().post('/api/auth/2fa', { enable: true }, { token: pending.token });
    const waiting = 'waiting@example.com';
    await service().post('/api/auth/register', { email: waiting, password: 'the password of who waits' });
    const mailed = await service().mailTo(user.email, 4);

    email = user.email;
    Object.assign(secrets, {
      'the password': user.password,
      'the password of an unverified account': 'the password of who waits',
      'the TOTP secret': app.secret,
      'a TOTP secret of an unfinished setup': String(setup.secret),
      'a used verification code': await service().codeFor(user.email),
      'a live verification code': await service().codeFor(waiting),
      'a reset code': /[0-9A-Z]{5}-[0-9A-Z]{5}/.exec(mailed.text)?.[0] ?? '',
      'a used recovery code': app.recoveryCodes[0] ?? '',
      'a live recovery code': app.recoveryCodes[1] ?? '',
      'a pending token': String(challenge.pendingToken),
      'a used refresh token': user.refreshToken,
      'a live refresh token': String(login.refreshToken),
      'a refreshed token': String(refreshed.refreshToken),
      'an access token': String(login.token),
    });
  });

  /** Every encoding in which a secret might be stored. */
  const encodingsOf = (secret: string): readonly string[] => {
    const raw = /^[A-Z2-7]{32}$/.test(secret) ? Buffer.from(Secret.fromBase32(secret).bytes) : undefined;
    return [
      secret,
      secret.replaceAll('-', ''),
      // Base64 of a short secret would match by chance.
      ...(secret.length < 8 ? [] : [Buffer.from(secret).toString('base64').slice(0, -3)]),
      Buffer.from(secret).toString('hex'),
      ...secret.split('.').filter((part) => part.length >= 40),
      ...(raw === undefined
        ? []
        : [
            raw.toString('latin1'),
            raw.toString('hex'),
            raw.toString('base64').slice(0, -2),
            raw.toString('base64url'),
          ]),
    ];
  };
  /** Six digits within a longer word are no code. */
  const holds = (text: string, encoding: string): boolean =>
    /^\d{6}$/.test(encoding)
      ? new RegExp(`(?<![\\w-])${encoding}(?![\\w-])`).test(text)
      : text.includes(encoding);
  const files = (): readonly (readonly [name: string, text: string])[] =>
    readdirSync(service().folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      .map((path) => [relative(service().folder, path), readFileSync(path, 'latin1')] as const)
      .filter(([name]) => !KEY_FILES.some((prefix) => name.startsWith(prefix)));

  it('stores the email in the files that this test searches', () => {
    expect(files().some(([, text]) => holds(text, email))).to.equal(true);
    expect(Object.values(secrets).every((secret) => secret.length >= 6)).to.equal(true);
  });

  it('stores no password, secret, code or token in them', () => {
    for (const [name, text] of files()) {
      for (const [label, secret] of Object.entries(secrets)) {
        const matches = encodingsOf(secret).filter((encoding) => holds(text, encoding));
        expect(matches, `${label} in ${name}`).to.deep.equal([]);
      }
    }
  });

  it('logs neither the secrets nor the email', () => {
    const lines = service().log.lines.map((line) => JSON.stringify(line));

    expect(lines.length).to.be.above(5);
    for (const line of lines) {
      for (const [label, secret] of Object.entries({ ...secrets, 'the email': email })) {
        expect(holds(line, secret), `${label} in ${line}`).to.equal(false);
      }
    }
  });
});
