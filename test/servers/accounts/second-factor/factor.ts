import { TOTP } from 'otpauth';
import type { TestService, User } from '../../../support/service.ts';

const STEP = 30_000;

/** What has a clock that tests move: a service, or the core. */
interface Clocked {
  readonly clock: { now(): number; advance(milliseconds: number): void };
}

/** What an authenticator app shows at `time`, by the settings that every app takes for granted. */
export const codeAt = (secret: string, time: number): string =>
  new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 }).generate({ timestamp: time });

/** Moves the clock to the beginning of the next time step, so that none ends between a code and its use. */
export const toNextStep = ({ clock }: Clocked): void => {
  clock.advance(STEP - (clock.now() % STEP));
};

/** An authenticator app that knows the secret of a user. */
export const makeApp = (service: Clocked, secret: string) => ({
  secret,
  /** The code of now, or of so many steps later. */
  code: (steps = 0): string => codeAt(secret, service.clock.now() + steps * STEP),
  /** The code of a step in which none was used yet. */
  fresh: (): string => {
    toNextStep(service);
    return codeAt(secret, service.clock.now());
  },
  /** One that is right in no step around now. */
  wrong: (): string => {
    const near = [-3, -2, -1, 0, 1, 2, 3].map((steps) => codeAt(secret, service.clock.now() + steps * STEP));
    return ['000000', '111111', '222222', '333333', '444444', '555555', '666666', '777777'].find(
      (code) => !near.includes(code),
    ) as string;
  },
});

/** Begins the setup and gives the app that read its QR code. */
export const beginFactor = async (service: TestService, { token }: Pick<User, 'token'>) => {
  const { body } = await service.post('/api/auth/2fa', { enable: true }, { token });
  return makeApp(service, String(body.secret));
};

/** Switches two-factor authentication on, which uses up the code of a step. */
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

/** Logs in by password, with whatever else is given. */
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

/** What the owner of a token gets for it now: 200 while it is good. */
export const me = async (service: TestService, token: string): Promise<number> =>
  (await service.request('GET', '/api/auth/me', { token })).status;
