import { expect } from 'chai';
import { type Reply, useService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { logIn, signUpWithFactor } from '../second-factor/factor.ts';

const SIX_DIGITS = /^ {4}(\d{6})$/m;
const TEN_CHARACTERS = /^ {4}([0-9A-Z]{5}-[0-9A-Z]{5})$/m;
const NEW_PASSWORD = 'another horse battery';
const KINDS = ['verification', 'reset', 'change', 'undo', 'totp', 'recovery'] as const;
type Kind = (typeof KINDS)[number];

/** The schema of verify-email requires six characters, and refuses another length with 400. */
const refusalAt = (route: string, code: string) =>
  route === 'verify-email' && code.length !== 6 ? 400 : 401;

/** Kinds that are sent together with the address to which they were mailed. */
const ADDRESSED: readonly Kind[] = ['verification', 'reset', 'undo'];

let userCount = 0;

/** A route that accepts codes: the kinds of its codes, a call, and the address that belongs to the code. */
type CodeRoute = readonly [
  name: string,
  kinds: readonly Kind[],
  use: (code: string, email?: string) => Promise<Reply>,
  email?: string,
];

describe('A code of one of six kinds', () => {
  const service = useService();

  /** The newest code of this form that was mailed to an address. */
  const mailedCode = async (to: string, form: RegExp): Promise<string> => {
    const findMail = () => service().mails.findLast((mail) => mail.to === to && form.test(mail.text));
    await until(() => findMail() !== undefined);
    return form.exec(findMail()?.text ?? '')?.[1] ?? '';
  };

  /** A user with a valid code of every kind, and all routes that accept codes. */
  const prepareCodes = async () => {
    userCount += 1;
    const { user, app } = await signUpWithFactor(service());
    const { password, token } = user;
    const [former, present, next] = [
      user.email,
      `present${userCount}@example.com`,
      `next${userCount}@example.com`,
    ];
    const post = (path: string, body: object, bearer?: string) =>
      service().post(`/api/auth/${path}`, body, bearer === undefined ? {} : { token: bearer });
    await post('email', { email: present }, token);
    await post('email/confirm', { code: await mailedCode(present, SIX_DIGITS) }, token);
    const undo = await mailedCode(former, TEN_CHARACTERS);
    await post('email', { email: next }, token);
    const change = await mailedCode(next, SIX_DIGITS);
    // The verification code has the address and the form of the change code.
    await post('register', { email: next, password: NEW_PASSWORD });
    const isVerification = () =>
      service().mails.some(({ to, subject }) => to === next && subject.includes('verification'));
    await until(isVerification);
    const verification = await mailedCode(next, SIX_DIGITS);
    await post('password-reset', { email: present });
    const reset = await mailedCode(present, TEN_CHARACTERS);

    const codes: Readonly<Record<Kind, () => string>> = {
      ...{ verification: () => verification, reset: () => reset, change: () => change, undo: () => undo },
      ...{ totp: app.fresh, recovery: () => app.recoveryCodes[0] ?? '' },
    };
    const factor = (verificationCode: string) =>
      logIn(service(), { email: present, password }, { verificationCode });
    const routes: readonly CodeRoute[] = [
      ['verify-email', ['verification'], (code, email = next) => post('verify-email', { email, code }), next],
      [
        'password-reset/confirm',
        ['reset'],
        (code, email = present) => post('password-reset/confirm', { email, code, newPassword: NEW_PASSWORD }),
        present,
      ],
      ['email/confirm', ['change'], (code) => post('email/confirm', { code }, token)],
      ['email/undo', ['undo'], (code, email = former) => post('email/undo', { email, code }), former],
      ['login', ['totp', 'recovery'], factor],
      [
        '2fa/recovery-codes',
        ['totp', 'recovery'],
        (verificationCode) => post('2fa/recovery-codes', { verificationCode }, token),
      ],
    ];
    return { codes, routes, emails: [former, present, next] };
  };

  for (const kind of KINDS)
    it(`is refused on other routes without being spent, and accepted once on its own: ${kind}`, async () => {
      const { codes, routes, emails } = await prepareCodes();
      const code = codes[kind]();
      const [ownRoute] = routes.filter(([, kinds]) => kinds.includes(kind));
      for (const [route, kinds, use] of routes)
        if (!kinds.includes(kind)) expect((await use(code)).status, route).to.equal(refusalAt(route, code));
      if (ADDRESSED.includes(kind))
        for (const email of emails.filter((address) => address !== ownRoute?.[3]))
          expect((await ownRoute?.[2](code, email))?.status, email).to.equal(401);
      expect((await ownRoute?.[2](code))?.status).to.equal(200);
      expect((await ownRoute?.[2](code))?.status, 'second use').to.equal(401);
    });
});
