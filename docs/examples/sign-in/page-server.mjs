import { createHash, randomBytes } from 'node:crypto';
import { createServer } from 'node:http';

const { ACCOUNTS, PORT, PROVIDER } = process.env;
const ORIGIN = `http://127.0.0.1:${PORT}`;
const redirectUri = `${ORIGIN}/signed-in`;
const random = () => randomBytes(32).toString('base64url');
const cookieIn = ({ headers }, name) => new RegExp(`(?:^|; )${name}=([^;]*)`).exec(headers.cookie ?? '')?.[1];

const logIn = (_req, res) => {
  const [state, verifier] = [random(), random()];
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const query = new URLSearchParams({ redirectUri, state, challenge, challengeMethod: 'S256' });
  // Over https: add Secure, and the prefix __Host-.
  res.setHeader('Set-Cookie', `flow=${state}.${verifier}; Path=/; HttpOnly; SameSite=Lax; Max-Age=600`);
  res.writeHead(303, { Location: `${ACCOUNTS}/api/auth/providers/${PROVIDER}/begin?${query}` }).end();
};

const signedIn = async (req, res) => {
  const { searchParams: came } = new URL(req.url, ORIGIN);
  const [state, verifier] = (cookieIn(req, 'flow') ?? '').split('.');
  if (!verifier || state !== came.get('state') || !came.has('code'))
    return res.writeHead(400).end('Not logged in.');
  const answer = await fetch(`${ACCOUNTS}/api/auth/providers/exchange`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Session': 'cookie', Origin: ORIGIN },
    body: JSON.stringify({ code: came.get('code'), verifier }),
  });
  const { user, requires2FA, code } = await answer.json();
  if (!user || requires2FA) return res.writeHead(401).end(code ?? 'One more step is needed.');
  const over = 'flow=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0';
  res.setHeader('Set-Cookie', [over, ...answer.headers.getSetCookie()]);
  res.writeHead(303, { Location: '/' }).end();
};

const home = async (req, res) => {
  const headers = { Cookie: req.headers.cookie ?? '' };
  const { user } = await (await fetch(`${ACCOUNTS}/api/auth/me`, { headers })).json();
  res.end(user ? `Hello ${user.email}` : 'Nobody is logged in.');
};

const pages = { '/': home, '/log-in': logIn, '/signed-in': signedIn };
createServer((req, res) => {
  const page = pages[req.url.split('?')[0]];
  if (!page) return res.writeHead(404).end();
  Promise.resolve(page(req, res)).catch(() => res.writeHead(500).end());
}).listen(Number(PORT), '127.0.0.1', () => console.log(`Listening at ${ORIGIN}`));
