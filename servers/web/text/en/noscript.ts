/** The texts of a page while its scripts are blocked. Only the build imports them, for the server's shells. */
export const plain = {
  noScript:
    'This page needs JavaScript. Allow scripts from this site in the settings of your browser, or of the extension that blocks them, then load the page again.',
  api: 'The API works without it:',
  methods: 'You can sign in here with:',
  password: 'your email and password',
  passkey: 'a passkey',
  provider: 'your account at {name}',
};
