import { once } from 'node:events';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  type BulkWriteResult,
  MongoBulkWriteError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
} from 'mongodb';
import { openMongo } from '../../../../adapters/mongodb/engine/client.ts';
import {
  failureWord,
  isDuplicateOfMany,
  isOutage,
  isPassing,
  whyNoConnection,
} from '../../../../adapters/mongodb/engine/failures.ts';
import { rejectionOf } from '../../../contracts/rejection.ts';
import { useTempFolder } from '../../../support/temp-folder.ts';

const bulkError = (cause: ConstructorParameters<typeof MongoBulkWriteError>[0]) =>
  new MongoBulkWriteError(cause, {} as BulkWriteResult);
const refused = (...codes: readonly number[]) => ({
  message: 'refused',
  code: codes[0] ?? 0,
  writeErrors: codes.map((code) => ({ code }) as never),
});

describe('A failure of a bulk write to MongoDB', () => {
  it('passes where its connection broke', () => {
    const broken = bulkError(new MongoNetworkError('the connection broke'));
    expect([isPassing(broken), isOutage(broken), isDuplicateOfMany(broken)]).to.deep.equal([
      true,
      true,
      false,
    ]);
  });

  it('is an outage where no server was found', () => {
    const away = bulkError(new MongoServerSelectionError('connect ECONNREFUSED', {} as never));
    expect([isOutage(away), failureWord(away)]).to.deep.equal([true, 'MongoServerSelectionError']);
  });

  it('is one of duplicates alone where every write error says so', () => {
    expect(isDuplicateOfMany(bulkError(refused(11000, 11000)))).to.equal(true);
    expect(isDuplicateOfMany(bulkError(refused(11000, 121)))).to.equal(false);
    expect(isPassing(bulkError(refused(11000, 121)))).to.equal(false);
  });
});

describe('A failure of MongoDB', () => {
  for (const [code, name] of [
    [1, 'InternalError'],
    [8, 'UnknownError'],
    [13, 'Unauthorized'],
    [18, 'AuthenticationFailed'],
    [50, 'MaxTimeMSExpired'],
    [100, 'UnsatisfiableWriteConcern'],
    [462, 'IngressRequestRateLimitExceeded'],
    [8000, 'AtlasError'],
    [16500, 'TooManyRequests, as Cosmos DB does'],
  ] as const) {
    it(`is an outage where the server says ${name}, and its call is not repeated`, () => {
      const error = new MongoServerError({ message: 'internal server error', code });
      expect([isOutage(error), isPassing(error)]).to.deep.equal([true, false]);
    });
  }

  it('passes where a router finds no primary of a shard', () => {
    const error = new MongoServerError({ message: 'Could not find host', code: 133 });
    expect([isOutage(error), isPassing(error)]).to.deep.equal([true, true]);
  });

  it('passes where a connection was ended before a command was written', async () => {
    const server = createServer((socket) => socket.end());
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    const socket = connect(port, '127.0.0.1').resume();
    await once(socket, 'end');
    const broken = once(socket, 'error');
    socket.write('command');
    const [error] = await broken;
    server.close();
    expect(error).to.include({ code: 'EPIPE' });
    expect([isPassing(error), isOutage(error)]).to.deep.equal([true, true]);
  });

  it('is no outage where an argument was wrong', () => {
    const error = Object.assign(new TypeError('wrong type'), { code: 'ERR_INVALID_ARG_TYPE' });
    expect([isPassing(error), isOutage(error)]).to.deep.equal([false, false]);
  });

  it('is no outage where the call was wrong', () => {
    expect(isOutage(new MongoServerError({ message: 'unknown operator', code: 2 }))).to.equal(false);
  });
});

describe('A connection to MongoDB that cannot be made', () => {
  const folder = useTempFolder();
  const reasonFor = async (url: string) => whyNoConnection(await rejectionOf(() => openMongo({ url })));

  it('is a wrong setting where its file of certificates cannot be opened', async () => {
    const file = encodeURIComponent(join(folder(), 'none.pem'));
    expect(await reasonFor(`mongodb://127.0.0.1:1/x?tls=true&tlsCAFile=${file}`)).to.deep.equal({
      word: 'no TLS connection can be made (ENOENT)',
      isSetting: true,
    });
  });

  it('is no wrong setting where the certificate of the server has expired', () => {
    const error = Object.assign(new MongoNetworkError('certificate has expired'), {
      code: 'CERT_HAS_EXPIRED',
    });
    expect(whyNoConnection(error)).to.deep.equal({
      word: 'no TLS connection can be made (CERT_HAS_EXPIRED)',
      isSetting: false,
    });
  });

  it('is a wrong setting where the server or Atlas refuses the password', () => {
    for (const code of [18, 8000])
      expect(whyNoConnection(new MongoServerError({ message: 'bad auth', code }))).to.deep.equal({
        word: 'the server refuses the user or the password',
        isSetting: true,
      });
  });

  it('has no server that answers where none has made the Unix socket', async () => {
    const socket = encodeURIComponent(join(folder(), 'none.sock'));
    expect(await reasonFor(`mongodb://${socket}/x?serverSelectionTimeoutMS=500`)).to.deep.equal({
      word: 'no server answers there (ENOENT)',
      isSetting: false,
    });
  });
});
