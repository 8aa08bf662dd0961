import { createAccountsClient, storedTokens } from 'gatehouse/client';

const { accounts: baseUrl } = document.body.dataset;
const redirectUri = `${location.origin}/signed-in`;
const tokens = storedTokens(localStorage, navigator.locks);
const say = (text) => document.querySelector('output').replaceChildren(text);

/** Goes to a provider for a link or a proof, if the service lets this session. */
const go = ({ data, error }) => (error ? say(error.code) : location.assign(data.url));
const onProofNeeded = async ({ methods }) => {
  if (methods.includes('oidc')) {
    const { data } = await accounts.GET('/api/auth/me');
    go(await accounts.signIn.reauthenticate(data.user.oauthAccounts[0].provider, { redirectUri }));
    return false;
  }
  const body = { password: prompt('Your password?') };
  if (methods.includes('totp')) body.verificationCode = prompt('The code of your authenticator app?');
  const { error } = await accounts.POST('/api/auth/reauthenticate', { body });
  return error === undefined;
};
const accounts = createAccountsClient({ baseUrl, tokens, onProofNeeded });

// prompt() stands in for your own forms.
const logIn = async (email, more) => {
  const { data, error } = await accounts.POST('/api/auth/login', { body: { email, ...more } });
  if (error) throw new Error(error.message);
  if (data.requires2FA) await secondStep(data);
};
const secondStep = ({ user, pendingToken }) =>
  logIn(user.email, { pendingToken, verificationCode: prompt('The code of your authenticator app?') });
const signUp = async ({ signUpToken, email: suggested }) => {
  const email = prompt('Your email?', suggested ?? '');
  await accounts.POST('/api/auth/providers/sign-up', { body: { signUpToken, email } });
  const code = prompt('The code from the mail?');
  await accounts.POST('/api/auth/verify-email', { body: { email, code, signUpToken } });
};

const askCode = async () => prompt('The code of your authenticator app?') ?? undefined;
const finished = await accounts.signIn.finish(location, { askCode });
const { data, error } = finished ?? {};
if (error?.code === 'account_exists') {
  await logIn(error.email, { password: prompt(`The password of ${error.email}?`) });
  await accounts.POST('/api/auth/providers/link/confirm', { body: { linkToken: error.linkToken } });
}
if (data?.requires2FA) await secondStep(data);
if (data?.requiresEmail) await signUp(data);

const me = await accounts.GET('/api/auth/me');
if (me.data) say(`${me.data.user.email} ${me.data.user.oauthAccounts.map(({ provider }) => provider)}`);
else say(error?.message ?? 'Nobody is logged in.');

const button = (name, act) => {
  const made = document.createElement('button');
  made.append(name);
  made.addEventListener('click', act);
  document.body.append(made);
};
const { data: list } = await accounts.GET('/api/auth/providers');
for (const { id, name } of list.providers) {
  button(name, async () => location.assign(await accounts.signIn.begin(id, { redirectUri })));
  button(`Add ${name}`, async () => go(await accounts.signIn.link(id, { redirectUri })));
}
