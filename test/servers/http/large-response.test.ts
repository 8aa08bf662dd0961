import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { inPieces } from '../../../servers/http/large-response.ts';

const PIECES = 20;
const bytes = Buffer.alloc(PIECES * 16_384, 'x');

/** Reads a body as a client that takes all at once. */
const read = (client: string) => {
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  const state = { count: 0, length: 0 };
  inPieces(res, { bytes, key: bytes, client }).on('data', (piece: Buffer) => {
    state.count += 1;
    state.length += piece.length;
  });
  return state;
};

describe('Large bodies', () => {
  it('are written 32 pieces in a turn of the event loop, of all bodies together', async () => {
    const bodies = Array.from({ length: 50 }, () => read('ada'));
    const countAll = () => bodies.reduce((sum, { count }) => sum + count, 0);
    const counts = [0];
    while (countAll() < 50 * PIECES) {
      await turn();
      counts.push(countAll());
    }
    const inTurns = counts.slice(1).map((count, at) => count - (counts[at] ?? 0));
    expect(Math.max(...inTurns)).to.be.within(1, 64);
    expect(bodies.every(({ length }) => length === bytes.length)).to.equal(true);
  });

  it('come to each client in its turns, however many another one reads', async () => {
    const many = Array.from({ length: 200 }, () => read('ada'));
    const own = read('bob');
    let count = 0;
    for (; own.length < bytes.length; count += 1) await turn();
    expect(count).to.be.within(PIECES, PIECES + 2);
    while (many.some(({ length }) => length < bytes.length)) await turn();
  });
});
