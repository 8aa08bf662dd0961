import { expect } from 'chai';
import { DatabaseError } from 'pg';
import { isLost, isOutage, whyNoConnection } from '../../../../adapters/postgresql/engine/failures.ts';

const errorOf = (code: string) => Object.assign(new DatabaseError('refused', 7, 'error'), { code });

describe('A failure of PostgreSQL', () => {
  for (const [code, name] of [
    ['XX000', 'internal_error'],
    ['XX002', 'index_corrupted'],
    ['53100', 'disk_full'],
    ['57014', 'query_canceled'],
    ['54000', 'program_limit_exceeded'],
    ['42703', 'undefined_column'],
    ['42883', 'undefined_function'],
    ['42P10', 'invalid_column_reference'],
  ] as const) {
    it(`is an outage if the server reports ${name}`, () => {
      expect(isOutage(errorOf(code))).to.equal(true);
    });
  }

  for (const [code, name] of [
    ['25P03', 'idle_in_transaction_session_timeout'],
    ['25P04', 'transaction_timeout'],
  ] as const) {
    it(`is an outage and ends the connection if the server reports ${name}`, () => {
      expect([isLost(errorOf(code)), isOutage(errorOf(code))]).to.deep.equal([true, true]);
    });
  }

  it('is not an outage if the statement was wrong', () => {
    expect(isOutage(errorOf('42601'))).to.equal(false);
  });
});

describe('A connection to PostgreSQL that cannot be opened', () => {
  for (const code of ['CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'])
    it(`is not reported as a wrong setting if the certificate fails with ${code}`, () => {
      const error = Object.assign(new Error('certificate'), { code });
      expect(whyNoConnection(error)).to.deep.equal({
        word: `no TLS connection can be made (${code})`,
        isSetting: false,
      });
    });
});
