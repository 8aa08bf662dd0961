import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { CoreError } from '../../../../core/index.ts';
import { post, startApp, testRoute } from '../start-app.ts';

describe('A request whose body arrives after authentication', () => {
  const BODY = JSON.stringify({ said: 'later' });
  const HEAD = [
    'POST /thing HTTP/1.1',
    'Host: localhost',
    'Authorization: Bearer ada',
    'Content-Type: application/json',
    `Content-Length: ${BODY.length}`,
    'Connection: close',
  ].join('\r\n');

  /** Serves one route that needs a session; `hasEnded` tells whether the session has ended. */
  const start = async (hasEnded: () => boolean, onAuthenticate: () => void) => {
    const bodies: unknown[] = [];
    const run = async ({ body }: { readonly body: unknown }) => {
      bodies.push(body);
      return { status: 200, body: {} };
    };
    const body = { type: 'object', properties: { said: { type: 'string' } }, required: ['said'] } as const;
    const route = testRoute({ method: 'POST', access: 'bearer', bucket: 'default', body, run });
    const authenticate = async (token: string) => {
      onAuthenticate();
      if (hasEnded()) throw new CoreError('unauthenticated', 'invalid_token', 'The session has ended.');
      return { claims: { userId: token } };
    };
    return { bodies, ...(await startApp([route], { authenticate })) };
  };

  for (const [ends, status] of [
    [true, '401'],
    [false, '200'],
  ] as const) {
    it(`is answered with ${status} if the session ${ends ? 'has ended' : 'is still valid'} by then`, async () => {
      let hasEnded = false;
      const events = new EventEmitter();
      const isAuthenticated = once(events, 'authenticate');
      const app = await start(
        () => hasEnded,
        () => events.emit('authenticate'),
      );
      const socket = connect(app.port, '127.0.0.1').setEncoding('utf8');
      let response = '';
      socket.on('data', (text) => {
        response += text;
      });
      socket.write(`${HEAD}\r\n\r\n`);
      await isAuthenticated;
      hasEnded = ends;
      socket.write(BODY);
      await once(socket, 'close');

      expect(response).to.match(new RegExp(`^HTTP/1.1 ${status} `));
      expect(app.bodies).to.deep.equal(ends ? [] : [{ said: 'later' }]);
      expect(app.counts.get('user:default ada')).to.equal(1);
      await app.close();
    });
  }

  it('is authenticated once if it arrives whole', async () => {
    let authentications = 0;
    const app = await start(
      () => false,
      () => {
        authentications += 1;
      },
    );
    const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer ada' };
    expect((await post(`${app.url}/thing`, BODY, headers)).status).to.equal(200);
    expect(authentications).to.equal(1);
    await app.close();
  });
});
