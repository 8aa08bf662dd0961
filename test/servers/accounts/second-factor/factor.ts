import { TOTP } from 'otpauth';
import type { TestService, User } from '../../../support/service.ts';

const STEP = 30_000;

/** A service or a core with a clock that tests move. */
interface Clocked {
  readonly clock: { now(): number; advance(milliseconds: number): void };
}

/** The code of an authenticator app at `time`, with the settings that every app assumes. */
export const codeAt = (secret: string, time: number): string =>
  new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 }).generate({ timestamp: time });

/** Moves the clock to the beginning of the next time step, so that none ends between a code and its use. */
export const toNextStep = ({ clock }: Clocked): void => {
  clock.advance(STEP - (clock.now() % STEP));
};

/** An authenticator app that knows the secret of a user. */
export const makeApp = (service: Clocked, secret: string) => ({
  secret,
  /** The code of the current step, or of a number of steps later. */
  code: (steps = 0): string => codeAt(secret, service.clock.now() + steps * STEP),
  /** Moves to the next step, and returns its unused code. */
  fresh: (): string => {
    toNextStep(service);
    return codeAt(secret, service.clock.now());
  },
  /** A code that is wrong in all steps around the current one. */
  wrong: (): string => {
    const near = [-3, -2, -1, 0, 1, 2, 3].map((steps) => codeAt(secret, service.clock.now() + steps * STEP));
    return ['000000', '111111', '222222', '333333', '444444', '555555', '666666', '777777'].find(
      (code) => !near.includes(code),
    ) as string;
  },
});

/** Begins the setup, and returns an app with its secret. */
export const beginFactor = async (service: TestService, { token }: Pick<User, 'token'>) => {
  const { body } = await service.post('/api/auth/2fa', { enable: true }, { token });
  return makeApp(service, String(body.secret));
};

/** Turns two-factor authentication on, which uses up the code of a step. */
export const turnOnFactor = async (service: TestService, user: Pick<User, 'token'>) => {
  const app = await beginFactor(service, user);
  const { body } = await service.post(
    '/api/auth/2fa',
    { enable: true, verificationCode: app.fresh(), secret: app.secret },
    { token: user.token },
  );
  return { ...app, recoveryCodes: Array.from(body.recoveryCodes as unknown as Iterable<string>) };
};

/** A user with two-factor authentication on. */
export const signUpWithFactor = async (service: TestService) => {
  const user = await service.signUp();
  return { user, app: await turnOnFactor(service, user) };
};

/** Logs in by password, with a second factor if one is given. */
export const logIn = (
  service: TestService,
  { email, password }: Pick<User, 'email' | 'password'>,
  more: { readonly verificationCode?: string } = {},
) => service.post('/api/auth/login', { email, password, ...more });

/** Another session of a user without a second factor. */
export const logInAgain = async (service: TestService, user: User): Promise<User> => {
  const { body } = await logIn(service, user);
  return { ...user, token: String(body.token), refreshToken: String(body.refreshToken) };
};

/** The status of `GET /api/auth/me` with this token: 200 while the token is valid. */
export const statusOfMe = async (service: TestService, token: string): Promise<number> =>
  (await service.request('GET', '/api/auth/me', { token })).status;
