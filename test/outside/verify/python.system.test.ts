import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { expect } from 'chai';
import { exampleLines } from '../../embedding/installed.ts';
import { useOtherServices } from '../../servers/verify/other-services.ts';
import { root } from '../../support/tree/root.ts';
import { itVerifies } from './other-languages.ts';

const example = join(root, 'docs/examples/verify-python');
const path = `PATH="${dirname(process.env.GATEHOUSE_TEST_PYJWT ?? '')}:$PATH"`;
const [line = ''] = exampleLines(example);

describe('The service in Python, as its README.md starts it', () => {
  itVerifies(`${path}; exec ${line}`, example);
});

describe('The service in Python, where a proxy answers for the account service', () => {
  const { signUp, serve } = useOtherServices();

  it('answers 503 to a page or an empty set in place of the keys', async () => {
    const { token } = await signUp();
    for (const answer of ['<html>', '{"keys":[]}']) {
      const proxy = createServer((_, response) => response.end(answer));
      await once(proxy.listen(0, '127.0.0.1'), 'listening');
      const { port } = proxy.address() as AddressInfo;
      const notes = await serve(`${path}; export ISSUER=http://127.0.0.1:${port}; exec ${line}`, example);
      const { status, body } = await notes('GET', token);
      expect([status, body], answer).to.deep.equal([503, { code: 'unavailable' }]);
      await once(proxy.close(), 'close');
    }
  });
});
