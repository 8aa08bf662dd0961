import { expect } from 'chai';
import { timeOption } from '../../../cli/terminal/verbs-and-options.ts';

describe('A time at the command line', () => {
  it('is refused with examples of accepted forms', () => {
    let refusal = '';
    try {
      timeOption('tomorrow');
    } catch (error) {
      refusal = String(error);
    }
    const forms = refusal.match(/\d{4}-[\dT:Z-]+/g) ?? [];
    expect(forms.map(timeOption)).to.deep.equal([Date.UTC(2030, 0, 31), Date.UTC(2030, 0, 31, 12)]);
  });
});
