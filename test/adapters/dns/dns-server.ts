import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const TXT = 16;
const CNAME = 5;

/** The answers of the server by name, with response codes of RFC 1035 section 4.1.1. */
export type Zone = Readonly<
  Record<string, { readonly code?: number; readonly records?: readonly Buffer[] } | 'silence' | 'garbage'>
>;

export const CODES = { noName: 3, failure: 2, refused: 5 } as const;

const record = (type: number, data: Buffer): Buffer => {
  const head = Buffer.alloc(12);
  // A pointer to the name in the question, which begins at byte 12.
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
};

const withLength = (text: string): Buffer =>
  Buffer.concat([Buffer.of(Buffer.byteLength(text)), Buffer.from(text)]);

/** A TXT record of these strings. */
export const txt = (...strings: readonly string[]): Buffer =>
  record(TXT, Buffer.concat(strings.map(withLength)));

export const cname = (target: string): Buffer =>
  record(CNAME, Buffer.concat([...target.split('.').map(withLength), Buffer.of(0)]));

/** The name and the bytes of the question. */
const readQuestion = (query: Buffer): { readonly name: string; readonly bytes: Buffer } => {
  const labels: string[] = [];
  let place = 12;
  for (let length = query[place] ?? 0; length > 0; length = query[place] ?? 0) {
    labels.push(query.toString('latin1', place + 1, place + 1 + length));
    place += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), bytes: query.subarray(12, place + 5) };
};

const reply = (query: Buffer, question: Buffer, code: number, records: readonly Buffer[]): Buffer => {
  const head = Buffer.alloc(12);
  query.copy(head, 0, 0, 2);
  head.writeUInt16BE(0x8180 | code, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  return Buffer.concat([head, question, ...records]);
};

/** A DNS server over UDP on a free loopback port. */
export const openDnsServer = async (zone: Zone) => {
  const socket = createSocket('udp4');
  const queries: string[] = [];
  socket.on('message', (query, { port, address }) => {
    const { name, bytes } = readQuestion(query);
    queries.push(name);
    const records = zone[name] ?? { code: CODES.noName };
    if (records === 'silence') return;
    const answer =
      records === 'garbage'
        ? Buffer.concat([query.subarray(0, 2), Buffer.from([0x81, 0x80, 0, 1, 0, 9, 255, 255])])
        : reply(query, bytes, records.code ?? 0, records.records ?? []);
    socket.send(answer, port, address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    /** The names asked for, in order. */
    queries,
    close: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
};
