import { BSON } from 'mongodb';
import { type DataFilter, startTcpProxy, type TcpProxy } from './tcp-proxy.ts';

/** What happens to the answer of a command that the server has executed. */
export type Fate = 'lost' | 'doubtful';

/** A proxy of a MongoDB server that drops the answers of chosen commands, or adds a write concern error to them. */
export interface MongoProxy extends TcpProxy {
  url(database: string): string;
  /** Does this to the answers of the next `times` matching commands. The result returns how often it has happened. */
  strike(
    fate: Fate,
    isMeant: (command: string, body: BSON.Document) => boolean,
    times?: number,
  ): () => number;
  /** Ends all strikes. */
  calm(): void;
}

// https://github.com/mongodb/specifications, OP_MSG: a header of four numbers, flags, and a section of kind 0.
const HEADER = 16;
const BODY = HEADER + 4 + 1;
const OP_MSG = 2013;

const DOUBT = {
  code: 64,
  codeName: 'WriteConcernFailed',
  errmsg: 'waiting for replication timed out',
  errInfo: { wtimeout: true },
};

/** Reassembles whole messages from the chunks of a connection. */
const makeMessages = (each: (message: Buffer) => Buffer | undefined) => {
  let rest: Buffer = Buffer.alloc(0);
  return (data: Buffer): Buffer | undefined => {
    rest = Buffer.concat([rest, data]);
    const passed: Buffer[] = [];
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      const message = each(rest.subarray(0, length));
      if (message === undefined) return undefined;
      passed.push(message);
      rest = rest.subarray(length);
    }
    return Buffer.concat(passed);
  };
};

const bodyOf = (message: Buffer): BSON.Document => {
  const length = message.readInt32LE(BODY);
  return BSON.deserialize(message.subarray(BODY, BODY + length));
};

const withDoubt = (message: Buffer): Buffer => {
  const body = BSON.serialize({ ...bodyOf(message), writeConcernError: DOUBT });
  const changed = Buffer.concat([message.subarray(0, BODY), body]);
  changed.writeInt32LE(changed.length, 0);
  return changed;
};

export const startMongoProxy = async (target: number): Promise<MongoProxy> => {
  let strikes: { fate: Fate; isMeant: (command: string, body: BSON.Document) => boolean; left: number }[] =
    [];

  const struckBy = (body: BSON.Document) => {
    const [command = ''] = Object.keys(body);
    const strike = strikes.find(({ isMeant, left }) => left > 0 && isMeant(command, body));
    if (strike !== undefined) strike.left -= 1;
    return strike;
  };

  const makePassage = (): DataFilter => {
    const fates = new Map<number, Fate>();
    return {
      there: makeMessages((message) => {
        // The first command, `hello`, may have an older format.
        const strike = message.readInt32LE(12) === OP_MSG ? struckBy(bodyOf(message)) : undefined;
        if (strike !== undefined) fates.set(message.readInt32LE(4), strike.fate);
        return message;
      }),
      back: makeMessages((message) => {
        const fate = fates.get(message.readInt32LE(8));
        if (fate === 'lost') return undefined;
        return fate === 'doubtful' ? withDoubt(message) : message;
      }),
    };
  };

  const proxy = await startTcpProxy(target, makePassage);
  return {
    ...proxy,
    url: (database) => `mongodb://127.0.0.1:${proxy.port}/${database}?directConnection=true`,
    strike: (fate, isMeant, times = 1) => {
      const strike = { fate, isMeant, left: times };
      strikes = [...strikes.filter(({ left }) => left > 0), strike];
      return () => times - strike.left;
    },
    calm: () => {
      strikes = [];
    },
  };
};
