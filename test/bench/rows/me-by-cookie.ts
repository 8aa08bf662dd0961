import { me, withServer } from '../ground.ts';
import { type Measure, takeTurns } from '../measure.ts';
import type { Client } from '../request.ts';
import { medianOf } from '../statistics.ts';
import { atLeast, type Row } from '../verdict.ts';
import { hammer } from '../wrk.ts';

const WARM_UP_SECONDS = 2;

const SETTINGS = { COOKIE_SESSIONS: 'on', PUBLIC_URL: 'https://gatehouse.test' };

/** Signs in and returns the `Cookie` header of the session. */
const cookieOf = async (port: number, user: { readonly email: string; readonly password: string }) => {
  const { email, password } = user;
  const answer = await fetch(`http://127.0.0.1:${port}/api/auth/login`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Session': 'cookie',
      Origin: SETTINGS.PUBLIC_URL,
    },
    body: JSON.stringify({ email, password }),
  });
  const [cookie] = answer.headers.getSetCookie()[0]?.split(';') ?? [];
  if (cookie === undefined) throw new Error(`The login was answered with ${answer.status} and no cookie.`);
  return cookie;
};

/** Reads with a session cookie, against reads with an access token. */
export const readMeByCookie = (measure: Measure): Promise<readonly Row[]> =>
  withServer(
    0,
    async ({ server: { port }, user }) => {
      const row = 'GET /api/auth/me by cookie, 64 connections';
      const byToken = me(user);
      const byCookie: Client = { method: 'GET', path: byToken.path, cookie: await cookieOf(port, user) };
      measure.say(`${row}: warming up`);
      await hammer(port, byCookie, WARM_UP_SECONDS);
      await hammer(port, byToken, WARM_UP_SECONDS);
      const turns = { ...measure, rounds: Math.max(5, measure.rounds) };
      const { product, reference } = await takeTurns(
        turns,
        row,
        () => hammer(port, byCookie, measure.seconds),
        () => hammer(port, byToken, measure.seconds),
      );
      return [
        atLeast(0.95, {
          row,
          unit: '/s',
          product: medianOf(product, ({ perSecond }) => perSecond),
          reference: medianOf(reference, ({ perSecond }) => perSecond),
          against: 'the same by access token',
        }),
      ];
    },
    SETTINGS,
  );
