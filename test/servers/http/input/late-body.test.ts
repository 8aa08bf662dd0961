import { EventEmitter, once } from 'node:events';
import { connect } from 'node:net';
import { expect } from 'chai';
import { CoreError } from '../../../../core/index.ts';
import { post, startApp, testRoute } from '../start-app.ts';

describe('A request whose body comes after it was let in', () => {
  const BODY = JSON.stringify({ said: 'later' });
  const HEAD = [
    'POST /thing HTTP/1.1',
    'Host: localhost',
    'Authorization: Bearer ada',
    'Content-Type: application/json',
    `Content-Length: ${BODY.length}`,
    'Connection: close',
  ].join('\r\n');

  /** Serves one route for bearers; `isOver` says whether their session is. */
  const start = async (isOver: () => boolean, onAsked: () => void) => {
    const ran: unknown[] = [];
    const run = async ({ body }: { readonly body: unknown }) => {
      ran.push(body);
      return { status: 200, body: {} };
    };
    const body = { type: 'object', properties: { said: { type: 'string' } }, required: ['said'] } as const;
    const route = testRoute({ method: 'POST', access: 'bearer', bucket: 'default', body, run });
    const authenticate = async (token: string) => {
      onAsked();
      if (isOver()) throw new CoreError('unauthenticated', 'invalid_token', 'The session is over.');
      return { claims: { userId: token } };
    };
    return { ran, ...(await startApp([route], { authenticate })) };
  };

  for (const [ends, status] of [
    [true, '401'],
    [false, '200'],
  ] as const) {
    it(`is answered ${status} where the session ${ends ? 'has ended' : 'goes on'} by then`, async () => {
      let over = false;
      const asked = new EventEmitter();
      const isAsked = once(asked, 'asked');
      const app = await start(
        () => over,
        () => asked.emit('asked'),
      );
      const socket = connect(app.port, '127.0.0.1').setEncoding('utf8');
      let heard = '';
      socket.on('data', (text) => {
        heard += text;
      });
      socket.write(`${HEAD}\r\n\r\n`);
      await isAsked;
      over = ends;
      socket.write(BODY);
      await once(socket, 'close');

      expect(heard).to.match(new RegExp(`^HTTP/1.1 ${status} `));
      expect(app.ran).to.deep.equal(ends ? [] : [{ said: 'later' }]);
      expect(app.counts.get('user:default ada')).to.equal(1);
      await app.close();
    });
  }

  it('costs a request that comes as a whole no second look', async () => {
    let asked = 0;
    const app = await start(
      () => false,
      () => {
        asked += 1;
      },
    );
    const headers = { 'Content-Type': 'application/json', Authorization: 'Bearer ada' };
    expect((await post(`${app.url}/thing`, BODY, headers)).status).to.equal(200);
    expect(asked).to.equal(1);
    await app.close();
  });
});
