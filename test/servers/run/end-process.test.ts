import { expect } from 'chai';
import { StoreUnusable } from '../../../adapters/compose.ts';
import { ConfigError } from '../../../adapters/config.ts';
import { invalid, unavailable } from '../../../core/errors.ts';
import { failureOf } from '../../../servers/run/end-process.ts';

describe('Why a start failed', () => {
  it('says by its exit code who can mend it, and shows a stack for what only we can', () => {
    const away = unavailable('store_unavailable', 'The store is temporarily unavailable; try again.');
    expect(failureOf(new ConfigError(['HOST: one', 'PORT: two']))).to.deep.equal({
      code: 78,
      lines: ['HOST: one', 'PORT: two'],
    });
    expect(failureOf(new StoreUnusable('why')).code).to.equal(75);
    expect(failureOf(away)).to.deep.equal({ code: 75, lines: [away.message] });
    for (const ours of [invalid('invalid_request', 'Bad.'), new TypeError('x')]) {
      const { code, lines } = failureOf(ours);
      expect(code).to.equal(1);
      expect(lines.join()).to.include('end-process.test');
    }
  });
});
