import { expect } from 'chai';
import {
  openTestService,
  type Reply,
  type TestService,
  type User,
  useService,
} from '../../../support/service.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';
import { logIn, makeApp, signUpWithFactor } from './factor.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

type App = ReturnType<typeof makeApp>;

const guess = async (service: TestService, user: User, app: App, times: number): Promise<number[]> => {
  const statuses: number[] = [];
  for (let time = 0; time < times; time += 1) {
    statuses.push((await logIn(service, user, { verificationCode: app.wrong() })).status);
  }
  return statuses;
};

const expectHeld = ({ status, body, headers }: Reply, seconds: number) => {
  expect(status).to.equal(429);
  expect(body.code).to.equal('two_factor_held');
  // Each code of a new step takes the clock up to half a minute on.
  expect(Number(headers.get('retry-after'))).to.be.within(Math.max(1, seconds - 150), seconds);
};

describe('Wrong two-factor codes', () => {
  const service = useService();
  const right = (user: User, app: App) => logIn(service(), user, { verificationCode: app.fresh() });

  it('hold the second factor for 15 minutes after five in a row, for right codes too', async () => {
    const { user, app } = await signUpWithFactor(service());

    expect(await guess(service(), user, app, 5)).to.deep.equal([401, 401, 401, 401, 401]);
    expectHeld(await logIn(service(), user, { verificationCode: app.wrong() }), 900);
    const verificationCode = app.code(1);
    expectHeld(await logIn(service(), user, { verificationCode }), 900);
    service().clock.advance(14 * MINUTE);
    expectHeld(await right(user, app), 60);
    service().clock.advance(MINUTE);
    expect((await right(user, app)).status).to.equal(200);
  });

  it('hold it wherever a code is asked for, and leave live sessions alone', async () => {
    const { user, app } = await signUpWithFactor(service());
    await guess(service(), user, app, 5);
    const { token, password } = user;
    const verificationCode = app.fresh();

    for (const [path, body] of [
      ['/api/auth/2fa', { enable: false, verificationCode }],
      ['/api/auth/2fa/recovery-codes', { verificationCode }],
      [
        '/api/auth/password',
        { currentPassword: password, newPassword: 'another horse battery', verificationCode },
      ],
      ['/api/auth/delete-account', { password, verificationCode }],
    ] as const) {
      expectHeld(await service().post(path, body, { token }), 900);
    }
    expectHeld(await logIn(service(), user, { verificationCode: app.recoveryCodes[0] ?? '' }), 900);
    expect((await service().request('GET', '/api/auth/me', { token })).status).to.equal(200);
  });

  it('count together, wherever they are sent', async () => {
    const { user, app } = await signUpWithFactor(service());
    const { token, password } = user;
    const verificationCode = app.wrong();
    const pendingToken = String((await logIn(service(), user)).body.pendingToken);
    const tries = [
      await service().post('/api/auth/2fa', { enable: false, verificationCode }, { token }),
      await service().post('/api/auth/2fa/recovery-codes', { verificationCode }, { token }),
      await service().post(
        '/api/auth/password',
        { currentPassword: password, newPassword: 'another horse battery', verificationCode },
        { token },
      ),
      await service().post('/api/auth/delete-account', { password, verificationCode }, { token }),
      await service().post('/api/auth/login', { email: user.email, pendingToken, verificationCode }),
    ];

    expect(tries.map(({ status }) => status)).to.deep.equal([400, 401, 401, 401, 401]);
    expectHeld(await right(user, app), 900);
  });

  it('in a row are forgotten at a success', async () => {
    const { user, app } = await signUpWithFactor(service());

    await guess(service(), user, app, 4);
    expect((await right(user, app)).status).to.equal(200);
    await guess(service(), user, app, 4);
    expect((await right(user, app)).status).to.equal(200);
  });

  it('are held at ten in 24 hours, until 24 hours after the first, whatever succeeded between', async () => {
    const { user, app } = await signUpWithFactor(service());
    await guess(service(), user, app, 4);
    await right(user, app);
    service().clock.advance(HOUR);
    await guess(service(), user, app, 4);
    await right(user, app);
    service().clock.advance(HOUR);
    expect(await guess(service(), user, app, 2)).to.deep.equal([401, 401]);

    expectHeld(await right(user, app), 22 * 3600);
    service().clock.advance(21 * HOUR);
    expectHeld(await right(user, app), 3600);
    service().clock.advance(HOUR);
    expect((await right(user, app)).status).to.equal(200);
  });

  it('of the last 24 hours begin anew with the first one after', async () => {
    const { user, app } = await signUpWithFactor(service());
    await guess(service(), user, app, 4);
    await right(user, app);
    service().clock.advance(24 * HOUR);
    await guess(service(), user, app, 4);
    await right(user, app);
    await guess(service(), user, app, 4);

    expect((await right(user, app)).status).to.equal(200, 'eight in this window, twelve in all');
  });

  it('are not what a code is that was used already', async () => {
    const { user, app } = await signUpWithFactor(service());
    const verificationCode = app.fresh();
    await logIn(service(), user, { verificationCode });

    for (let time = 0; time < 12; time += 1) {
      expect((await logIn(service(), user, { verificationCode })).status).to.equal(401);
    }
    expect((await right(user, app)).status).to.equal(200);
  });

  for (const [what, groups] of [
    ['15 minutes', [5]],
    ['a day', [5, 5]],
  ] as const) {
    it(`hold for no longer than ${what} when the clock is set back meanwhile`, async () => {
      const { user, app } = await signUpWithFactor(service());
      service().clock.advance(3 * 24 * HOUR);
      for (const times of groups) {
        await guess(service(), user, app, times);
        service().clock.advance(15 * MINUTE);
      }
      service().clock.advance(-15 * MINUTE);
      expect((await right(user, app)).status).to.equal(429);
      service().clock.advance(-3 * 24 * HOUR);
      expect((await right(user, app)).status).to.equal(200);
    });
  }

  it('of one user hold nobody else', async () => {
    const one = await signUpWithFactor(service());
    const other = await signUpWithFactor(service());
    await guess(service(), one.user, one.app, 5);

    expect((await right(other.user, other.app)).status).to.equal(200);
  });

  it('are nothing to a password reset, which keeps the hold', async () => {
    const { user, app } = await signUpWithFactor(service());
    await guess(service(), user, app, 5);
    await service().post('/api/auth/password-reset', { email: user.email });
    const [code = ''] = /[0-9A-Z]{5}-[0-9A-Z]{5}/.exec((await service().mailTo(user.email, 3)).text) ?? [];
    const newPassword = 'another horse battery';
    const reset = await service().post('/api/auth/password-reset/confirm', {
      email: user.email,
      code,
      newPassword,
    });

    expect(reset.status).to.equal(200);
    expectHeld(await right({ ...user, password: newPassword }, app), 900);
  });
});

describe('A held second factor', () => {
  const folder = useTempFolder();

  it('is held after a restart, too', async () => {
    const before = await openTestService({}, folder());
    const { user, app } = await signUpWithFactor(before);
    await guess(before, user, app, 5);
    await before.close();

    const after = await openTestService({}, folder());
    const sameApp = makeApp(after, app.secret);
    const held = await logIn(after, user, { verificationCode: sameApp.fresh() });
    after.clock.advance(16 * MINUTE);
    const { status } = await logIn(after, user, { verificationCode: sameApp.fresh() });
    await after.close();

    // The clock began at now again, up to a minute earlier.
    expectHeld(held, 960);
    expect(status).to.equal(200);
  });
});
