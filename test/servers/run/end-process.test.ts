import { expect } from 'chai';
import { StoreUnusable } from '../../../adapters/compose.ts';
import { ConfigError } from '../../../adapters/config.ts';
import { invalid, unavailable } from '../../../core/errors.ts';
import { failureOf } from '../../../servers/run/end-process.ts';

describe('failureOf', () => {
  it('returns the exit code of an error, and its stack only if the error is unexpected', () => {
    const storeError = unavailable('store_unavailable', 'The store is temporarily unavailable; try again.');
    expect(failureOf(new ConfigError(['HOST: one', 'PORT: two']))).to.deep.equal({
      code: 78,
      lines: ['HOST: one', 'PORT: two'],
    });
    expect(failureOf(new StoreUnusable('why')).code).to.equal(75);
    expect(failureOf(storeError)).to.deep.equal({ code: 75, lines: [storeError.message] });
    for (const error of [invalid('invalid_request', 'Bad.'), new TypeError('x')]) {
      const { code, lines } = failureOf(error);
      expect(code).to.equal(1);
      expect(lines.join()).to.include('end-process.test');
    }
  });
});
