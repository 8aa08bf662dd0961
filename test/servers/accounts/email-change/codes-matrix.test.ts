import { expect } from 'chai';
import { type Reply, useService } from '../../../support/service.ts';
import { until } from '../../../support/until.ts';
import { logIn, signUpWithFactor } from '../second-factor/factor.ts';

const SIX = /^ {4}(\d{6})$/m;
const TEN = /^ {4}([0-9A-Z]{5}-[0-9A-Z]{5})$/m;
const OTHERS = 'another horse battery';
const KINDS = ['verification', 'reset', 'change', 'undo', 'totp', 'recovery'] as const;
type Kind = (typeof KINDS)[number];

/** The specification has codes of six characters in this place: another length breaks a rule. */
const refusalAt = (place: string, code: string) =>
  place === 'verify-email' && code.length !== 6 ? 400 : 401;

/** Those that come with the address that they were mailed to. */
const ADDRESSED: readonly Kind[] = ['verification', 'reset', 'undo'];

let made = 0;

/** A place that takes codes, the kinds that are right there, a call of it, and the address that goes with the code. */
type Place = readonly [
  name: string,
  kinds: readonly Kind[],
  use: (code: string, email?: string) => Promise<Reply>,
  email?: string,
];

describe('Six kinds of codes in six places', () => {
  const service = useService();

  /** The newest code of this form that was mailed to an address. */
  const mailed = async (to: string, form: RegExp): Promise<string> => {
    const found = () => service().mails.findLast((mail) => mail.to === to && form.test(mail.text));
    await until(() => found() !== undefined);
    return form.exec(found()?.text ?? '')?.[1] ?? '';
  };

  /** A user for whom a code of every kind is good, and all the places that take one. */
  const withEveryCode = async () => {
    made += 1;
    const { user, app } = await signUpWithFactor(service());
    const { password, token } = user;
    const [former, present, next] = [user.email, `present${made}@example.com`, `next${made}@example.com`];
    const post = (path: string, body: object, by?: string) =>
      service().post(`/api/auth/${path}`, body, by === undefined ? {} : { token: by });
    await post('email', { email: present }, token);
    await post('email/confirm', { code: await mailed(present, SIX) }, token);
    const undo = await mailed(former, TEN);
    await post('email', { email: next }, token);
    const change = await mailed(next, SIX);
    // The same address and the same form: the nearest that two codes can be.
    await post('register', { email: next, password: OTHERS });
    const isVerification = () =>
      service().mails.some(({ to, subject }) => to === next && subject.includes('verification'));
    await until(isVerification);
    const verification = await mailed(next, SIX);
    await post('password-reset', { email: present });
    const reset = await mailed(present, TEN);

    const codes: Readonly<Record<Kind, () => string>> = {
      ...{ verification: () => verification, reset: () => reset, change: () => change, undo: () => undo },
      ...{ totp: app.fresh, recovery: () => app.recoveryCodes[0] ?? '' },
    };
    const factor = (verificationCode: string) =>
      logIn(service(), { email: present, password }, { verificationCode });
    const places: readonly Place[] = [
      ['verify-email', ['verification'], (code, email = next) => post('verify-email', { email, code }), next],
      [
        'password-reset/confirm',
        ['reset'],
        (code, email = present) => post('password-reset/confirm', { email, code, newPassword: OTHERS }),
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
    return { codes, places, emails: [former, present, next] };
  };

  for (const kind of KINDS)
    it(`open nothing with a code of ${kind} but what it is for, and spend none of it`, async () => {
      const { codes, places, emails } = await withEveryCode();
      const code = codes[kind]();
      const [right] = places.filter(([, kinds]) => kinds.includes(kind));
      for (const [place, kinds, use] of places)
        if (!kinds.includes(kind)) expect((await use(code)).status, place).to.equal(refusalAt(place, code));
      if (ADDRESSED.includes(kind))
        for (const email of emails.filter((one) => one !== right?.[3]))
          expect((await right?.[2](code, email))?.status, email).to.equal(401);
      expect((await right?.[2](code))?.status).to.equal(200);
      expect((await right?.[2](code))?.status, 'once').to.equal(401);
    });
});
