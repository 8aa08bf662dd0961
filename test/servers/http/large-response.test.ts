import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { expect } from 'chai';
import { streamInPieces } from '../../../servers/http/large-response.ts';

const PIECES = 20;
const bytes = Buffer.alloc(PIECES * 16_384, 'x');

/** Reads a body as fast as it comes. */
const read = (client: string) => {
  const res = new ServerResponse(new IncomingMessage(new Socket()));
  const state = { count: 0, length: 0 };
  streamInPieces(res, { bytes, key: bytes, client }).on('data', (piece: Buffer) => {
    state.count += 1;
    state.length += piece.length;
  });
  return state;
};

describe('Large bodies', () => {
  it('are written in 32 pieces per turn of the event loop, of all bodies together', async () => {
    const bodies = Array.from({ length: 50 }, () => read('ada'));
    const countAll = () => bodies.reduce((sum, { count }) => sum + count, 0);
    const counts = [0];
    while (countAll() < 50 * PIECES) {
      await turn();
      counts.push(countAll());
    }
    const countsPerTurn = counts.slice(1).map((count, at) => count - (counts[at] ?? 0));
    expect(Math.max(...countsPerTurn)).to.be.within(1, 64);
    expect(bodies.every(({ length }) => length === bytes.length)).to.equal(true);
  });

  it('are written to each client in its own turns, even if another client reads many', async () => {
    const otherBodies = Array.from({ length: 200 }, () => read('ada'));
    const ownBody = read('bob');
    let count = 0;
    for (; ownBody.length < bytes.length; count += 1) await turn();
    expect(count).to.be.within(PIECES, PIECES + 2);
    while (otherBodies.some(({ length }) => length < bytes.length)) await turn();
  });
});
