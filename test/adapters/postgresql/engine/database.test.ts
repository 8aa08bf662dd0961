import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { expect } from 'chai';
import { openPostgres } from '../../../../adapters/postgresql/engine/database.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { UNAVAILABLE } from '../failures/database.ts';

/** A message of the protocol. */
const message = (type: string, body: string): Buffer => {
  const head = Buffer.from(`${type}....`);
  head.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([head, Buffer.from(body)]);
};

const GREETING = [message('R', '\0\0\0\0'), message('Z', 'I')];
const SHUTDOWN = message('E', 'SFATAL\0VFATAL\0C57P01\0Mterminating connection\0\0');

describe('A PostgreSQL database', () => {
  it('is unavailable if a server accepts and ends the connection in one packet', async () => {
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(Buffer.concat([...GREETING, SHUTDOWN])));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const database = openPostgres({ url: `postgres://user@127.0.0.1:${port}/store`, deadline: 300 });
    const error = await rejectionOf(() => database.read.get('SELECT 1 AS one', []));
    expect(error).to.include(UNAVAILABLE);
    await database.close();
    server.close();
  });

  it('refuses calls at once after it was closed', async () => {
    const database = openPostgres({ url: 'postgres://127.0.0.1:1/store', deadline: 60_000 });
    await database.close();
    const write = () => database.write([{ sql: 'DELETE FROM tries', params: [] }]);
    for (const call of [() => database.read.get('SELECT 1 AS one', []), write])
      expect(await rejectionOf(call)).to.include(UNAVAILABLE);
  });
});
