import { cookies, headers } from 'next/headers';
import { gatehouse, getSession } from '../../gatehouse.js';

const logIn = async (form) => {
  'use server';
  const sent = new Headers(await headers());
  sent.set('Content-Type', 'application/json');
  const body = JSON.stringify(Object.fromEntries(form));
  // As a request, so that it counts in the limits of the client.
  const request = new Request('http://localhost/api/auth/login', { method: 'POST', headers: sent, body });
  const { token } = await (await (await gatehouse()).answer(request)).json();
  if (token) (await cookies()).set('token', token, { httpOnly: true, sameSite: 'lax', maxAge: 900 });
};

export default async () => {
  const session = await getSession();
  if (session !== null) return <p>{`Hello ${session.user.email}`}</p>;
  return (
    <form action={logIn}>
      <input name="email" type="email" />
      <input name="password" type="password" />
      <button type="submit">Log in</button>
    </form>
  );
};
