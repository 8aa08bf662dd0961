import { expect } from 'chai';
import { bytesOption } from '../../../cli/terminal/verbs-and-options.ts';

describe('A number of bytes at the command line', () => {
  it('may have a unit, of 1000 or of 1024', () => {
    const accepted = {
      '0': 0,
      '1099511627776': 1_099_511_627_776,
      '1TB': 1_000_000_000_000,
      '500GiB': 500 * 1_024 ** 3,
      '1tib': 1_024 ** 4,
      '1.5 GB': 1_500_000_000,
      '0.5KiB': 512,
      '2k': 2_000,
      '7B': 7,
      '8PiB': undefined,
    };
    for (const [text, bytes] of Object.entries(accepted)) {
      if (bytes === undefined) expect(() => bytesOption(text), text).to.throw('number of bytes');
      else expect(bytesOption(text), text).to.equal(bytes);
    }
    expect(bytesOption('none')).to.equal('none');
  });

  it('is refused if it is malformed, not whole or too large', () => {
    for (const text of [
      '',
      '-1',
      '1e9',
      '0x10',
      'TB',
      '1XB',
      '1iB',
      '1.5',
      '0.0001TB',
      '1TBB',
      '9007199254740992',
    ]) {
      expect(() => bytesOption(text), text).to.throw('number of bytes');
    }
  });
});
