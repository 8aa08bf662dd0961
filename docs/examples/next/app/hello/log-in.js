'use client';

const logIn = async (event) => {
  event.preventDefault();
  const body = JSON.stringify(Object.fromEntries(new FormData(event.target)));
  const sent = { 'Content-Type': 'application/json', 'X-Session': 'cookie' };
  await fetch('/api/auth/login', { method: 'POST', headers: sent, body });
  location.reload();
};

export default () => (
  <form method="post" onSubmit={logIn}>
    <input name="email" type="email" />
    <input name="password" type="password" />
    <button type="submit">Log in</button>
  </form>
);
