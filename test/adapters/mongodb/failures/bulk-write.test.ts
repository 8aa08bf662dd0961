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
  it('is a transient outage if its connection broke', () => {
    const broken = bulkError(new MongoNetworkError('the connection broke'));
    expect([isPassing(broken), isOutage(broken), isDuplicateOfMany(broken)]).to.deep.equal([
      true,
      true,
      false,
    ]);
  });

  it('is an outage if no server was found', () => {
    const outage = bulkError(new MongoServerSelectionError('connect ECONNREFUSED', {} as never));
    expect([isOutage(outage), failureWord(outage)]).to.deep.equal([true, 'MongoServerSelectionError']);
  });

  it('consists of duplicates only if every write error reports a duplicate', () => {
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
    [16500, 'TooManyRequests of Cosmos DB'],
  ] as const) {
    it(`is an outage without retries if the server reports ${name}`, () => {
      const error = new MongoServerError({ message: 'internal server error', code });
      expect([isOutage(error), isPassing(error)]).to.deep.equal([true, false]);
    });
  }

  it('is a transient outage if a router finds no primary of a shard', () => {
    const error = new MongoServerError({ message: 'Could not find host', code: 133 });
    expect([isOutage(error), isPassing(error)]).to.deep.equal([true, true]);
  });

  it('is a transient outage if the connection was closed before the command was written', async () => {
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

  it('is neither transient nor an outage if an argument has the wrong type', () => {
    const error = Object.assign(new TypeError('wrong type'), { code: 'ERR_INVALID_ARG_TYPE' });
    expect([isPassing(error), isOutage(error)]).to.deep.equal([false, false]);
  });

  it('is not an outage if the command was wrong', () => {
    expect(isOutage(new MongoServerError({ message: 'unknown operator', code: 2 }))).to.equal(false);
  });
});

describe('A connection to MongoDB that cannot be opened', () => {
  const folder = useTempFolder();
  const reasonFor = async (url: string) => whyNoConnection(await rejectionOf(() => openMongo({ url })));

  it('is reported as a wrong setting if the file of CA certificates cannot be opened', async () => {
    const file = encodeURIComponent(join(folder(), 'none.pem'));
    expect(await reasonFor(`mongodb://127.0.0.1:1/x?tls=true&tlsCAFile=${file}`)).to.deep.equal({
      word: 'no TLS connection can be made (ENOENT)',
      isSetting: true,
    });
  });

  it('is not reported as a wrong setting if the certificate of the server has expired', () => {
    const error = Object.assign(new MongoNetworkError('certificate has expired'), {
      code: 'CERT_HAS_EXPIRED',
    });
    expect(whyNoConnection(error)).to.deep.equal({
      word: 'no TLS connection can be made (CERT_HAS_EXPIRED)',
      isSetting: false,
    });
  });

  it('is reported as a wrong setting if the certificate was issued by an unknown authority', () => {
    const code = 'UNABLE_TO_VERIFY_LEAF_SIGNATURE';
    const error = Object.assign(new MongoNetworkError('unable to verify the first certificate'), { code });
    expect(whyNoConnection(error)).to.deep.equal({
      word: `no TLS connection can be made (${code})`,
      isSetting: true,
    });
  });

  for (const [part, url] of [
    ['password has a character that is not encoded', 'mongodb://user:pass@word@db1/x'],
    ['port is not a number', 'mongodb://db1:port/x'],
  ] as const)
    it(`is reported as a wrong setting if the ${part}`, async () => {
      expect(await reasonFor(url)).to.deep.equal({
        word: 'is not an address that the driver understands',
        isSetting: true,
      });
    });

  it('is reported as a wrong setting if the server or Atlas refuses the password', () => {
    for (const code of [18, 8000])
      expect(whyNoConnection(new MongoServerError({ message: 'bad auth', code }))).to.deep.equal({
        word: 'the server refuses the user or the password',
        isSetting: true,
      });
  });

  it('is reported as a server that does not answer if the Unix socket does not exist', async () => {
    const socket = encodeURIComponent(join(folder(), 'none.sock'));
    expect(await reasonFor(`mongodb://${socket}/x?serverSelectionTimeoutMS=500`)).to.deep.equal({
      word: 'no server answers there (ENOENT)',
      isSetting: false,
    });
  });
});
