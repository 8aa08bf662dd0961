// @ts-check
import { readFile } from 'node:fs/promises';
import { CoreError, createGatehouse } from 'gatehouse';
import { readConfig } from 'gatehouse/adapters/config';
import { openJsonAttempts } from './json-attempts.js';

const FILE = 'attempts.json';
const email = 'ada@example.com';
const password = 'correct horse battery';

/** Who calls, as a server would tell it. */
const caller = {
  address: '127.0.0.1',
  client: '127.0.0.1',
  userAgent: null,
  requestId: null,
  languages: null,
};

/** @type {string[]} */
const codes = [];
const composition = await createGatehouse(readConfig(), {
  store: { attempts: await openJsonAttempts(FILE) },
  mailer: {
    send: async ({ text }) => {
      codes.push(...(text.match(/\b\d{6}\b/) ?? []));
      return { outcome: 'sent' };
    },
  },
});

try {
  const { accounts } = composition;
  await accounts.register({ email, password }, caller);
  // Sends what waits to be sent; a program that stays would call composition.start() instead.
  await composition.settle();
  await accounts.verifyEmail({ email, code: codes.at(-1) ?? '', password }, caller);

  for (const wrong of ['a wrong one', 'another one']) {
    await accounts.logIn({ email, password: wrong }, caller).catch((error) => {
      if (!(error instanceof CoreError)) throw error;
      console.log(`Refused: ${error.code}`);
    });
  }
  const counted = Object.values(JSON.parse(await readFile(FILE, 'utf8')));
  console.log(`Wrong attempts in ${FILE}: ${Math.max(...counted.map(({ count }) => count))}`);

  const answer = await accounts.logIn({ email, password }, caller);
  console.log(answer.status === 'signed_in' ? `Logged in as ${answer.user.email}` : 'A second factor is due');
} finally {
  await composition.close();
}
