import { expect } from 'chai';
import { makeContainer } from '../../../adapters/compose/container.ts';

interface Made {
  readonly half: { readonly name: string; other(): string };
  readonly other: string;
}

describe('The container', () => {
  const open = () => {
    const made: string[] = [];
    const parts = makeContainer<{ readonly word: string }, Made>(
      { word: 'given' },
      {
        half: (all) => {
          made.push('half');
          return { name: all.word, other: () => all.other };
        },
        other: ({ half }) => {
          made.push('other');
          return `the other of ${half.name}`;
        },
      },
    );
    return { made, parts };
  };

  it('makes a part when it is first read, once, after those that it is made of', () => {
    const { made, parts } = open();
    expect(made).to.deep.equal([]);
    expect(parts.other).to.equal('the other of given');
    expect(made).to.deep.equal(['half', 'other']);
    expect(parts.half).to.equal(parts.half);
    expect({ ...parts }).to.have.all.keys('word', 'half', 'other');
    expect(made).to.have.length(2);
  });

  it('lets two parts want each other, where one asks when it is called', () => {
    const { parts } = open();
    expect(parts.half.other()).to.equal('the other of given');
  });

  it('knows nothing of another one', () => {
    expect(open().parts.half).not.to.equal(open().parts.half);
  });
});
